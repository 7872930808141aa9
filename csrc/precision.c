/* Precision and what is made of it: P, recall, RR, SP, AP and GAP, and their
 * expectations. Spec: chapter "precision". */
#include "precision.h"

#include <string.h>

#include "dcg.h"

/* The sum of R_i for i <= k */
static void hits(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                 int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    if (x->starts) {
        rs_expected_hits(x, k, nk, above, below);
        return;
    }
    uint64_t found = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++)
            found += x->R[i];
        above[j] = rs_integer(found);
        below[j] = rs_integer(1);
    }
}

/* Prec(k), with k = n for the whole list. RS-PREC-2; with starts RS-EXP-5 */
static void precision(const binary_list *x, const rs_discount *inverse, int32_t norm,
                      const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    hits(x, inverse, norm, k, nk, above, below);
    for (int64_t j = 0; j < nk; j++)
        below[j].low *= (u128)(k[j] == RS_WHOLE ? x->n : k[j]);
}

/* Recall@k. RS-PREC-3; with starts RS-EXP-6 */
static void recall(const binary_list *x, const rs_discount *inverse, int32_t norm,
                   const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    hits(x, inverse, norm, k, nk, above, below);
    for (int64_t j = 0; j < nk; j++)
        below[j].low *= (u128)x->N_p;
}

/* RR@k. RS-PREC-4; with starts RS-EXP-7 */
static void rr(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
               int64_t nk, rs_number *above, rs_number *below)
{
    (void)norm;
    if (x->starts) {
        rs_expected_rr(x, inverse, k, nk, above);
        for (int64_t j = 0; j < nk; j++)
            below[j] = rs_integer(1);
        return;
    }
    int64_t i = 0;
    while (i < x->n && !x->R[i])
        i++;
    for (int64_t j = 0; j < nk; j++) {
        above[j] = rs_integer(i < x->n && i < k[j]);
        below[j] = rs_integer((uint64_t)i + 1);
    }
}

/* SP@k = the sum of found/i over the relevant ranks i, found of them so far: whole numbers
 * times the discount 1/i, as in DCG. Each found is at most i, so the sum is below n 2^96.
 * RS-PREC-5; with starts RS-EXP-9 */
static void sp(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
               int64_t nk, rs_number *above, rs_number *below)
{
    (void)norm;
    for (int64_t j = 0; j < nk; j++)
        below[j] = rs_integer(1);
    if (x->starts) {
        rs_expected_sp(x, inverse, k, nk, above);
        return;
    }
    u128 low = 0, slack = 0;
    uint64_t found = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++) {
            if (!x->R[i])
                continue;
            found++;
            low += found * rs_discount_at(inverse, i + 1);
            slack += (u128)found * inverse->unit;
        }
        above[j] = (rs_number){.low = low, .slack = slack, .exponent = inverse->exponent};
    }
}

/* What AP@k divides by. RS-PREC-6 */
uint64_t rs_normaliser(int32_t norm, int64_t N_p, int64_t k)
{
    switch (norm) {
    case RS_NORM_R:
        return (uint64_t)N_p;
    case RS_NORM_MIN:
        return (uint64_t)rs_min(k, N_p);
    default:
        return (uint64_t)k;
    }
}

/* AP@k; where the divisor is k, that of the whole list is n. RS-PREC-7; with starts RS-EXP-10 */
static void ap(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
               int64_t nk, rs_number *above, rs_number *below)
{
    sp(x, inverse, norm, k, nk, above, below);
    for (int64_t j = 0; j < nk; j++) {
        bool length = norm == RS_NORM_K && k[j] == RS_WHOLE;
        below[j] = rs_integer(rs_normaliser(norm, x->N_p, length ? x->n : k[j]));
    }
}

/* What P and R, RR, or SP and AP sum up, without what they divide by. */
rs_binary_metric *rs_total_of(int32_t metric)
{
    if (metric == RS_OF_RR)
        return rr;
    return metric == RS_OF_SP || metric == RS_OF_AP ? sp : hits;
}

/* ---- graded AP ---------------------------------------------------------------------- */

