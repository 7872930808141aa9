/* What other chapters need of precision. */
#ifndef RANKSPEC_PRECISION_H
#define RANKSPEC_PRECISION_H

#include "adjust.h"

/* How many of the positions begin to end - 1 are relevant. */
static inline int64_t rs_relevant(const uint8_t *R, int64_t begin, int64_t end)
{
    int64_t relevant = 0;
    for (int64_t i = begin; i < end; i++)
        relevant += R[i];
    return relevant;
}

/* The relevance indicators of list a; returns the position of a label that is no number, or -1. */
int64_t rs_read_relevance(const rs_lists *lists, int64_t a, double theta, uint8_t *R, int64_t *n);

/* SP of the lists of a block, adjusted for the length. */
int64_t rs_sp_of_lists(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                       const rs_results *to);

/* GSP of the lists of a block, adjusted for their length. RS-LEN-16; with starts RS-EXP-29 */
int64_t rs_gsp_of_lists(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                        const rs_results *to);

#endif
