/* Bounds: what is made of a metric and of IUB, RLB and WLB. Spec: chapter "bounds".
 *
 * A metric and its bounds are numbers with a slack, all times the same positive factor, which what
 * normalises by the bounds does not depend on: so nDCG is taken as DCG, AP as SP, P and R as hits.
 * Where a difference of two of them might be 0, structure decides, and else the reference. The
 * bounds of a metric stand in its chapter.
 */
#include "bounds.h"

#include <string.h>

/* Whether it is of the pool alone. */
bool rs_is_of_pool(int32_t kind)
{
    return kind == RS_IUB || kind == RS_RLB || kind == RS_WLB || kind == RS_VARIANCE;
}

/* Whether it is a variance, or made of one. */
bool rs_is_of_variance(int32_t kind)
{
    return kind == RS_VARIANCE || kind == RS_Z_VALUE;
}

/* ---- what is made of a metric and its bounds ---------------------------------------- */

/* [A]_V1^UL = A^2 / (IUB (A + RLB)). RS-BND-5 */
static bool ul1(const rs_number *A, const rs_number *IUB, const rs_number *RLB, double *out)
{
    rs_number sum = rs_sum(A, RLB);
    return rs_round_square_by_product(A, IUB, &sum, out);
}

/* (A - LB) / (IUB - LB), or where `by_lower` what is below 0 by LB. RS-BND-6, RS-BND-7 */
static bool gap_by_spread(const rs_number *A, const rs_number *IUB, const rs_number *LB,
                          bool by_lower, rs_equality *equal, const void *batch, int64_t j,
                          double *out)
{
    rs_number gap, spread = *LB;
    rs_sign sign = rs_difference(A, LB, &gap), sign_below = RS_POSITIVE_DIFFERENCE;
    if (sign == RS_OPEN && equal(batch, j, false))
        sign = RS_ZERO_DIFFERENCE;
    if (sign == RS_OPEN)
        return false;
    if (sign != RS_NEGATIVE_DIFFERENCE || !by_lower)
        sign_below = rs_difference(IUB, LB, &spread);
    if (sign_below == RS_OPEN && equal(batch, j, true))
        sign_below = RS_ZERO_DIFFERENCE;
    *out = 0.0;
    if (sign == RS_ZERO_DIFFERENCE || sign_below == RS_ZERO_DIFFERENCE)
        return true;
    if (sign_below != RS_POSITIVE_DIFFERENCE || !rs_round_quotient(&gap, &spread, out))
        return false;
    *out = sign == RS_NEGATIVE_DIFFERENCE ? -*out : *out;
    return true;
}

/* What normalises A by its bounds. RS-BND-4 to RS-BND-8, RS-NUM-19 */
bool rs_bound_value(int32_t kind, const rs_number *A, const rs_number *IUB, const rs_number *LB,
                    rs_equality *equal, const void *batch, int64_t j, double *out)
{
    switch (kind) {
    case RS_U:
        return rs_round_quotient(A, IUB, out);
    case RS_RATIO:
        return rs_round_quotient(A, LB, out);
    case RS_UL1:
        return ul1(A, IUB, LB, out);
    default:
        return gap_by_spread(A, IUB, LB, kind == RS_UL2, equal, batch, j, out);
    }
}

/* (A - RLB) / sqrt(variance), where A and RLB are both times `by`. RS-EXP-23, RS-NUM-20 */
bool rs_z_value(const rs_variance *v, const rs_number *A, const rs_number *RLB, const rs_number *by,
                rs_equality *equal, const void *batch, int64_t j, double *out)
{
    *out = 0.0;
    if (v->sign == RS_ZERO_DIFFERENCE)
        return true;
    rs_number gap;
    rs_sign sign = rs_difference(A, RLB, &gap);
    if (sign == RS_ZERO_DIFFERENCE || (sign == RS_OPEN && equal(batch, j, false)))
        return true;
    if (sign == RS_OPEN || v->sign == RS_OPEN)
        return false;
    rs_number above = rs_product(&gap, &v->per), root = rs_root(&v->square);
    rs_number below = rs_product(&root, by);
    if (!rs_round_quotient(&above, &below, out))
        return false;
    *out = sign == RS_NEGATIVE_DIFFERENCE ? -*out : *out;
    return true;
}