/* RS-PREC-8, RS-NUM-17 */
void rs_threshold_weights(const double *q, int64_t n, threshold_weights *w)
{
    int32_t top = INT32_MIN;
    for (int64_t j = 0; j < n; j++) {
        rs_float weight = rs_float_of_double(q[j]);
        if (weight.mantissa && weight.exponent > top)
            top = weight.exponent;
    }
    top += 128 + rs_bits((u128)n); /* 2^top is above the sum */
    w->n = n;
    w->exponent = top - 96;
    w->q[0] = w->up_to[0] = w->inexact[0] = 0;
    for (int64_t j = 1; j <= n; j++) {
        rs_float weight = rs_float_of_double(q[j - 1]);
        int32_t shift = w->exponent - weight.exponent;
        w->q[j] = weight.mantissa && shift < 128 ? weight.mantissa >> shift : 0;
        w->up_to[j] = w->up_to[j - 1] + w->q[j];
        bool exact = !weight.mantissa || (shift < 128 && w->q[j] << shift == weight.mantissa);
        w->inexact[j] = (uint8_t)(w->inexact[j - 1] + !exact);
    }
}

/* GSP@k for each k: each rank adds the sum of q_j found_j over the thresholds that its item
 * reaches, found_j items having reached them so far, divided by the rank. RS-PREC-9, RS-NUM-17 */
void rs_gsp_of(const graded_list *x, const threshold_weights *w, const rs_discount *inverse,
               const int64_t *k, int64_t nk, rs_number *gsp)
{
    uint32_t found[256];
    memset(found, 0, (size_t)(w->n + 1) * sizeof *found);
    u128 low = 0, slack = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++) {
            int reached = x->reached[i];
            u128 sum = 0;
            for (int t = 1; t <= reached; t++)
                sum += ++found[t] * w->q[t];
            if (sum == 0 && w->inexact[reached] == 0)
                continue;
            low += rs_wide_product(rs_discount_at(inverse, i + 1), sum);
            slack += 1 + w->inexact[reached] + ((sum >> 96) + 1) * inverse->unit;
        }
        gsp[j] = (rs_number){
            .low = low, .slack = slack, .exponent = inverse->exponent + w->exponent + 96};
    }
}

/* RS-PREC-10 */
rs_number rs_expected_number_relevant(const uint8_t *reached, int64_t n,
                                      const threshold_weights *w)
{
    const label_list J = {.at = reached, .small = reached, .n = n, .type = RS_U8};
    int64_t count[SMALL_LABELS];
    u128 low = 0, slack = 0;
    for (int t = rs_count_labels(&J, count); t > 0; t--) {
        if (count[t] == 0)
            continue;
        low += (u128)count[t] * w->up_to[t];
        slack += (u128)count[t] * w->inexact[t];
    }
    return (rs_number){.low = low, .slack = slack, .exponent = w->exponent};
}

/* ---- batches ------------------------------------------------------------------------ */

/* The relevance indicators of list a; returns the position of a label that is no number, or -1. */
int64_t rs_read_relevance(const rs_lists *lists, int64_t a, double theta, uint8_t *R, int64_t *n)
{
    int64_t begin = lists->offsets[a];
    *n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t refused = rs_binary_relevance(at, lists->type, *n, theta, R);
    return refused < 0 ? -1 : begin + refused;
}

/* A batch, its lists, and the list at hand. R, pooled: room for indicators. */
typedef struct {
    rs_binary_batch *b;
    const rs_lists *lists, *pools;
    double theta;
    uint8_t *R, *pooled;
    binary_list list;
} binary;

RS_TEMPLATE int64_t take_in_indicators(void *kernel, int64_t a, const rs_results *to)
{
    binary *x = kernel;
    rs_binary_batch *b = x->b;
    binary_list *own = &x->list;
    *own = (binary_list){.R = x->R, .starts = rs_starts_of(x->lists, a)};
    own->n = x->lists->offsets[a + 1] - x->lists->offsets[a];
    int64_t bad = b->metric ? rs_read_relevance(x->lists, a, x->theta, x->R, &own->n) : -1;
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (x->pools == x->lists && b->metric) {
        own->pooled = own->n;
        own->N_p = rs_relevant(x->R, 0, own->n);
    } else if (x->pools) {
        bad = rs_read_relevance(x->pools, a, x->theta, x->pooled, &own->pooled);
        if (bad >= 0)
            return rs_refuse(to, bad, x->pools != x->lists);
        own->N_p = rs_relevant(x->pooled, 0, own->pooled);
    }
    if (b->metric)
        b->metric(own, b->inverse, b->norm, b->k, b->nk, b->above, b->below);
    if (b->take_in)
        b->take_in(b, own);
    return RS_KNOWN;
}

