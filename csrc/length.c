/* Length-adjusted DCG, ERR, AP, RBP and GAP. Spec: chapter "length".
 *
 * S(n) = w(1) d(1) + ... + w(n) d(n) is the user's expected DCG of n results but for the factor
 * Z(M, 1) = 1 / (w(1) + ... + w(M)), so that LDCG = DCG (w(1) + ... + w(M)) / S(N). The ideal is
 * the first n items of the ideal order for the n that makes IDCG@n / S(n) the greatest. ERR, AP, RBP
 * and GAP are adjusted likewise, with 1/i and p^(i-1) for d(i).
 */
#include <string.h>

#include "adjust.h"
#include "bounds.h"
#include "cascade.h"
#include "dcg.h"
#include "precision.h"

/* The first n items of the ideal order, which may be the ideal; idcg: their IDCG, of which
 * quotient is about that by S(n). */
typedef struct {
    u128 idcg;
    int64_t n;
    double quotient;
} candidate;

/* What a batch has more in this chapter: for all lists, and for the pool at hand.
 * by: what a user expects; margin: by this part of it the quotient of the ideal may seem below another
 * size: of the pool, or 0 where nothing is the ideal; top: the number of its items of the highest
 * label; end, idcg: how many items are taken in, and their IDCG, which lacks at most end idcg_lack
 * label, count: of small labels: the highest that is not wholly taken in, and how many there are
 * best: the n_best candidates of all items taken in whose quotients are nearly the greatest
 * bounds: what bounds need more, or NULL */
typedef struct rs_length {
    rs_expectation by;
    int32_t which;
    double margin;

    bool small;
    int64_t size, top, end;
    u128 idcg, idcg_lack;
    int32_t idcg_exponent;
    int label;
    int64_t count[SMALL_LABELS];
    candidate *best;
    int64_t n_best;
    double greatest;
    struct length_bounds *bounds;
} length;

static rs_number user_expected_dcg(const length *x, int64_t N)
{
    return rs_user_expected(&x->by, N);
}

/* LDCG of N results where M can be shown. RS-LEN-5 */
static bool ldcg(const length *x, const rs_number *dcg, int64_t N, int64_t M, double *out)
{
    rs_number above = rs_over_Z(&x->by, dcg, M), below = user_expected_dcg(x, N);
    return rs_round_quotient(&above, &below, out);
}

static bool ldcg_at(rs_batch *b, int64_t j, double *out)
{
    return ldcg(b->length, &b->above[j], rs_min(b->n, b->k[j]), b->k[j], out);
}

/* ---- the ideal ---------------------------------------------------------------------- */

/* Both are above 2^90 and below 2^128. */
static double approximate_quotient(u128 idcg, u128 expected)
{
    return rs_approximately(idcg >> 8) / rs_approximately(expected >> 8);
}

static void add_candidate(length *x, int64_t n, u128 idcg)
{
    double quotient = approximate_quotient(idcg, x->by.S[n]);
    if (quotient > x->greatest)
        x->greatest = quotient;
    if (quotient >= x->greatest * (1 - x->margin))
        x->best[x->n_best++] = (candidate){.idcg = idcg, .n = n, .quotient = quotient};
}

/* The items of the highest label. RS-LEN-6 */
static void candidate_of_eq7(rs_batch *b, int64_t M)
{
    length *x = b->length;
    int64_t n = rs_min(x->top, M);
    u128 discounts = rs_discount_sum(b->d, n);
    x->greatest = 0;
    x->n_best = 0;
    if (x->small && b->g->small[x->label])
        add_candidate(x, n, b->g->small[x->label] * discounts);
    else if (!x->small && b->wide[0])
        add_candidate(x, n, rs_wide_product(b->wide[0], discounts));
}

/* The items of a label of at least r, for each r, and M of them. RS-LEN-7 */
static void candidates_small(rs_batch *b, int64_t M)
{
    length *x = b->length;
    while (x->end < rs_min(M, x->size) && b->g->small[x->label]) {
        uint64_t gain = b->g->small[x->label];
        int64_t end = x->label ? x->end + x->count[x->label] : x->size, n = rs_min(end, M);
        u128 idcg = x->idcg + gain * (rs_discount_sum(b->d, n) - rs_discount_sum(b->d, x->end));
        if (n > x->end)
            add_candidate(x, n, idcg);
        if (n < end)
            break; /* the next M takes the label up again */
        x->idcg = idcg;
        x->end = end;
        x->label--;
    }
}

/* The same with gains in fixed point, which are exact from 2^63 on; below, each item might end
 * those of its label. RS-LEN-7, RS-NUM-11 */
