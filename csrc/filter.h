/* Quotients of sums of small gains, in doubles first. */
#ifndef RANKSPEC_FILTER_H
#define RANKSPEC_FILTER_H

#include "dcg.h"

enum { RS_CELLS = 64 }; /* values at once */

typedef double rs_two __attribute__((vector_size(16)));

/* What a batch has for it, and the chunk of its lists at hand.
 * high, low: the parts of the discounts of the ranks 1 to depth; sums: of the first so many ranks,
 * both parts side by side
 * error: of a quotient, as a part of it; below: what is divided by where no pool is
 * gain: of each label, where it is a byte; step: what it is more than that of the label below
 * lists, pools: of the chunk, in rank order; bytes: room for their labels, size of them; gains: room
 * for the gains of a list */
typedef struct {
    const rs_batch *b;
    double *high, *low;
    rs_two *sums;
    int64_t depth;
    double error, below;
    uint8_t gain[SMALL_LABELS];
    double step[SMALL_LABELS];
    label_list lists[RS_CELLS], pools[RS_CELLS];
    uint8_t *bytes, *gains;
    int64_t size;
    bool shown, pooled, own;
} rs_filter;

bool rs_filter_for(rs_filter *f, const rs_batch *b, const rs_lists *lists, const rs_lists *pools,
                   int64_t n, int64_t longest, rs_rooms *rooms);
void rs_filtered(rs_filter *f, int64_t n, double *out);

#endif