RS_TEMPLATE bool binary_at(void *kernel, int64_t j, double *out)
{
    binary *x = kernel;
    rs_binary_batch *b = x->b;
    return b->value ? b->value(b, &x->list, j, out)
                    : rs_round_quotient(&b->above[j], &b->below[j], out);
}

RS_TEMPLATE int64_t write_binary(void *kernel, int64_t a, bool known, const rs_results *to)
{
    binary *x = kernel;
    return rs_write_values(kernel, a, x->b->nk, known, binary_at, to);
}

/* What the batch makes of its lists, each with its pool. pools: NULL: there are none. */
int64_t rs_binary_values(rs_binary_batch *b, const rs_lists *lists, const rs_lists *pools,
                         int64_t n, double theta, const rs_results *to)
{
    rs_rooms rooms = {0};
    binary x = {.b = b, .lists = lists, .pools = pools, .theta = theta};
    x.R = rs_room(&rooms, rs_longest(lists, n), 1);
    x.pooled = rs_room(&rooms, rs_longest(pools, n), 1);
    b->above = rs_room(&rooms, b->nk, sizeof *b->above);
    b->below = rs_room(&rooms, b->nk, sizeof *b->below);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, n, take_in_indicators, write_binary, to);
    rs_leave(&rooms);
    return open;
}

int64_t rs_precision(const rs_lists *lists, int64_t n, double theta, const int64_t *k, int64_t nk,
                     double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    const rs_results to = {out, undecided, refused, &in_pool};
    rs_binary_batch b = {.metric = precision, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, NULL, n, theta, &to);
}

int64_t rs_recall(const rs_lists *lists, const rs_lists *pools, int64_t n, double theta,
                  const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                  int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_results to = {out, undecided, refused, in_pool};
    rs_binary_batch b = {.metric = recall, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, pools, n, theta, &to);
}

int64_t rs_rr(const rs_lists *lists, int64_t n, double theta, const rs_discount *inverse,
              const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    const rs_results to = {out, undecided, refused, &in_pool};
    rs_binary_batch b = {.metric = rr, .inverse = inverse, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, NULL, n, theta, &to);
}

int64_t rs_sp(const rs_lists *lists, int64_t n, double theta, const rs_discount *inverse,
              const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    const rs_results to = {out, undecided, refused, &in_pool};
    rs_binary_batch b = {.metric = sp, .inverse = inverse, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, NULL, n, theta, &to);
}

int64_t rs_ap(const rs_lists *lists, const rs_lists *pools, int64_t n, double theta, int32_t norm,
              const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
              uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_results to = {out, undecided, refused, in_pool};
    rs_binary_batch b = {.metric = ap, .inverse = inverse, .norm = norm, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, pools, n, theta, &to);
}

int64_t rs_read_thresholds(const rs_lists *lists, int64_t a, int64_t most, uint8_t *reached,
                           int64_t *n)
{
    int64_t begin = lists->offsets[a];
    *n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t refused = rs_thresholds_reached(at, lists->type, *n, (int)most, reached);
    return refused < 0 ? -1 : begin + refused;
}

/* GAP at work; the list and the pool at hand. */
typedef struct {
    const rs_lists *lists, *pools;
    const threshold_weights *w;
    const rs_discount *inverse;
    const int64_t *k;
    int64_t nk;
    uint8_t *reached, *pooled;
    rs_number *above, below;
} graded_batch;

RS_TEMPLATE int64_t take_in_thresholds(void *kernel, int64_t a, const rs_results *to)
{
    graded_batch *x = kernel;
    graded_list own = {.reached = x->reached, .starts = rs_starts_of(x->lists, a)};
    int64_t bad = rs_read_thresholds(x->lists, a, x->w->n, x->reached, &own.n);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    const uint8_t *J = x->reached;
    int64_t size = own.n;
    if (x->pools != x->lists) {
        bad = rs_read_thresholds(x->pools, a, x->w->n, x->pooled, &size);
        if (bad >= 0)
            return rs_refuse(to, bad, true);
        J = x->pooled;
    }
    x->below = rs_expected_number_relevant(J, size, x->w);
    if (own.starts)
        rs_expected_gsp(&own, x->w, x->inverse, x->k, x->nk, x->above);
    else
        rs_gsp_of(&own, x->w, x->inverse, x->k, x->nk, x->above);
    return RS_KNOWN;
}

