/* Precision and what is made of it, and what the expectation needs of it. */
#ifndef RANKSPEC_PRECISION_H
#define RANKSPEC_PRECISION_H

#include "numerics.h"

/* The relevance indicators of one list of n items, and how many of the pool are relevant.
 * starts: where tie groups begin, or NULL. */
typedef struct {
    const uint8_t *R;
    const uint8_t *starts;
    int64_t n;
    int64_t N_p;
} binary_list;

/* How many of the positions begin to end - 1 are relevant. */
static inline int64_t rs_relevant(const uint8_t *R, int64_t begin, int64_t end)
{
    int64_t relevant = 0;
    for (int64_t i = begin; i < end; i++)
        relevant += R[i];
    return relevant;
}

/* The expectations over the orders of the tie groups, for each k. */
void rs_expected_hits(const binary_list *x, const int64_t *k, int64_t nk, rs_number *hits,
                      rs_number *per);
void rs_expected_rr(const binary_list *x, const rs_discount *inverse, const int64_t *k, int64_t nk,
                    rs_number *rr);
void rs_expected_sp(const binary_list *x, const rs_discount *inverse, const int64_t *k, int64_t nk,
                    rs_number *sp);

#endif
