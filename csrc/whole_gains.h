/* Batches of lists and pools whose gains are whole numbers, for metrics that need both at once. */
#ifndef RANKSPEC_WHOLE_GAINS_H
#define RANKSPEC_WHOLE_GAINS_H

#include "batch.h"
#include "gain.h"
#include "metrics.h"

/* A batch, and the list at hand.
 * values: fills above and below for each cut-off; false: its numbers take more bits than these
 * tied: the same of the expectation over the orders of the tie groups; NULL: it is left to the
 *   reference
 * whole_labels: whether other labels are refused
 * shown, pooled, best: room for the labels of the list, of the pool, and of that in the ideal order
 * r, J: the list and its pool; N_p, gain: how many items of the pool have a gain, and its gain */
typedef struct rs_whole_gains rs_whole_gains;
struct rs_whole_gains {
    const rs_lists *lists, *pools;
    gain_table g;
    const int64_t *k;
    int64_t nk;
    bool (*values)(rs_whole_gains *x);
    bool (*tied)(rs_whole_gains *x, const uint8_t *starts);
    bool whole_labels;
    uint8_t *shown, *pooled, *best;
    rs_number *above, *below;
    label_list r, J;
    int64_t N_p;
    u128 gain;
};

/* The gain at rank i + 1 of the list, and at that of the ideal ranking. */
static inline uint64_t rs_gain_shown(const rs_whole_gains *x, int64_t i)
{
    return x->g.small[x->r.small[i]];
}

static inline uint64_t rs_gain_of_best(const rs_whole_gains *x, int64_t i)
{
    return i < x->J.n ? x->g.small[x->best[i]] : 0;
}

/* Writes the quotients of above and below. x: with values, tied, and what is the chapter's own. */
int64_t rs_values_of_whole_gains(rs_whole_gains *x, const rs_measure *m, const rs_block *b,
                                 const rs_results *to);

#endif