RS_TEMPLATE bool gap_at(void *kernel, int64_t j, double *out)
{
    const graded_batch *x = kernel;
    return rs_round_quotient(&x->above[j], &x->below, out);
}

RS_TEMPLATE int64_t write_gap(void *kernel, int64_t a, bool known, const rs_results *to)
{
    graded_batch *x = kernel;
    return rs_write_values(kernel, a, x->nk, known, gap_at, to);
}

/* RS-PREC-11; with starts RS-EXP-18 */
int64_t rs_gap(const rs_lists *lists, const rs_lists *pools, int64_t n, const double *q,
               int64_t n_q, const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
               uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_results to = {out, undecided, refused, in_pool};
    threshold_weights w;
    rs_rooms rooms = {0};
    rs_threshold_weights(q, n_q, &w);
    graded_batch x = {.lists = lists, .pools = pools, .w = &w, .inverse = inverse, .k = k, .nk = nk};
    x.reached = rs_room(&rooms, rs_longest(lists, n), 1);
    x.pooled = rs_room(&rooms, rs_longest(pools, n), 1);
    x.above = rs_room(&rooms, nk, sizeof *x.above);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, n, take_in_thresholds, write_gap, &to);
    rs_leave(&rooms);
    return open;
}

/* ---- under ties ------------------------------------------------------------------------
 * s, n, m: the number of items above a tie group, its size, and how many of its ranks are within
 * the cut-off. */

/* E[hits@k] as a quotient: (found n + m r) / n, where the last group, of r relevant items, may
 * be cut. RS-EXP-4 */
void rs_expected_hits(const binary_list *x, const int64_t *k, int64_t nk, rs_number *hits,
                      rs_number *per)
{
    int64_t s = 0, found = 0;
    for (int64_t j = 0; j < nk; j++) {
        hits[j] = rs_integer((uint64_t)found);
        per[j] = rs_integer(1);
        while (s < x->n && s < k[j]) {
            int64_t end = rs_group_end(x->starts, s, x->n), r = rs_relevant(x->R, s, end);
            int64_t n = end - s, m = rs_min(n, k[j] - s);
            if (m < n) {
                hits[j].low = (u128)found * (u128)n + (u128)m * (u128)r;
                per[j].low = (u128)n;
                break;
            }
            s = end;
            found += r;
            hits[j] = rs_integer((uint64_t)found);
        }
    }
}

/* E[RR@k] of the first group that has relevant items: P(j), the probability that the first of them
 * is at its j-th rank, in fixed point of 95 bits: P(1) = r/n, P(j+1) = P(j) (n - j - r + 1) /
 * (n - j). Rounded down at each step, P(j) lacks less than j; with the discount and the product,
 * a term lacks less than j + 2 and the unit of the discounts. RS-EXP-7, RS-NUM-9 */
void rs_expected_rr_of_group(int64_t s, int64_t n, int64_t r, const rs_discount *inverse,
                             const int64_t *k, int64_t nk, rs_number *rr)
{
    int64_t t = 1;
    u128 low = 0, slack = 0;
    u128 P = r ? rs_muldiv((u128)1 << 95, (uint64_t)r, (uint64_t)n) : 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; r && t <= n - r + 1 && s + t <= k[j]; t++) {
            /* floor(P d / 2^95) */
            low += rs_wide_product(P << 1, rs_discount_at(inverse, s + t));
            slack += (u128)t + 2 + inverse->unit;
            if (t < n)
                P = rs_muldiv(P, (uint64_t)(n - t - r + 1), (uint64_t)(n - t));
        }
        rr[j] = (rs_number){.low = low, .slack = slack, .exponent = inverse->exponent};
    }
}

/* E[RR@k] for each k. RS-EXP-7 */
void rs_expected_rr(const binary_list *x, const rs_discount *inverse, const int64_t *k, int64_t nk,
                    rs_number *rr)
{
    int64_t s = 0, end = 0, r = 0;
    while (end < x->n && r == 0) {
        s = end;
        end = rs_group_end(x->starts, s, x->n);
        r = rs_relevant(x->R, s, end);
    }
    rs_expected_rr_of_group(s, end - s, r, inverse, k, nk, rr);
}

/* One group's part of E[SP@k]: (r/n) ((above + 1) H + (r - 1)/(n - 1) T), where H is the sum of
 * 1/(s + j) and T that of (j - 1)/(s + j) = 1 - (s + 1)/(s + j), for j = 1 to m. H lacks less
 * than m units, so T is taken (s + 1) m units lower to stay below its value. RS-EXP-8 */