static void candidates_wide(rs_batch *b, int64_t M)
{
    length *x = b->length;
    const wide_gain *G = b->wide, exact = (wide_gain)1 << 63;
    while (x->end < rs_min(M, x->size) && G[x->end]) {
        wide_gain gain = G[x->end++];
        x->idcg += rs_wide_product(gain, rs_discount_at(b->d, x->end));
        bool within = gain >= exact && x->end < rs_min(M, x->size) && G[x->end] == gain;
        if (!within)
            add_candidate(x, x->end, x->idcg);
    }
}

/* How many of the labels are the highest. */
static int64_t count_highest(const label_list *J)
{
    uint64_t highest = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < J->n; i++) {
        uint64_t label = rs_label_key(J->at, J->type, i);
        count = label > highest ? 1 : count + (label == highest);
        highest = label > highest ? label : highest;
    }
    return count;
}

/* Takes in a pool; false where a gain is lost. */
static bool take_in(const label_list *J, rs_batch *b)
{
    length *x = b->length;
    x->size = J->n > 0 && x->by.S[1] > 0 ? J->n : 0;
    x->small = rs_is_small(J, b->g);
    x->end = x->n_best = 0;
    x->idcg = 0;
    x->greatest = 0;
    if (x->small) {
        x->label = rs_count_labels(J->small, J->n, x->count);
        while (x->label && x->count[x->label] == 0)
            x->label--;
        x->top = x->label ? x->count[x->label] : J->n;
        x->idcg_lack = (u128)b->g->small[x->label] * b->d->unit;
        x->idcg_exponent = b->d->exponent;
        return true;
    }
    int32_t top;
    if (!rs_ideal_gains(J, b->g, b->wide, &top))
        return false;
    if (x->which == RS_IDEAL_EQ7)
        x->top = count_highest(J);
    x->idcg_lack = 3 + (u128)b->d->unit;
    x->idcg_exponent = top + b->d->exponent;
    return true;
}

/* Finds the candidates where at most M items are shown, M being above that of the last time.
 * RS-LEN-8 */
static void find_candidates(rs_batch *b, int64_t M)
{
    length *x = b->length;
    if (x->size == 0)
        return;
    if (x->which == RS_IDEAL_EQ7)
        candidate_of_eq7(b, M);
    else if (x->small)
        candidates_small(b, M);
    else
        candidates_wide(b, M);
    int64_t kept = 0;
    for (int64_t i = 0; i < x->n_best; i++)
        if (x->best[i].quotient >= x->greatest * (1 - x->margin))
            x->best[kept++] = x->best[i];
    x->n_best = kept;
}

static rs_number idcg_of_candidate(const length *x, const candidate *c)
{
    return (rs_number){
        .low = c->idcg, .slack = (u128)c->n * x->idcg_lack, .exponent = x->idcg_exponent};
}

/* Of several candidates, one is the ideal: the greatest of their values is its. RS-NUM-11 */
static bool ildcg_at(rs_batch *b, int64_t j, double *out)
{
    length *x = b->length;
    find_candidates(b, b->k[j]);
    *out = 0.0;
    for (int64_t i = 0; i < x->n_best; i++) {
        rs_number idcg = idcg_of_candidate(x, &x->best[i]);
        double value;
        if (!ldcg(x, &idcg, x->best[i].n, b->k[j], &value))
            return false;
        *out = value > *out ? value : *out;
    }
    return true;
}

/* DCG S(n) / (S(N) IDCG@n). RS-LEN-9 */
static bool lndcg_over(const length *x, const rs_number *dcg, int64_t N, const candidate *c,
                       double *out)
{
    rs_number idcg = idcg_of_candidate(x, c);
    if (N == c->n)
        return rs_round_quotient(dcg, &idcg, out);
    rs_number expected = user_expected_dcg(x, N), expected_ideal = user_expected_dcg(x, c->n);
    rs_number above = rs_product(dcg, &expected_ideal), below = rs_product(&idcg, &expected);
    return rs_round_quotient(&above, &below, out);
}

/* Of several candidates, one is the ideal: the least of the values by them is that by it.
 * RS-NUM-11 */
static bool least_lndcg(const length *x, const rs_number *dcg, int64_t N, double *out)
{
    *out = 0.0;
    for (int64_t i = 0; i < x->n_best; i++) {
        double value;
        if (!lndcg_over(x, dcg, N, &x->best[i], &value))
            return false;
        *out = i == 0 || value < *out ? value : *out;
    }
    return true;
}

static bool lndcg_at(rs_batch *b, int64_t j, double *out)
{
    find_candidates(b, b->k[j]);
    return least_lndcg(b->length, &b->above[j], rs_min(b->n, b->k[j]), out);
}

