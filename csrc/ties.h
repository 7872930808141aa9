/* Ties: the order of scored lists, tie groups, and variances over orders. */
#ifndef RANKSPEC_TIES_H
#define RANKSPEC_TIES_H

#include "memory.h"
#include "numerics.h"
#include "stopping.h"

/* A document to be ranked. */
typedef struct {
    uint64_t score;   /* rises with the score */
    uint64_t rule;    /* falls with the rank among equal scores */
    int64_t position; /* in the order of the input */
} ranked_item;

/* The order of the ids at the items' positions. */
typedef struct {
    const rs_ids *ids;
    bool ascending;
} id_order;

void rs_sort(ranked_item *items, ranked_item *scratch, int64_t n, const id_order *ids);

/* The end of the tie group that begins at s, in a list of n items; starts: where groups begin, or
 * NULL, where each item is one. */
RS_INLINE int64_t rs_group_end(const uint8_t *starts, int64_t s, int64_t n)
{
    int64_t end = s + 1;
    while (starts && end < n && !starts[end])
        end++;
    rs_pause_at(s, end, 8);
    return end;
}

/* square / per^2; sign: whether it is 0, and nothing else holds then; open: it is not known. */
typedef struct {
    rs_number square, per;
    rs_sign sign;
} rs_variance;

/* n times the sum of the squares of numbers, less the square of their sum; and whether it is 0. */
typedef struct {
    rs_number size;
    rs_sign sign;
} rs_spread;

/* The squares of the first discounts, as a discount, in rooms; false: no memory. */
bool rs_squares(const rs_discount *d, int64_t depth, rs_discount *squares, rs_rooms *rooms);

rs_spread rs_spread_of(int64_t n, const rs_number *sum, const rs_number *squares);
rs_spread rs_spread_of_counts(int64_t n, int64_t r);

/* x y / (n^2 (n - 1)), with the spread x of the gains and y of the discounts. */
rs_variance rs_variance_of_spreads(int64_t n, const rs_spread *x, const rs_spread *y);
bool rs_round_variance(const rs_variance *v, const rs_number *by, double *out);

#endif