static rs_number expected_sp_of_group(int64_t s, int64_t above, int64_t n, int64_t r, int64_t m,
                                      const rs_discount *inverse)
{
    u128 unit = inverse->unit;
    u128 one = (u128)1 << -inverse->exponent;
    u128 H = rs_discount_sum(inverse, s + m) - rs_discount_sum(inverse, s);
    u128 H_slack = (u128)m * unit;
    u128 X = (u128)(above + 1) * H, X_slack = (u128)(above + 1) * H_slack;
    if (r > 1) {
        u128 T_slack = (u128)(s + 1) * H_slack;
        u128 T_high = (u128)m * one - (u128)(s + 1) * H;
        u128 T = T_high > T_slack ? T_high - T_slack : 0;
        X += rs_muldiv(T, (uint64_t)(r - 1), (uint64_t)(n - 1));
        X_slack += T_slack + 1;
    }
    return (rs_number){.low = rs_muldiv(X, (uint64_t)r, (uint64_t)n),
                       .slack = X_slack + 1,
                       .exponent = inverse->exponent};
}

/* E[SP@k] for each k. RS-EXP-9, RS-NUM-9 */
void rs_expected_sp(const binary_list *x, const rs_discount *inverse, const int64_t *k, int64_t nk,
                    rs_number *sp)
{
    rs_number whole = {.exponent = inverse->exponent}; /* of the groups within the cut-off */
    int64_t s = 0, above = 0;
    for (int64_t j = 0; j < nk; j++) {
        sp[j] = whole;
        while (s < x->n && s < k[j]) {
            int64_t end = rs_group_end(x->starts, s, x->n), r = rs_relevant(x->R, s, end);
            int64_t n = end - s, m = rs_min(n, k[j] - s);
            if (r) {
                rs_number part = expected_sp_of_group(s, above, n, r, m, inverse);
                sp[j].low = whole.low + part.low;
                sp[j].slack = whole.slack + part.slack;
            }
            if (m < n)
                break;
            whole = sp[j];
            s = end;
            above += r;
        }
    }
}

/* E[GSP@k] for each k: E[SP@k] where items are relevant that reach a threshold, times its weight,
 * added up over the thresholds. RS-EXP-17, RS-NUM-17 */
void rs_expected_gsp(const graded_list *x, const threshold_weights *w, const rs_discount *inverse,
                     const int64_t *k, int64_t nk, rs_number *gsp)
{
    u128 low = 0, slack = 0; /* of the groups within the cut-off */
    int64_t s = 0, end = 0, above[256], r[256]; /* of those, and of the group: items that reach */
    memset(above, 0, (size_t)(w->n + 1) * sizeof *above);
    for (int64_t j = 0; j < nk; j++) {
        u128 low_j = low, slack_j = slack;
        while (s < x->n && s < k[j]) {
            end = rs_group_end(x->starts, s, x->n);
            int most = 0;
            memset(r, 0, (size_t)(w->n + 1) * sizeof *r);
            for (int64_t i = s; i < end; i++) {
                r[x->reached[i]]++;
                most = x->reached[i] > most ? x->reached[i] : most;
            }
            for (int t = most - 1; t > 0; t--)
                r[t] += r[t + 1];
            int64_t n = end - s, m = rs_min(n, k[j] - s);
            for (int t = 1; t <= most; t++) {
                bool exact = w->inexact[t] == w->inexact[t - 1];
                if (w->q[t] == 0 && exact)
                    continue;
                rs_number part = expected_sp_of_group(s, above[t], n, r[t], m, inverse);
                low_j += rs_wide_product(w->q[t], part.low);
                slack_j += rs_wide_product(w->q[t], part.slack) + 2 +
                           (exact ? 0 : ((part.low + part.slack) >> 96) + 1);
            }
            if (m < n)
                break;
            low = low_j;
            slack = slack_j;
            s = end;
            for (int t = 1; t <= most; t++)
                above[t] += r[t];
        }
        gsp[j] = (rs_number){
            .low = low_j, .slack = slack_j, .exponent = inverse->exponent + w->exponent + 96};
    }
}

/* ---- variances in a random order --------------------------------------------------------
 * n, r: the number of items of the pool, and of those that are relevant; m = min(n, k). */