/* p / q, for 0 < p, q < 2^62. */
rs_fraction rs_fraction_of(uint64_t p, uint64_t q)
{
    int shift = 127 - rs_bits(p);
    return (rs_fraction){.low = ((u128)p << shift) / q, .shift = shift};
}

/* floor(f x), where that is below 2^128; it lacks less than x 2^-shift for the fraction, and 1. */
u128 rs_fraction_times(const rs_fraction *f, u128 x)
{
    uint64_t f0 = (uint64_t)f->low, f1 = (uint64_t)(f->low >> 64);
    uint64_t x0 = (uint64_t)x, x1 = (uint64_t)(x >> 64);
    u128 lowest = (u128)f0 * x0, first = (u128)f0 * x1;
    u128 middle = (u128)f1 * x0 + (lowest >> 64), sum = first + middle;
    u128 high = (u128)f1 * x1 + (sum >> 64) + ((u128)(sum < first) << 64);
    u128 low = sum << 64 | (uint64_t)lowest;
    return high << (128 - f->shift) | low >> f->shift;
}

/* The deepest rank that a variance needs. */
int64_t rs_deepest_rank(const int64_t *k, int64_t nk, int64_t most_pooled)
{
    return nk ? rs_min(k[nk - 1], most_pooled) : 0;
}

/* ---- metrics of small labels ---------------------------------------------------------- */

/* Whether the pool has but one label. */
static bool is_uniform(const label_list *J)
{
    for (int64_t i = 1; i < J->n; i++)
        if (J->small[i] != J->small[0])
            return false;
    return true;
}

/* Whether LB is the metric of the list, or that of the ideal: all orders of equal labels are the
 * same; the list is one tie group of the pool's labels; or it shows the worst order, in tie groups
 * of equal labels. RS-NUM-19 */
static bool equal_graded(const void *batch, int64_t j, bool ideal)
{
    const rs_graded *x = batch;
    bool uniform = is_uniform(&x->J);
    if (ideal)
        return uniform;
    int64_t k = x->by->k[j], n = x->r.n, shown = rs_min(n, k);
    if (!x->by->worst && n == x->J.n && rs_group_end(x->starts, 0, n) >= n) {
        rs_sort_labels(&x->J, true, x->sorted);
        rs_sort_labels(&x->r, true, x->other);
        return memcmp(x->sorted, x->other, (size_t)n) == 0;
    }
    if (!(x->by->worst || uniform) || shown != rs_min(x->J.n, k))
        return false;
    rs_sort_labels(&x->J, true, x->sorted);
    for (int64_t s = 0; s < shown;) {
        int64_t end = rs_group_end(x->starts, s, n);
        for (int64_t i = s; i < end; i++)
            if (x->r.small[i] != (i < shown ? x->sorted[i] : x->r.small[s]) ||
                x->r.small[i] != x->r.small[s])
                return false;
        s = end;
    }
    return true;
}

/* Reads list a and its pool. */
static int64_t read_graded(rs_graded *x, int64_t a, const rs_results *to)
{
    bool of_list = !rs_is_of_pool(x->by->bound), own = x->pools == x->lists;
    x->starts = rs_starts_of(x->lists, a);
    int64_t bad = of_list ? x->read(x, x->lists, a, x->bytes, &x->r) : -1;
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (of_list && own)
        x->J = x->r;
    else
        bad = x->read(x, x->pools, a, x->pooled, &x->J);
    return bad >= 0 ? rs_refuse(to, bad, !own) : RS_KNOWN;
}

