/* Batches of lists and pools whose gains are whole numbers below 2^32.
 */
#include "whole_gains.h"

#include <math.h>

/* The position of the first of n labels that is no whole number, or -1. */
static int64_t first_fraction(const void *at, int32_t type, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double label = rs_label_value(at, type, i);
        if (label != floor(label))
            return i;
    }
    return -1;
}

/* Reads the labels of list a. RS_TOO_FEW_BITS: a gain is no whole number below 2^32. */
static int64_t read_whole_gains(const rs_whole_gains *x, const rs_lists *lists, int64_t a,
                                uint8_t *scratch, label_list *r, const rs_results *to)
{
    int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t bad = rs_read_labels(at, lists->type, n, &x->g, scratch, r);
    int64_t fraction = -1;
    if (x->whole_labels && (bad >= 0 || !r->small))
        fraction = first_fraction(at, lists->type, bad < 0 ? n : bad);
    if (fraction >= 0)
        bad = fraction;
    if (bad >= 0)
        return rs_refuse(to, begin + bad, lists != x->lists);
    for (int64_t i = 0; r->small && i < n; i++)
        if (x->g.small[r->small[i]] == NO_SMALL_GAIN)
            return RS_TOO_FEW_BITS;
    return r->small ? RS_KNOWN : RS_TOO_FEW_BITS;
}

static void count_gains(rs_whole_gains *x)
{
    x->gain = 0;
    x->N_p = 0;
    for (int64_t i = 0; i < x->J.n; i++) {
        uint64_t g = x->g.small[x->J.small[i]];
        x->gain += g;
        x->N_p += g > 0;
    }
}

/* Whether the items of each tie group have one label, so that all orders are the same. */
static bool is_one_order(const label_list *r, const uint8_t *starts)
{
    for (int64_t i = 1; i < r->n; i++)
        if (!starts[i] && r->small[i] != r->small[i - 1])
            return false;
    return true;
}

RS_TEMPLATE int64_t take_in_whole_gains(void *kernel, int64_t a, const rs_results *to)
{
    rs_whole_gains *x = kernel;
    int64_t read = read_whole_gains(x, x->lists, a, x->shown, &x->r, to);
    if (read < 0)
        return read;
    int64_t pooled = RS_KNOWN;
    x->J = x->r;
    if (x->pools != x->lists)
        pooled = read_whole_gains(x, x->pools, a, x->pooled, &x->J, to);
    if (pooled < 0 || pooled != RS_KNOWN || read != RS_KNOWN)
        return pooled < 0 ? pooled : RS_TOO_FEW_BITS;
    count_gains(x);
    rs_sort_labels(&x->J, false, x->best);
    const uint8_t *starts = rs_starts_of(x->lists, a);
    bool known;
    if (starts && x->tied)
        known = x->tied(x, starts);
    else
        known = (!starts || is_one_order(&x->r, starts)) && x->values(x);
    return known ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE int64_t write_whole_gains(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const rs_whole_gains *x = kernel;
    return rs_write_quotients(a, x->nk, known, x->above, x->below, to);
}

int64_t rs_values_of_whole_gains(rs_whole_gains *x, const rs_measure *m, const rs_block *b,
                                 const rs_results *to)
{
    rs_rooms rooms = {0};
    x->lists = b->lists;
    x->pools = b->pools;
    x->k = m->k;
    x->nk = m->nk;
    rs_gain_table(m->gain, &x->g);
    x->shown = rs_room(&rooms, rs_longest(b->lists, b->n), 1);
    x->pooled = rs_room(&rooms, rs_longest(b->pools, b->n), 1);
    x->best = rs_room(&rooms, rs_longest(b->pools, b->n), 1);
    x->above = rs_room(&rooms, m->nk, sizeof *x->above);
    x->below = rs_room(&rooms, m->nk, sizeof *x->below);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(x, b->n, take_in_whole_gains, write_whole_gains, to);
    rs_leave(&rooms);
    return open;
}
