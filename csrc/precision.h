/* Precision and what is made of it, and what the expectation needs of it. */
#ifndef RANKSPEC_PRECISION_H
#define RANKSPEC_PRECISION_H

#include "batch.h"
#include "gain.h"
#include "metrics.h"
#include "ties.h"

/* The relevance indicators of one list of n items; the size of the pool, and how many of it are
 * relevant. starts: where tie groups begin, or NULL. */
typedef struct {
    const uint8_t *R;
    const uint8_t *starts;
    int64_t n;
    int64_t pooled;
    int64_t N_p;
} binary_list;

/* A value is hits/per, or a sum in fixed point over a whole number. A metric fills, for each
 * cut-off k, the number above and the number below the line. */
typedef void rs_binary_metric(const binary_list *x, const rs_discount *inverse, int32_t norm,
                              const int64_t *k, int64_t nk, rs_number *above, rs_number *below);

/* A batch at work: what all of its lists share.
 * metric: NULL: only the lengths of the lists matter
 * take_in, value: what is done with each list, and the value at the cut-off j, false where it is
 * undecided; NULL: what the metric fills, as a quotient
 * above, below: what the metric has filled
 * bounds: more of it, for the chapter of that name */
typedef struct rs_binary_batch rs_binary_batch;
struct rs_binary_batch {
    rs_binary_metric *metric;
    const rs_discount *inverse;
    int32_t norm;
    const int64_t *k;
    int64_t nk;
    void (*take_in)(rs_binary_batch *b, const binary_list *x);
    bool (*value)(rs_binary_batch *b, const binary_list *x, int64_t j, double *out);
    rs_number *above, *below;
    struct rs_bounds *bounds;
};

int64_t rs_binary_values(rs_binary_batch *b, const rs_lists *lists, const rs_lists *pools,
                         int64_t n, double theta, const rs_results *to);

rs_binary_metric *rs_total_of(int32_t metric);
uint64_t rs_normaliser(int32_t norm, int64_t N_p, int64_t k);

/* How many thresholds the items of a list reach: those from 1 on, of q.
 * starts: where tie groups begin, or NULL. */
typedef struct {
    const uint8_t *reached;
    const uint8_t *starts;
    int64_t n;
} graded_list;

/* The weights q of the thresholds 1, 2, ..., in fixed point: q[j] 2^exponent; their sum is below
 * 2^96 units. up_to: q[1] + ... + q[j]; inexact: how many of these are rounded down, by less than
 * 1 each. */
typedef struct {
    u128 q[256], up_to[256];
    uint8_t inexact[256];
    int64_t n;
    int32_t exponent;
} threshold_weights;

/* How many of the positions begin to end - 1 are relevant. */
static inline int64_t rs_relevant(const uint8_t *R, int64_t begin, int64_t end)
{
    int64_t relevant = 0;
    for (int64_t i = begin; i < end; i++)
        relevant += R[i];
    return relevant;
}

int64_t rs_read_relevance(const rs_lists *lists, int64_t a, double theta, uint8_t *R, int64_t *n);

/* The expectations over the orders of the tie groups, for each k. */
void rs_expected_hits(const binary_list *x, const int64_t *k, int64_t nk, rs_number *hits,
                      rs_number *per);
void rs_expected_rr_of_group(int64_t s, int64_t n, int64_t r, const rs_discount *inverse,
                             const int64_t *k, int64_t nk, rs_number *rr);
void rs_expected_rr(const binary_list *x, const rs_discount *inverse, const int64_t *k, int64_t nk,
                    rs_number *rr);
void rs_expected_sp(const binary_list *x, const rs_discount *inverse, const int64_t *k, int64_t nk,
                    rs_number *sp);

/* q: n weights, at most 255. RS-NUM-17 */
void rs_threshold_weights(const double *q, int64_t n, threshold_weights *w);

/* How many thresholds, of most, the items of list a reach; returns the position of a label that is
 * no number, or -1. */
int64_t rs_read_thresholds(const rs_lists *lists, int64_t a, int64_t most, uint8_t *reached,
                           int64_t *n);

/* GSP@k for each k; with starts, its expectation over the orders of the tie groups. */
void rs_gsp_of(const graded_list *x, const threshold_weights *w, const rs_discount *inverse,
               const int64_t *k, int64_t nk, rs_number *gsp);
void rs_expected_gsp(const graded_list *x, const threshold_weights *w, const rs_discount *inverse,
                     const int64_t *k, int64_t nk, rs_number *gsp);
rs_number rs_expected_number_relevant(const uint8_t *reached, int64_t n,
                                      const threshold_weights *w);

/* The variances in a random order of a pool of n items, r of them relevant. */
rs_variance rs_variance_of_hits(int64_t n, int64_t r, int64_t k);
rs_variance rs_variance_of_sp(int64_t n, int64_t r, const rs_discount *inverse,
                              const rs_discount *squares, int64_t k);
rs_variance rs_variance_of_rr(int64_t n, int64_t r, const rs_number *mean,
                              const rs_number *mean_square);

#endif