/* The metric of the list and its bounds; false where there is no memory. */
static bool take_in_graded(rs_graded *x)
{
    bool of_list = !rs_is_of_pool(x->by->bound);
    if (x->by->bound == RS_EXPECTED_VALUE) {
        if (!x->value(x, x->r.small, x->r.n, x->one_group, x->lower))
            return false;
    } else if (x->by->worst) {
        rs_sort_labels(&x->J, true, x->sorted);
        if (!x->value(x, x->sorted, x->J.n, NULL, x->lower))
            return false;
    } else if (!x->value(x, x->J.small, x->J.n, x->one_group, x->lower)) {
        return false;
    }
    rs_sort_labels(&x->J, false, x->sorted);
    return x->value(x, x->sorted, x->J.n, NULL, x->ideal) &&
           (!of_list || x->value(x, x->r.small, x->r.n, x->starts, x->A));
}

static bool bound_of_graded_at(const rs_graded *x, int64_t j, double *out)
{
    const rs_number one = rs_integer(1);
    int32_t kind = x->by->bound;
    if (rs_is_of_variance(kind)) {
        rs_variance v = x->variance(x, x->by->k[j]);
        return kind == RS_VARIANCE
                   ? rs_round_variance(&v, &one, out)
                   : rs_z_value(&v, &x->A[j], &x->lower[j], &one, equal_graded, x, j, out);
    }
    if (!rs_is_of_pool(kind) && kind != RS_EXPECTED_VALUE)
        return rs_bound_value(kind, &x->A[j], &x->ideal[j], &x->lower[j], equal_graded, x, j, out);
    rs_number divisor = x->normalised ? x->ideal[j] : one;
    if (x->divisor)
        divisor = x->divisor(x, &x->J);
    return rs_round_quotient(kind == RS_IUB ? &x->ideal[j] : &x->lower[j], &divisor, out);
}

static int64_t take_in_list(void *kernel, int64_t a, const rs_results *to)
{
    int64_t read = read_graded(kernel, a, to);
    if (read != RS_KNOWN)
        return read;
    return take_in_graded(kernel) ? RS_KNOWN : RS_NO_MEMORY;
}

RS_TEMPLATE bool bound_at(void *kernel, int64_t j, double *out)
{
    return bound_of_graded_at(kernel, j, out);
}

RS_TEMPLATE int64_t write_graded(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const rs_graded *x = kernel;
    return rs_write_values(kernel, a, x->by->nk, known, bound_at, to);
}

/* RS-BND-1 to RS-BND-8; RS-EXP-1, RS-EXP-20, RS-EXP-23 */
int64_t rs_bounds_of_graded(rs_graded *x, const rs_block *b, const rs_results *to)
{
    const rs_measure *by = x->by;
    int64_t most = rs_longest_of(b->lists, b->pools, b->n), open = RS_NO_MEMORY;
    rs_rooms rooms = {0};
    x->lists = b->lists;
    x->pools = b->pools;
    x->A = rs_room(&rooms, by->nk, sizeof *x->A);
    x->ideal = rs_room(&rooms, by->nk, sizeof *x->ideal);
    x->lower = rs_room(&rooms, by->nk, sizeof *x->lower);
    x->bytes = rs_room(&rooms, most, 1);
    x->pooled = rs_room(&rooms, most, 1);
    x->sorted = rs_room(&rooms, most, 1);
    x->other = rs_room(&rooms, most, 1);
    x->one_group = rs_room_of_zeros(&rooms, most, 1);
    if (rs_is_of_variance(by->bound)) {
        int64_t deepest = rs_deepest_rank(by->k, by->nk, rs_longest(b->pools, b->n));
        rs_squares(by->discount, deepest, &x->squares, &rooms);
    }
    if (!rooms.lacking)
        open = rs_for_each_list(x, b->n, take_in_list, write_graded, to);
    rs_leave(&rooms);
    return open;
}
