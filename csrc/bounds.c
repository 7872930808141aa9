/* Bounds: IUB, RLB, WLB, and what is made of them and a metric. Spec: chapter "bounds".
 *
 * A metric and its bounds are numbers with a slack, all times the same positive factor, which what
 * normalises by the bounds does not depend on: so nDCG is taken as DCG, AP as SP, P and R as hits.
 * Where a difference of two of them might be 0, structure decides, and else the reference.
 */
#include "bounds.h"

#include <string.h>

#include "cascade.h"
#include "dcg.h"
#include "precision.h"
#include "ties.h"

/* Whether it is of the pool alone. */
bool rs_is_of_pool(int32_t kind)
{
    return kind == RS_IUB || kind == RS_RLB || kind == RS_WLB || kind == RS_VARIANCE;
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

static bool is_of_variance(int32_t kind)
{
    return kind == RS_VARIANCE || kind == RS_Z_VALUE;
}

/* (A - RLB) / sqrt(variance), where A and RLB are both times `by`. RS-EXP-23, RS-NUM-20 */
static bool z_value(const rs_variance *v, const rs_number *A, const rs_number *RLB,
                    const rs_number *by, rs_equality *equal, const void *batch, int64_t j,
                    double *out)
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

/* floor(2^shift p / q), for 0 < p, q < 2^62: a fraction that lacks less than 2^-shift. */
typedef struct {
    u128 low;
    int shift;
} fraction;

static fraction fraction_of(uint64_t p, uint64_t q)
{
    int shift = 127 - rs_bits(p);
    return (fraction){.low = ((u128)p << shift) / q, .shift = shift};
}

/* floor(f x), where that is below 2^128; it lacks less than x 2^-shift for the fraction, and 1. */
static u128 fraction_times(const fraction *f, u128 x)
{
    uint64_t f0 = (uint64_t)f->low, f1 = (uint64_t)(f->low >> 64);
    uint64_t x0 = (uint64_t)x, x1 = (uint64_t)(x >> 64);
    u128 lowest = (u128)f0 * x0, first = (u128)f0 * x1;
    u128 middle = (u128)f1 * x0 + (lowest >> 64), sum = first + middle;
    u128 high = (u128)f1 * x1 + (sum >> 64) + ((u128)(sum < first) << 64);
    u128 low = sum << 64 | (uint64_t)lowest;
    return high << (128 - f->shift) | low >> f->shift;
}

/* ---- DCG ---------------------------------------------------------------------------- */

/* What a batch has more in this chapter.
 * ideal, lower: IUB and LB, at each cut-off; worst: whether LB is WLB
 * squares: of the discounts; second: E[RR^2], at each cut-off; both for variances only
 * DCG: the pool at hand, whether it is the list itself, whether its labels are small; of these the
 * sum of their gains; uniform: whether all gains of the pool are the same; spread: of these
 * precision: which metric */
typedef struct rs_bounds {
    int32_t kind;
    bool worst;
    rs_number *ideal, *lower, *second;
    uint8_t *one_group;
    rs_discount squares;

    label_list pool;
    bool own, normalised, small, uniform;
    uint64_t gains;
    rs_spread spread;

    int32_t metric;
} bounds;

/* The spread of small gains, a whole number. */
static rs_spread spread_of_small(const bounds *x, u128 squares)
{
    rs_spread found = {.size = {.low = (u128)x->pool.n * squares - (u128)x->gains * x->gains}};
    found.sign = found.size.low ? RS_POSITIVE_DIFFERENCE : RS_ZERO_DIFFERENCE;
    return found;
}

/* That of gains in fixed point; a square lacks less than 4 for its gain, and 1. RS-NUM-20 */
static rs_spread spread_of_wide(const wide_gain *G, int64_t n, int32_t top, bool uniform)
{
    rs_number sum = {.exponent = top - 96}, squares = {.exponent = 2 * top - 96};
    for (int64_t i = 0; i < n && G[i]; i++) { /* they fall */
        sum.low += G[i];
        sum.slack += 2;
        squares.low += rs_wide_product(G[i], G[i]);
        squares.slack += 5;
    }
    rs_spread found = rs_spread_of(n, &sum, &squares);
    if (uniform)
        found.sign = RS_ZERO_DIFFERENCE;
    return found;
}

/* RLB of small labels: their mean gain, which is below 2^32, times the discounts. RS-BND-2,
 * RS-NUM-18 */
static void random_small(const bounds *x, const rs_batch *b)
{
    int64_t n = x->pool.n;
    fraction mean = {0};
    if (x->gains)
        mean = fraction_of(x->gains, (uint64_t)n);
    for (int64_t j = 0; j < b->nk; j++) {
        int64_t m = rs_min(n, b->k[j]);
        u128 discounts = rs_discount_sum(b->d, m);
        x->lower[j] = (rs_number){.slack = (u128)x->gains * b->d->unit, .exponent = b->d->exponent};
        if (x->gains && discounts) {
            x->lower[j].low = fraction_times(&mean, discounts);
            x->lower[j].slack += 2 * (u128)m + 1;
        }
    }
}

/* WLB by counting: the items of a label of at least r take the last ranks, below those of less, and
 * each adds g(r) - g(r - 1) to what its rank gains. RS-BND-3, RS-NUM-18 */
static void worst_small(const bounds *x, const rs_batch *b, const int64_t *count, int top,
                        int64_t zeros)
{
    const uint64_t *gain = b->g->small;
    for (int64_t j = 0; j < b->nk; j++) {
        int64_t m = rs_min(x->pool.n, b->k[j]), less = zeros;
        u128 all = rs_discount_sum(b->d, m), low = gain[0] * all;
        uint64_t gains = gain[0] * (uint64_t)m;
        for (int label = 1; label <= top && less < m; label++) {
            uint64_t step = gain[label] - gain[label - 1];
            low += step * (all - rs_discount_sum(b->d, less));
            gains += step * (uint64_t)(m - less);
            less += count[label];
        }
        x->lower[j] = (rs_number){
            .low = low, .slack = (u128)gains * b->d->unit, .exponent = b->d->exponent};
    }
}

static void take_in_small(const label_list *J, rs_batch *b)
{
    bounds *x = b->bounds;
    int64_t count[SMALL_LABELS], rest = J->n;
    int top = rs_count_labels(J, count);
    u128 squares = 0;
    x->gains = 0;
    x->uniform = false;
    for (int label = top; label > 0; label--) {
        if (count[label] == 0)
            continue;
        uint64_t gain = b->g->small[label], gains = gain * (uint64_t)count[label];
        x->gains += gains;
        squares += (u128)gain * gains;
        x->uniform = x->uniform || count[label] == J->n;
        rest -= count[label];
    }
    x->gains += b->g->small[0] * (uint64_t)rest;
    squares += (u128)b->g->small[0] * b->g->small[0] * (u128)rest;
    x->spread = spread_of_small(x, squares);
    x->uniform = x->uniform || rest == J->n;
    rs_idcg_of_counts(count, top, J->n, b->g, b->d, b->k, b->nk, x->ideal);
    if (x->normalised)
        rs_idcg_of_counts(count, top, J->n, b->g, b->d, b->k_ideal, b->nk, b->below);
    if (x->worst)
        worst_small(x, b, count, top, rest);
    else if (x->kind != RS_U)
        random_small(x, b);
}

/* The same with gains in fixed point. The greatest is at least 2^95, so another that is equal to it
 * stands for an equal gain (RS-NUM-11). */
static bool take_in_wide(const label_list *J, rs_batch *b)
{
    bounds *x = b->bounds;
    int32_t top;
    if (!rs_ideal_gains(J, b->g, b->wide, &top))
        return false;
    x->uniform = J->n == 0 || b->wide[0] == b->wide[J->n - 1];
    if (is_of_variance(x->kind))
        x->spread = spread_of_wide(b->wide, J->n, top, x->uniform);
    rs_dcg_wide(b->wide, J->n, top, b->d, b->k, b->nk, x->ideal);
    if (x->normalised)
        rs_dcg_wide(b->wide, J->n, top, b->d, b->k_ideal, b->nk, b->below);
    if (x->worst) {
        rs_reverse(b->wide, J->n);
        rs_dcg_wide(b->wide, J->n, top, b->d, b->k, b->nk, x->lower);
    } else {
        rs_expected_dcg_wide(b->wide, J->n, top, x->one_group, b->d, b->k, b->nk, x->lower);
    }
    return true;
}

/* Takes in a pool; false where a gain is lost. */
static bool take_in_pool_of_gains(const label_list *J, rs_batch *b)
{
    bounds *x = b->bounds;
    x->pool = *J;
    x->small = rs_is_small(J, b->g);
    if (!x->small)
        return take_in_wide(J, b);
    take_in_small(J, b);
    return true;
}

/* A pool that is only read, for what its labels are. */
static bool look_at_pool(const label_list *J, rs_batch *b)
{
    (void)J, (void)b;
    return true;
}

static bool same_gain(rs_float x, rs_float y)
{
    return x.mantissa == y.mantissa && (x.mantissa == 0 || x.exponent == y.exponent);
}

/* Whether each gain from rank begin + 1 to end is the given one, and in tie groups that reach
 * further, there too. */
static bool shows(const rs_batch *b, int64_t begin, int64_t end, rs_float gain)
{
    while (end > begin && end < b->n && b->starts && !b->starts[end])
        end++;
    for (int64_t i = begin; i < end; i++)
        if (!same_gain(rs_gain_of(&b->list, i, b->g), gain))
            return false;
    return true;
}

/* The least gain of the pool above `gain`, or where first of all; how many items have it. */
static int64_t next_gain(const rs_batch *b, bool first, rs_float *gain)
{
    const label_list *J = &b->bounds->pool;
    rs_float last = *gain;
    int64_t count = 0;
    for (int64_t i = 0; i < J->n; i++) {
        rs_float own = rs_gain_of(J, i, b->g);
        if (!first && !rs_less(last, own))
            continue;
        if (count == 0 || rs_less(own, *gain)) {
            *gain = own;
            count = 0;
        }
        count += same_gain(own, *gain);
    }
    return count;
}

/* Whether the first ranks gain what they do in the worst order of the pool. */
static bool shows_worst(const rs_batch *b, int64_t shown)
{
    enum { MOST = 300 }; /* different gains: each costs a pass */
    rs_float gain = RS_ZERO;
    int64_t s = 0;
    for (int different = 0; s < shown && different < MOST; different++) {
        int64_t count = next_gain(b, different == 0, &gain), end = rs_min(s + count, shown);
        if (count == 0 || !shows(b, s, end, gain))
            return false;
        s = end;
    }
    return s >= shown;
}

/* Of a discount that is the same at all ranks to k, and small labels: CG as a fraction. */
static bool same_cg(const rs_batch *b, int64_t j)
{
    const bounds *x = b->bounds;
    int64_t shown = rs_min(b->n, b->k[j]), s = 0, n = 1;
    uint64_t found = 0, cut = 0; /* of whole groups; of that which is cut, m of whose n are shown */
    int64_t m = 0;
    while (s < shown) {
        int64_t end = rs_group_end(b->starts, s, b->n);
        uint64_t gains = rs_gains_from_to(&b->list, s, end, b->g);
        if (end <= shown) {
            found += gains;
        } else {
            cut = gains;
            m = shown - s;
            n = end - s;
        }
        s = end;
    }
    u128 above = (u128)found * (u128)n + (u128)cut * (u128)m;
    if (x->worst)
        return above == x->lower[j].low / rs_discount_at(b->d, 1) * (u128)n;
    u128 ranks = (u128)rs_min(x->pool.n, b->k[j]);
    return above * (u128)x->pool.n == (u128)x->gains * ranks * (u128)n;
}

/* Whether LB is DCG of the list, or that of the ideal. The latter is only if all gains are the same
 * or the whole pool is shown and all its ranks count the same. RS-NUM-19 */
static bool equal_dcg(const void *batch, int64_t j, bool ideal)
{
    const rs_batch *b = batch;
    const bounds *x = b->bounds;
    int64_t k = b->k[j], ranks = rs_min(x->pool.n, k), shown = ideal ? 0 : rs_min(b->n, k);
    int64_t deepest = ranks > shown ? ranks : shown;
    bool flat = b->d->unit == 0 && deepest > 0 &&
                rs_discount_at(b->d, 1) == rs_discount_at(b->d, deepest) &&
                rs_discount_at(b->d, 1) > 0;
    bool whole = flat && ranks == x->pool.n;
    if (ideal)
        return x->uniform || whole;
    if (x->own && (whole || (!x->worst && rs_group_end(b->starts, 0, b->n) >= b->n)))
        return true;
    bool small = x->small && rs_is_small(&b->list, b->g);
    if (flat && small)
        return same_cg(b, j);
    if (shown != ranks)
        return false;
    if (x->worst)
        return shows_worst(b, shown);
    if (small)
        return rs_shows_mean(b, shown, x->gains, x->pool.n);
    return x->uniform && shown && shows(b, 0, shown, rs_gain_of(&x->pool, 0, b->g));
}

static bool bound_of_dcg_at(rs_batch *b, int64_t j, double *out)
{
    const bounds *x = b->bounds;
    if (is_of_variance(x->kind)) {
        const rs_number one = rs_integer(1);
        rs_variance v = rs_variance_of_dcg(x->pool.n, &x->spread, b->d, &x->squares, b->k[j]);
        return x->kind == RS_VARIANCE
                   ? rs_round_variance(&v, &b->below[j], out)
                   : z_value(&v, &b->above[j], &x->lower[j], &one, equal_dcg, b, j, out);
    }
    if (rs_is_of_pool(x->kind))
        return rs_round_quotient(x->kind == RS_IUB ? &x->ideal[j] : &x->lower[j], &b->below[j],
                                 out);
    return rs_bound_value(x->kind, &b->above[j], &x->ideal[j], &x->lower[j], equal_dcg, b, j, out);
}

/* d: the discount of a variance, or NULL; deepest: of its ranks that can be needed. */
static void make_bounds(bounds *x, int64_t nk, int64_t most, const rs_discount *d,
                        int64_t deepest, rs_rooms *rooms)
{
    x->ideal = rs_room(rooms, nk, sizeof *x->ideal);
    x->lower = rs_room(rooms, nk, sizeof *x->lower);
    x->second = rs_room(rooms, nk, sizeof *x->second);
    x->one_group = rs_room_of_zeros(rooms, most, 1);
    if (is_of_variance(x->kind) && d)
        rs_squares(d, deepest, &x->squares, rooms);
}

/* The deepest rank that a variance needs. */
static int64_t deepest_rank(const int64_t *k, int64_t nk, int64_t most_pooled)
{
    return nk ? rs_min(k[nk - 1], most_pooled) : 0;
}

/* RS-BND-1 to RS-BND-8 of DCG, and of nDCG where there is a k_ideal; RS-EXP-1, RS-EXP-20,
 * RS-EXP-23 */
int64_t rs_bound_of_dcg(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, const rs_gain *g, const rs_discount *d,
                        const int64_t *k_ideal, const int64_t *k, int64_t nk, double *out,
                        uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_results to = {out, undecided, refused, in_pool};
    bounds x = {.kind = kind, .worst = worst, .own = pools == lists, .normalised = k_ideal};
    rs_batch b = {.d = d, .k = k, .k_ideal = k_ideal, .nk = nk, .bounds = &x};
    rs_rooms rooms = {0};
    int64_t open = RS_NO_MEMORY, deepest = deepest_rank(k, nk, rs_longest(pools, n));
    make_bounds(&x, nk, rs_longest_of(lists, pools, n), d, deepest, &rooms);
    if (!rooms.lacking) {
        if (kind == RS_EXPECTED_VALUE) {
            b.one_group = x.one_group;
            b.ideal = k_ideal ? NULL : look_at_pool;
        } else {
            b.ideal = take_in_pool_of_gains;
            b.value = bound_of_dcg_at;
        }
        open = rs_quotients(&b, rs_is_of_pool(kind) ? NULL : lists, pools, n, g, &to);
        if (pools == lists)
            *in_pool = 0;
    }
    rs_leave(&rooms);
    return open;
}

/* ---- precision, recall, RR, SP, AP --------------------------------------------------- */

/* Cut-off j. The whole list has n items for what divides by that number; where it is empty, that
 * of the pool: it might be of any length. RS-BND-1, RS-EXP-1 */
static int64_t cut_off(const rs_binary_batch *b, const binary_list *x, int64_t j)
{
    int32_t metric = b->bounds->metric;
    bool by_length = metric == RS_OF_P || (metric == RS_OF_AP && b->norm == RS_NORM_K);
    if (b->k[j] != RS_WHOLE || !by_length)
        return b->k[j];
    return x->n > 0 ? x->n : x->pooled;
}

/* E[SP@k] of n items, r of them relevant, 0 < r < n: (r/n) (H + (r - 1)/(n - 1) (m - H)), which is
 * H r (n - r) / (n (n - 1)) + m r (r - 1) / (n (n - 1)), with H = 1/1 + ... + 1/m. RS-EXP-8,
 * RS-NUM-18 */
static void random_sp(const rs_binary_batch *b, const binary_list *x, int64_t n, int64_t r,
                      rs_number *sp)
{
    const rs_discount *inverse = b->inverse;
    uint64_t pairs = (uint64_t)n * (uint64_t)(n - 1);
    fraction of_H = fraction_of((uint64_t)r * (uint64_t)(n - r), pairs), of_m = {0};
    if (r > 1)
        of_m = fraction_of((uint64_t)r * (uint64_t)(r - 1), pairs);
    for (int64_t j = 0; j < b->nk; j++) {
        int64_t m = rs_min(n, cut_off(b, x, j));
        u128 H = rs_discount_sum(inverse, m), M = (u128)m << -inverse->exponent;
        rs_number mean = {.low = fraction_times(&of_H, H), .exponent = inverse->exponent};
        mean.slack = (u128)m * inverse->unit + (H >> of_H.shift) + 2;
        if (r > 1) {
            mean.low += fraction_times(&of_m, M);
            mean.slack += (M >> of_m.shift) + 2;
        }
        sp[j] = mean;
    }
}

/* SP of the worst order: the sum of (i - b)/i for i = b + 1 to m, where b items are not relevant;
 * that is m - b - b (H(m) - H(b)). RS-BND-3, RS-NUM-18 */
static rs_number worst_sp(const rs_discount *inverse, int64_t b, int64_t m)
{
    if (m <= b)
        return rs_integer(0);
    u128 one = (u128)1 << -inverse->exponent;
    u128 slack = (u128)b * (u128)(m - b) * inverse->unit;
    u128 H = rs_discount_sum(inverse, m) - rs_discount_sum(inverse, b);
    u128 high = (u128)(m - b) * one - (u128)b * H;
    return (rs_number){.low = high > slack ? high - slack : 0,
                       .slack = high > slack ? slack : high,
                       .exponent = inverse->exponent};
}

/* E of the total (hits, RR or SP) of n items, r of them relevant, in any order; above and below for
 * each cut-off of x. RS-BND-2, RS-EXP-4, RS-EXP-7, RS-EXP-8 */
static void random_totals(const rs_binary_batch *b, const binary_list *x, int64_t n, int64_t r,
                          rs_number *above, rs_number *below)
{
    int32_t metric = b->bounds->metric;
    bool counted = metric == RS_OF_P || metric == RS_OF_R;
    for (int64_t j = 0; j < b->nk; j++) {
        uint64_t m = (uint64_t)rs_min(n, cut_off(b, x, j));
        uint64_t all_relevant = metric == RS_OF_RR ? 1 : m;
        above[j] = rs_integer(counted ? m * (uint64_t)r : r ? all_relevant : 0);
        below[j] = rs_integer(counted && n ? (uint64_t)n : 1);
    }
    if (counted || r == 0 || r == n)
        return;
    if (metric == RS_OF_RR)
        rs_expected_rr_of_group(0, n, r, b->inverse, b->k, b->nk, above);
    else
        random_sp(b, x, n, r, above);
}

/* The total of the ideal order: the least of k and N_p, and 1 for RR. RS-BND-1 */
static int64_t ideal_total(int32_t metric, const binary_list *x, int64_t k)
{
    int64_t relevant = rs_min(k, x->N_p);
    return metric == RS_OF_RR ? relevant > 0 : relevant;
}

/* The total of the worst order: all that is not relevant first. RS-BND-3 */
static rs_number worst_total(const rs_binary_batch *b, const binary_list *x, int64_t k,
                             rs_number *below)
{
    int64_t others = x->pooled - x->N_p, m = rs_min(x->pooled, k);
    *below = rs_integer(1);
    if (m <= others)
        return rs_integer(0);
    switch (b->bounds->metric) {
    case RS_OF_RR:
        *below = rs_integer((uint64_t)others + 1);
        return rs_integer(1);
    case RS_OF_SP:
    case RS_OF_AP:
        return worst_sp(b->inverse, others, m);
    default:
        return rs_integer((uint64_t)(m - others));
    }
}

/* The bounds at each cut-off: x->ideal holds what the lower one is to be divided by. */
static void take_in_bounds(rs_binary_batch *b, const binary_list *x)
{
    bounds *of = b->bounds;
    if (of->kind == RS_EXPECTED_VALUE)
        random_totals(b, x, x->n, rs_relevant(x->R, 0, x->n), of->lower, of->ideal);
    else if (!of->worst)
        random_totals(b, x, x->pooled, x->N_p, of->lower, of->ideal);
    else
        for (int64_t j = 0; j < b->nk; j++)
            of->lower[j] = worst_total(b, x, cut_off(b, x, j), &of->ideal[j]);
    if (is_of_variance(of->kind) && of->metric == RS_OF_RR && x->N_p)
        rs_expected_rr_of_group(0, x->pooled, x->N_p, &of->squares, b->k, b->nk, of->second);
}

/* What the metric divides the total by, at a cut-off of cut_off(). */
static uint64_t divisor(const rs_binary_batch *b, const binary_list *x, int64_t k)
{
    switch (b->bounds->metric) {
    case RS_OF_P:
        return (uint64_t)k;
    case RS_OF_R:
        return (uint64_t)x->N_p;
    case RS_OF_AP:
        return rs_normaliser(b->norm, x->N_p, k);
    default:
        return 1;
    }
}

/* Whether relevant items and others come in the worst order of the pool, at the first ranks and in
 * their tie groups; of RR, whether the first relevant item is where it is there. */
static bool comes_worst(const rs_binary_batch *b, const binary_list *x, int64_t k)
{
    int64_t others = x->pooled - x->N_p, m = rs_min(x->pooled, k), shown = rs_min(x->n, k);
    bool first_only = b->bounds->metric == RS_OF_RR;
    for (int64_t s = 0; s < shown;) {
        int64_t end = rs_group_end(x->starts, s, x->n), relevant = rs_relevant(x->R, s, end);
        if (relevant != 0 && relevant != end - s)
            return false;
        for (int64_t i = s; i < rs_min(end, shown); i++) {
            if (x->R[i] != (i >= others && i < m))
                return false;
            if (x->R[i] && first_only)
                return true;
        }
        s = end;
    }
    return first_only ? m <= others : shown >= m || m <= others;
}

/* Whether the list is one tie group like the pool. */
static bool in_any_order(const binary_list *x)
{
    return x->starts && rs_group_end(x->starts, 0, x->n) >= x->n && x->n == x->pooled &&
           rs_relevant(x->R, 0, x->n) == x->N_p;
}

typedef struct {
    const rs_binary_batch *batch;
    const binary_list *list;
} list_of_batch;

/* Whether LB is the total of the list, or that of the ideal: the worst order is the ideal one, and
 * every order, if all are relevant, or none. RS-NUM-19 */
static bool equal_total(const void *batch, int64_t j, bool ideal)
{
    const list_of_batch *at = batch;
    const rs_binary_batch *b = at->batch;
    const binary_list *x = at->list;
    bool all_orders = x->N_p == x->pooled || x->N_p == 0;
    if (ideal)
        return all_orders;
    if (b->bounds->worst || all_orders)
        return comes_worst(b, x, cut_off(b, x, j));
    return in_any_order(x);
}

static rs_variance variance_of_total(const rs_binary_batch *b, const binary_list *x, int64_t j)
{
    const bounds *of = b->bounds;
    switch (of->metric) {
    case RS_OF_RR:
        return rs_variance_of_rr(x->pooled, x->N_p, &of->lower[j], &of->second[j]);
    case RS_OF_SP:
    case RS_OF_AP:
        return rs_variance_of_sp(x->pooled, x->N_p, b->inverse, &of->squares, cut_off(b, x, j));
    default:
        return rs_variance_of_hits(x->pooled, x->N_p, cut_off(b, x, j));
    }
}

/* All numbers are multiplied by what the metric's and the lower bound's are divided by. */
static bool bound_of_precision_at(rs_binary_batch *b, const binary_list *x, int64_t j, double *out)
{
    const bounds *of = b->bounds;
    int64_t k = cut_off(b, x, j);
    rs_number IUB = rs_integer((uint64_t)ideal_total(of->metric, x, k)), scale = rs_integer(1);
    rs_variance v = {.sign = RS_OPEN};
    if (is_of_variance(of->kind))
        v = variance_of_total(b, x, j);
    if (rs_is_of_pool(of->kind) || of->kind == RS_EXPECTED_VALUE) {
        rs_number by = rs_integer(divisor(b, x, k));
        if (of->kind == RS_IUB)
            return rs_round_quotient(&IUB, &by, out);
        if (of->kind == RS_VARIANCE)
            return rs_round_variance(&v, &by, out);
        by = rs_product(&by, &of->ideal[j]);
        return rs_round_quotient(&of->lower[j], &by, out);
    }
    rs_number A = b->above[j], LB = of->lower[j];
    if (b->below[j].low != 1 || of->ideal[j].low != 1) {
        scale = rs_product(&b->below[j], &of->ideal[j]);
        A = rs_product(&A, &of->ideal[j]);
        LB = rs_product(&LB, &b->below[j]);
        IUB = rs_product(&IUB, &scale);
    }
    list_of_batch at = {b, x};
    if (of->kind == RS_Z_VALUE)
        return z_value(&v, &A, &LB, &scale, equal_total, &at, j, out);
    return rs_bound_value(of->kind, &A, &IUB, &LB, equal_total, &at, j, out);
}

/* RS-BND-1 to RS-BND-8 of the metric that is named; RS-EXP-1, RS-EXP-20 to RS-EXP-23 */
int64_t rs_bound_of_precision(const rs_lists *lists, const rs_lists *pools, int64_t n,
                              int32_t kind, int32_t worst, int32_t metric, double theta,
                              int32_t norm, const rs_discount *inverse, const int64_t *k,
                              int64_t nk, double *out, uint8_t *undecided, int64_t *refused,
                              int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_results to = {out, undecided, refused, in_pool};
    bounds x = {.kind = kind, .worst = worst, .metric = metric};
    rs_binary_batch b = {.inverse = inverse, .norm = norm, .k = k, .nk = nk, .bounds = &x};
    b.take_in = take_in_bounds;
    b.value = bound_of_precision_at;
    if (!rs_is_of_pool(kind))
        b.metric = rs_total_of(metric);
    bool counted = metric == RS_OF_P || metric == RS_OF_R;
    int64_t open = RS_NO_MEMORY, deepest = deepest_rank(k, nk, rs_longest(pools, n));
    rs_rooms rooms = {0};
    make_bounds(&x, nk, 0, counted ? NULL : inverse, deepest, &rooms);
    if (!rooms.lacking)
        open = rs_binary_values(&b, lists, pools, n, theta, &to);
    rs_leave(&rooms);
    return open;
}

/* ---- ERR, nERR, RBP, GAP ------------------------------------------------------------- */

/* Metrics of labels that are small whole numbers: of RBP relevance indicators, of GAP the numbers
 * of thresholds that are reached.
 * read: list a into bytes; returns the position of a label that is refused, or -1
 * value: the metric of such labels at each cut-off, but for its divisor; with starts, its
 * expectation over the tied orders; false where there is no memory
 * divisor: of a pool; NULL: 1, or where the metric is normalised, that of the ideal order
 * squares: of the discounts, for the variance of RBP only
 * r, J: the labels of the list and of the pool; sorted, other: room for them in another order */
typedef struct graded graded;
struct graded {
    const rs_lists *lists, *pools;
    int32_t kind;
    bool worst, normalised;
    int64_t (*read)(const graded *x, const rs_lists *lists, int64_t a, uint8_t *bytes,
                    label_list *r);
    bool (*value)(graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                  rs_number *to);
    rs_number (*divisor)(const graded *x, const label_list *J);
    const rs_discount *d;
    rs_discount squares;
    const int64_t *k;
    int64_t nk;
    double theta;

    gain_table labels;
    stop_table stop;
    expectation_room expectation;
    persistence p;
    threshold_weights w;

    rs_number *A, *ideal, *lower;
    uint8_t *bytes, *pooled, *sorted, *other, *one_group;
    int64_t *scratch;
    label_list r, J;
    const uint8_t *starts;
};

static int64_t read_grades_of(const graded *x, const rs_lists *lists, int64_t a, uint8_t *bytes,
                              label_list *r)
{
    return rs_read_grades(lists, a, &x->labels, bytes, r);
}

static bool err_of(graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                   rs_number *to)
{
    label_list r = {.at = labels, .small = labels, .n = n, .type = RS_U8, .top = SMALL_LABELS - 1};
    if (starts)
        return rs_expected_err(&r, starts, &x->stop, x->d, x->k, x->nk, &x->expectation, to);
    rs_err_of(&r, &x->stop, x->d, x->k, x->nk, to);
    return true;
}

static int64_t read_indicators_of(const graded *x, const rs_lists *lists, int64_t a,
                                  uint8_t *bytes, label_list *r)
{
    r->small = bytes;
    return rs_read_relevance(lists, a, x->theta, bytes, &r->n);
}

static bool rbp_of(graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                   rs_number *to)
{
    rs_rbp_of(labels, starts, n, &x->p, x->d, x->k, x->nk, x->scratch, to);
    return true;
}

static int64_t read_thresholds_of(const graded *x, const rs_lists *lists, int64_t a,
                                  uint8_t *bytes, label_list *r)
{
    r->small = bytes;
    return rs_read_thresholds(lists, a, x->w.n, bytes, &r->n);
}

static bool gsp_of(graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                   rs_number *to)
{
    graded_list r = {.reached = labels, .starts = starts, .n = n};
    if (starts)
        rs_expected_gsp(&r, &x->w, x->d, x->k, x->nk, to);
    else
        rs_gsp_of(&r, &x->w, x->d, x->k, x->nk, to);
    return true;
}

static rs_number divisor_of_gap(const graded *x, const label_list *J)
{
    return rs_expected_number_relevant(J->small, J->n, &x->w);
}

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
    const graded *x = batch;
    bool uniform = is_uniform(&x->J);
    if (ideal)
        return uniform;
    int64_t k = x->k[j], n = x->r.n, shown = rs_min(n, k);
    if (!x->worst && n == x->J.n && rs_group_end(x->starts, 0, n) >= n) {
        rs_sort_labels(&x->J, true, x->sorted);
        rs_sort_labels(&x->r, true, x->other);
        return memcmp(x->sorted, x->other, (size_t)n) == 0;
    }
    if (!(x->worst || uniform) || shown != rs_min(x->J.n, k))
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
static int64_t read_graded(graded *x, int64_t a, const rs_results *to)
{
    bool of_list = !rs_is_of_pool(x->kind), own = x->pools == x->lists;
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
static bool take_in_graded(graded *x)
{
    bool of_list = !rs_is_of_pool(x->kind);
    if (x->kind == RS_EXPECTED_VALUE) {
        if (!x->value(x, x->r.small, x->r.n, x->one_group, x->lower))
            return false;
    } else if (x->worst) {
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

/* That of DCG with the discount (1 - p) p^(i - 1). RS-EXP-20, RS-NUM-20 */
static rs_variance variance_of_rbp(const graded *x, int64_t k)
{
    int64_t n = x->J.n;
    rs_spread relevant = rs_spread_of_counts(n, rs_relevant(x->J.small, 0, n));
    rs_variance v = rs_variance_of_dcg(n, &relevant, x->d, &x->squares, k);
    rs_number stops = rs_weight_after(&x->p, 0);
    v.square = rs_product(&v.square, &stops);
    v.square = rs_product(&v.square, &stops);
    return v;
}

static bool bound_of_graded_at(const graded *x, int64_t j, double *out)
{
    if (is_of_variance(x->kind)) {
        const rs_number one = rs_integer(1);
        rs_variance v = variance_of_rbp(x, x->k[j]);
        return x->kind == RS_VARIANCE
                   ? rs_round_variance(&v, &one, out)
                   : z_value(&v, &x->A[j], &x->lower[j], &one, equal_graded, x, j, out);
    }
    if (!rs_is_of_pool(x->kind) && x->kind != RS_EXPECTED_VALUE)
        return rs_bound_value(x->kind, &x->A[j], &x->ideal[j], &x->lower[j], equal_graded, x, j,
                              out);
    rs_number by = x->normalised ? x->ideal[j] : rs_integer(1);
    if (x->divisor)
        by = x->divisor(x, &x->J);
    return rs_round_quotient(x->kind == RS_IUB ? &x->ideal[j] : &x->lower[j], &by, out);
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
    const graded *x = kernel;
    return rs_write_values(kernel, a, x->nk, known, bound_at, to);
}

static int64_t bounds_of_graded(graded *x, const rs_lists *lists, const rs_lists *pools,
                                int64_t n, const rs_results *to)
{
    int64_t most = rs_longest_of(lists, pools, n), open = RS_NO_MEMORY;
    rs_rooms rooms = {0};
    x->lists = lists;
    x->pools = pools;
    x->A = rs_room(&rooms, x->nk, sizeof *x->A);
    x->ideal = rs_room(&rooms, x->nk, sizeof *x->ideal);
    x->lower = rs_room(&rooms, x->nk, sizeof *x->lower);
    x->scratch = rs_room(&rooms, x->nk, sizeof *x->scratch);
    x->bytes = rs_room(&rooms, most, 1);
    x->pooled = rs_room(&rooms, most, 1);
    x->sorted = rs_room(&rooms, most, 1);
    x->other = rs_room(&rooms, most, 1);
    x->one_group = rs_room_of_zeros(&rooms, most, 1);
    if (is_of_variance(x->kind))
        rs_squares(x->d, deepest_rank(x->k, x->nk, rs_longest(pools, n)), &x->squares, &rooms);
    if (!rooms.lacking)
        open = rs_for_each_list(x, n, take_in_list, write_graded, to);
    rs_leave(&rooms);
    rs_free_expectation(&x->expectation);
    return open;
}

/* RS-BND-1 to RS-BND-8 of ERR, or where it is normalised of nERR; RS-EXP-1 */
int64_t rs_bound_of_err(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, int32_t normalised, const rs_gain *stop,
                        const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
                        uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    graded x = {.kind = kind, .worst = worst, .normalised = normalised, .d = inverse, .k = k};
    x.nk = nk;
    x.read = read_grades_of;
    x.value = err_of;
    rs_gain_table(stop, &x.labels);
    rs_stop_table(stop, &x.stop);
    const rs_results to = {out, undecided, refused, in_pool};
    return bounds_of_graded(&x, lists, pools, n, &to);
}

/* RS-BND-1 to RS-BND-8 of RBP; RS-EXP-1, RS-EXP-20, RS-EXP-23 */
int64_t rs_bound_of_rbp(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, double theta, double p, const rs_discount *powers,
                        const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                        int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_gain linear = {.kind = RS_LINEAR};
    graded x = {.kind = kind, .worst = worst, .theta = theta, .d = powers, .k = k, .nk = nk};
    x.read = read_indicators_of;
    x.value = rbp_of;
    rs_persistence(p, &linear, &x.p);
    const rs_results to = {out, undecided, refused, in_pool};
    return bounds_of_graded(&x, lists, pools, n, &to);
}

/* RS-BND-1 to RS-BND-8 of GAP; RS-EXP-1 */
int64_t rs_bound_of_gap(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, const double *q, int64_t n_q, const rs_discount *inverse,
                        const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                        int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    graded x = {.kind = kind, .worst = worst, .d = inverse, .k = k, .nk = nk};
    x.read = read_thresholds_of;
    x.value = gsp_of;
    x.divisor = divisor_of_gap;
    rs_threshold_weights(q, n_q, &x.w);
    const rs_results to = {out, undecided, refused, in_pool};
    return bounds_of_graded(&x, lists, pools, n, &to);
}