/* ---- batches ------------------------------------------------------------------------ */

/* As rs_quotients() of the lists or the pools of a block, or of both, with what this chapter needs
 * more. */
static int64_t values(length *x, const rs_batch *given, const rs_measure *m, const rs_lists *lists,
                      const rs_lists *pools, int64_t n, const rs_results *to)
{
    int64_t deepest = rs_min(m->k[m->nk - 1], rs_longest_of(lists, pools, n));
    rs_rooms rooms = {0};
    x->by.w = m->weights;
    x->by.S = rs_room(&rooms, deepest, sizeof *x->by.S);
    x->best = rs_room(&rooms, rs_longest(pools, n), sizeof *x->best);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking) {
        rs_user_expected_vector(&x->by, m->discount, deepest);
        x->margin = 0x1p-40 + (double)deepest * (4 + 2 * (double)m->discount->unit +
                                                 (double)m->weights->unit) * 0x1p-89;
        rs_batch b = *given;
        b.d = m->discount;
        b.k = m->k;
        b.nk = m->nk;
        b.length = x;
        open = rs_quotients(&b, lists, pools, n, m->gain, to);
    }
    rs_leave(&rooms);
    return open;
}

/* RS-LEN-5; with starts RS-EXP-11 */
static int64_t values_of_ldcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    length x = {.by = {.z = m->z}};
    const rs_batch batch = {.value = ldcg_at};
    return values(&x, &batch, m, b->lists, NULL, b->n, to);
}

/* RS-LEN-8 */
static int64_t values_of_ildcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    length x = {.by = {.z = m->z}, .which = m->ideal};
    const rs_batch batch = {.ideal = take_in, .value = ildcg_at, .own = rs_is_own_pool(b)};
    return values(&x, &batch, m, NULL, b->pools, b->n, to);
}

/* RS-LEN-9; with starts RS-EXP-12 */
static int64_t values_of_lndcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    length x = {.which = m->ideal};
    const rs_batch batch = {.ideal = take_in, .value = lndcg_at};
    return values(&x, &batch, m, b->lists, b->pools, b->n, to);
}

/* ---- other metrics ------------------------------------------------------------------- */

/* LERR, LAP, LRBP or LGAP of the lists of a block, as the metric says. RS-LEN-13, RS-LEN-14, RS-LEN-15,
 * RS-LEN-16; with starts RS-EXP-29 */
static int64_t values_of_adjusted(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    int64_t deepest = rs_min(m->k[m->nk - 1], rs_longest(b->lists, b->n)), open = RS_NO_MEMORY;
    rs_rooms rooms = {0};
    rs_expectation by = {.w = m->weights, .z = m->z};
    by.S = rs_room(&rooms, deepest, sizeof *by.S);
    if (!rooms.lacking) {
        rs_user_expected_vector(&by, m->discount, deepest);
        if (m->metric == RS_LERR)
            open = rs_err_of_lists(m, b->lists, NULL, b->n, &by, to);
        else if (m->metric == RS_LAP)
            open = rs_sp_of_lists(m, b, &by, to);
        else if (m->metric == RS_LGAP)
            open = rs_gsp_of_lists(m, b, &by, to);
        else
            open = rs_rbp_of_lists(m, b, &by, to);
    }
    rs_leave(&rooms);
    return open;
}

/* ---- bounds ------------------------------------------------------------------------- */

/* What bounds need more: the pool at hand and its lower bound but for S, at each cut-off.
 * own: whether the list is its own pool; uniform: whether all gains of the pool are the same
 * gains, rising: where its labels are small, the sum of their gains, and they in rising order
 * which: by what LNDCG divides; where that is not the greatest, its IUB is left to the reference */
typedef struct length_bounds {
    int32_t kind, which;
    bool worst, normalised, own, uniform;
    uint64_t gains;
    rs_number *lower;
    uint8_t *one_group, *rising;
    label_list pool;
} length_bounds;