/* r (n - r) m (n - m) / (n^2 (n - 1)). RS-EXP-20/L3 */
rs_variance rs_variance_of_hits(int64_t n, int64_t r, int64_t k)
{
    rs_spread relevant = rs_spread_of_counts(n, r);
    rs_spread shown = rs_spread_of_counts(n, rs_min(n, k));
    return rs_variance_of_spreads(n, &relevant, &shown);
}

/* What A_2 and A_3 of RS-EXP-21 become, with the sums H and Q of 1/i and 1/i^2:
 * 2 H^2 + 3 H - 4 Q, and 5 m + 2 m H + 3 Q - 6 H - 3 H^2. */
static bool parts_of_sp(int64_t m, const rs_number *H, const rs_number *Q, const rs_number *HH,
                        rs_number *two, rs_number *three)
{
    rs_number x = rs_multiple(2, HH), y = rs_multiple(3, H), z = rs_multiple(4, Q);
    rs_number sum = rs_sum(&x, &y);
    if (rs_difference(&sum, &z, two) != RS_POSITIVE_DIFFERENCE)
        return false;
    rs_number whole = rs_integer(5 * (uint64_t)m);
    x = rs_multiple(2 * (u128)m, H);
    y = rs_multiple(3, Q);
    sum = rs_sum(&x, &y);
    sum = rs_sum(&sum, &whole);
    x = rs_multiple(6, H);
    y = rs_multiple(3, HH);
    rs_number less = rs_sum(&x, &y);
    return rs_difference(&sum, &less, three) == RS_POSITIVE_DIFFERENCE;
}

/* What the square of the mean and that of the sum have in common is left out beforehand, so that
 * little cancels: f_2 f_3 r (n - r) Z / per^2. RS-EXP-21, RS-NUM-20 */
rs_variance rs_variance_of_sp(int64_t n, int64_t r, const rs_discount *inverse,
                              const rs_discount *squares, int64_t k)
{
    rs_variance v = {.sign = RS_ZERO_DIFFERENCE};
    if (r == 0 || r == n)
        return v;
    int64_t m = rs_min(n, k);
    rs_number H = rs_sum_of_first(inverse, m), Q = rs_sum_of_first(squares, m), HH = rs_product(&H, &H);
    rs_number two, three, Z;
    v.sign = RS_OPEN;
    if (!parts_of_sp(m, &H, &Q, &HH, &two, &three))
        return v;

    u128 N = (u128)n, R = (u128)r, M = (u128)m, pairs = N * (N - 1);
    u128 f2 = r > 1 ? N - 2 : 1, f3 = r > 2 ? N - 3 : 1;
    rs_number MM = {.low = M * M};
    rs_number x = rs_multiple(pairs * f2 * f3, &Q), y = rs_multiple((R - 1) * pairs * f3, &two);
    rs_number above = rs_sum(&x, &y);
    if (r > 2) {
        x = rs_multiple((R - 1) * (R - 2) * pairs, &three);
        above = rs_sum(&above, &x);
    }
    x = rs_multiple(2 * (R - 1) * (r > 2 ? (2 * R - 3) * N - 3 * (R - 1) : 1), &MM);
    rs_number below = x;
    x = rs_multiple(2 * M, &H);
    x = rs_multiple(R * (R - 1) * f2 * f3, &x);
    below = rs_sum(&below, &x);
    x = rs_multiple(R * (N - R) * f2 * f3, &HH);
    below = rs_sum(&below, &x);

    if (rs_difference(&above, &below, &Z) != RS_POSITIVE_DIFFERENCE)
        return v;
    v.sign = RS_POSITIVE_DIFFERENCE;
    v.square = rs_multiple(f2 * f3, &Z);
    v.square = rs_multiple(R * (N - R), &v.square);
    v.per = (rs_number){.low = pairs * f2 * f3};
    return v;
}

/* RS-EXP-22, RS-NUM-20 */
rs_variance rs_variance_of_rr(int64_t n, int64_t r, const rs_number *mean,
                              const rs_number *mean_square)
{
    rs_variance v = {.sign = RS_ZERO_DIFFERENCE, .per = rs_integer(1)};
    if (r == 0 || r == n)
        return v;
    rs_number square = rs_product(mean, mean);
    v.sign = rs_difference(mean_square, &square, &v.square);
    if (v.sign != RS_POSITIVE_DIFFERENCE)
        v.sign = RS_OPEN;
    return v;
}
