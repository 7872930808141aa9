/* Quotients of sums of small gains, in doubles first. */
#ifndef RANKSPEC_FILTER_H
#define RANKSPEC_FILTER_H

#include "dcg.h"

enum { RS_CELLS = 64 }; /* values at once */

typedef double rs_two __attribute__((vector_size(16)));

/* What a batch has for it.
 * lists, pools: or NULL; own: whether they are the same
 * high, low: the parts of the discounts of the ranks 1 to depth; sums: of the first so many ranks,
 * both parts side by side
 * error: of a quotient, as a part of it; below: what is divided by where no pool is
 * gain: of each label up to the highest that the filter takes; step: what it is more than that of the
 * label below; most_ranks: of each gain, so many have exact sums; any: whether all labels that are
 * bytes are taken, which are their gains then
 * each: vectors of the labels 0 to 4
 * bytes, pool_bytes: room for the labels of a list and of a pool; gains: for the gains of a list */
typedef struct {
    const rs_batch *b;
    const rs_lists *lists, *pools;
    bool own, any;
    double *high, *low;
    rs_two *sums;
    int64_t depth;
    double error, below;
    uint8_t gain[SMALL_LABELS];
    double step[SMALL_LABELS];
    int32_t highest, most_ranks[SMALL_LABELS];
    uint8_t each[5][32];
    uint8_t *bytes, *pool_bytes, *gains;
} rs_filter;

bool rs_filter_for(rs_filter *f, const rs_batch *b, const rs_lists *lists, const rs_lists *pools,
                   int64_t n, int64_t longest, rs_rooms *rooms);
bool rs_filtered(const rs_filter *f, int64_t begin, int64_t n, double *out);

#endif