/* The lower bound but for S, which is the same for all orders of the pool. RS-BND-2, RS-BND-3 */
static void lower_of_pool(length_bounds *x, rs_batch *b)
{
    const label_list *J = &x->pool;
    int32_t top = b->length->idcg_exponent - b->d->exponent;
    if (b->length->small) {
        label_list rising = *J;
        rs_sort_labels(J, true, x->rising);
        rising.small = x->rising;
        x->gains = 0;
        for (int64_t i = 0; i < J->n; i++)
            x->gains += b->g->small[x->rising[i]];
        if (x->worst)
            rs_dcg_small(&rising, b->g, b->d, b->k, b->nk, x->lower);
        else
            rs_expected_dcg_small(&rising, x->one_group, b->g, b->d, b->k, b->nk, x->lower);
        x->uniform = J->n == 0 || b->g->small[x->rising[0]] == b->g->small[x->rising[J->n - 1]];
        return;
    }
    x->uniform = b->wide[0] == b->wide[J->n - 1]; /* as in RS-NUM-11 */
    if (x->worst) {
        rs_reverse(b->wide, J->n);
        rs_dcg_wide(b->wide, J->n, top, b->d, b->k, b->nk, x->lower);
        rs_reverse(b->wide, J->n);
    } else {
        rs_expected_dcg_wide(b->wide, J->n, top, x->one_group, b->d, b->k, b->nk, x->lower);
    }
}

static bool take_in_bounded(const label_list *J, rs_batch *b)
{
    length *x = b->length;
    x->bounds->pool = *J;
    if (!take_in(J, b))
        return false;
    lower_of_pool(x->bounds, b);
    return true;
}

/* a S(first) S(second), but for its own S and each but once. */
static rs_number times_other(const length *x, rs_number a, int64_t own, int64_t first,
                             int64_t second)
{
    if (first != own) {
        rs_number S = user_expected_dcg(x, first);
        a = rs_product(&a, &S);
    }
    if (second != own && second != first) {
        rs_number S = user_expected_dcg(x, second);
        a = rs_product(&a, &S);
    }
    return a;
}

/* Whether the list shows, with what is tied there, the labels of the worst order of its pool: small
 * ones, of which no other has the value, or one label of its type. */
static bool shows_worst_labels(const rs_batch *b, int64_t shown)
{
    const length_bounds *x = b->length->bounds;
    const label_list *r = &b->list, *J = &x->pool;
    if (!b->length->small && (!x->uniform || r->type != J->type))
        return false;
    for (int64_t s = 0; s < shown;) {
        int64_t end = rs_group_end(b->starts, s, b->n);
        for (int64_t i = s; i < end; i++) {
            bool as_first = rs_label_key(r->at, r->type, i) == rs_label_key(r->at, r->type, s);
            bool as_worst = b->length->small
                                ? rs_label_value(r->at, r->type, i) == x->rising[i < shown ? i : s]
                                : rs_label_key(r->at, r->type, i) == rs_label_key(J->at, J->type, 0);
            if (!as_first || !as_worst)
                return false;
        }
        s = end;
    }
    return true;
}

/* Whether LB is the metric of the list, or that of the ideal. RS-NUM-21 */
static bool equal_ldcg(const void *batch, int64_t j, bool ideal)
{
    const rs_batch *b = batch;
    const length_bounds *x = b->length->bounds;
    int64_t ranks = rs_min(x->pool.n, b->k[j]), shown = rs_min(b->n, b->k[j]);
    bool whole = ranks == x->pool.n && ranks > 0 && b->d->unit == 0 &&
                 rs_discount_at(b->d, 1) == rs_discount_at(b->d, ranks);
    bool any_order = !x->worst && rs_group_end(b->starts, 0, b->n) >= b->n;
    if (ideal)
        return x->uniform;
    if (x->own && (whole || x->uniform || any_order))
        return true;
    if (shown != ranks)
        return false;
    if (!x->worst && b->length->small && rs_is_small(&b->list, b->g))
        return rs_shows_mean(b, shown, x->gains, x->pool.n);
    return (x->worst || x->uniform) && shows_worst_labels(b, shown);
}

/* IUB: the greatest of the candidates. RS-BND-1 */
static bool iub_at(rs_batch *b, int64_t j, double *out)
{
    length *x = b->length;
    if (!x->bounds->normalised)
        return ildcg_at(b, j, out);
    find_candidates(b, b->k[j]);
    *out = x->n_best > 0; /* LNDCG of its own ideal */
    return x->bounds->which == RS_IDEAL_TRUE || x->n_best == 0;
}

/* What normalises LDCG by a candidate, with all numbers times S of each length. RS-NUM-21 */
static bool bound_over(rs_batch *b, int64_t j, const candidate *c, double *out)
{
    const length *x = b->length;
    const length_bounds *of = x->bounds;
    int64_t m = rs_min(of->pool.n, b->k[j]), N = rs_min(b->n, b->k[j]);
    N = N ? N : m; /* of nothing LDCG is 0 */
    rs_number A = times_other(x, b->above[j], N, m, c->n);
    rs_number LB = times_other(x, of->lower[j], m, N, c->n), IUB = idcg_of_candidate(x, c);
    IUB = times_other(x, IUB, c->n, N, m);
    return rs_bound_value(of->kind, &A, &IUB, &LB, equal_ldcg, b, j, out);
}

/* By the ideal, the value is the nearest to 0; where it is 0 by one candidate only, that may be no
 * ideal. RS-NUM-21 */
static bool bound_of_ldcg_at(rs_batch *b, int64_t j, double *out)
{
    length *x = b->length;
    length_bounds *of = x->bounds;
    if (of->kind == RS_IUB)
        return iub_at(b, j, out);
    find_candidates(b, b->k[j]);
    if (of->kind == RS_RLB || of->kind == RS_WLB) {
        int64_t n = rs_min(of->pool.n, b->k[j]);
        return of->normalised ? least_lndcg(x, &of->lower[j], n, out)
                              : ldcg(x, &of->lower[j], n, b->k[j], out);
    }
    *out = 0.0;
    int64_t zeros = 0, n = of->kind == RS_RATIO ? rs_min(x->n_best, 1) : x->n_best;
    for (int64_t i = 0; i < n; i++) {
        double value;
        if (!bound_over(b, j, &x->best[i], &value))
            return false;
        zeros += value == 0;
        bool nearer = (value < 0 ? -value : value) < (*out < 0 ? -*out : *out);
        *out = i == 0 || nearer ? value : *out;
    }
    return zeros == 0 || zeros == n;
}

/* RS-BND-1 to RS-BND-8 of LDCG, or where it is normalised of LNDCG; RS-EXP-1 */
static int64_t bounds_of_length(const rs_measure *m, bool normalised, const rs_block *b,
                                const rs_results *to)
{
    int32_t kind = m->bound, which = normalised ? m->ideal : RS_IDEAL_TRUE;
    bool by_which = kind == RS_RLB || kind == RS_WLB || kind == RS_EXPECTED_VALUE;
    bool own = rs_is_own_pool(b);
    length_bounds bounds = {.kind = kind, .worst = m->worst, .normalised = normalised, .own = own,
                            .which = which};
    length x = {.by = {.z = m->z && !normalised}, .which = by_which ? which : RS_IDEAL_TRUE,
                .bounds = &bounds};
    rs_batch batch = {.ideal = take_in_bounded, .value = bound_of_ldcg_at, .own = own};
    int64_t open = RS_NO_MEMORY;
    rs_rooms rooms = {0};
    bounds.lower = rs_room(&rooms, m->nk, sizeof *bounds.lower);
    bounds.one_group = rs_room_of_zeros(&rooms, rs_longest_of(b->lists, b->pools, b->n), 1);
    bounds.rising = rs_room(&rooms, rs_longest(b->pools, b->n), 1);
    if (kind == RS_EXPECTED_VALUE) {
        batch.one_group = bounds.one_group;
        batch.value = normalised ? lndcg_at : ldcg_at;
    }
    if (!rooms.lacking)
        open = values(&x, &batch, m, rs_is_of_pool(kind) ? NULL : b->lists, b->pools, b->n, to);
    rs_leave(&rooms);
    return open;
}

static int64_t bounds_of_ldcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_length(m, false, b, to);
}

static int64_t bounds_of_lndcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_length(m, true, b, to);
}

/* ---- the metrics ------------------------------------------------------------------------- */

enum { OF_LENGTH = RS_NEEDS_GAIN | RS_NEEDS_DISCOUNT | RS_NEEDS_WEIGHTS };

const rs_metric rs_metrics_of_length[] = {
    {.metric = RS_LDCG, .needs = OF_LENGTH, .values = values_of_ldcg, .bounds = bounds_of_ldcg},
    {.metric = RS_ILDCG, .needs = OF_LENGTH | RS_NEEDS_POOLS, .values = values_of_ildcg},
    {.metric = RS_LNDCG,
     .needs = OF_LENGTH | RS_NEEDS_POOLS,
     .values = values_of_lndcg,
     .bounds = bounds_of_lndcg},
    {.metric = RS_LERR, .needs = OF_LENGTH, .values = values_of_adjusted},
    {.metric = RS_LAP, .needs = RS_NEEDS_DISCOUNT | RS_NEEDS_WEIGHTS, .values = values_of_adjusted},
    {.metric = RS_LRBP, .needs = RS_NEEDS_DISCOUNT | RS_NEEDS_WEIGHTS, .values = values_of_adjusted},
    {.metric = RS_LGAP,
     .needs = RS_NEEDS_THRESHOLDS | RS_NEEDS_DISCOUNT | RS_NEEDS_WEIGHTS,
     .values = values_of_adjusted},
    {0},
};
