/* Precision and what is made of it: P, recall, RR, SP, AP and GAP. Spec: chapter "precision". */
#include "precision.h"

#include <stdlib.h>
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

/* What the batch makes of its lists, each with its pool. pools: NULL: there are none. */
int64_t rs_binary_values(rs_binary_batch *b, const rs_lists *lists, const rs_lists *pools,
                         int64_t n, double theta, double *out, uint8_t *undecided,
                         int64_t *refused, int32_t *in_pool)
{
    size_t room = (size_t)rs_longest(lists, n) + 1, room_pooled = (size_t)rs_longest(pools, n) + 1;
    const int64_t nk = b->nk;
    uint8_t *R = malloc(room), *pooled = malloc(room_pooled);
    rs_number *above = b->above = malloc((size_t)(nk + 1) * sizeof *above);
    rs_number *below = b->below = malloc((size_t)(nk + 1) * sizeof *below);
    int64_t open = R && pooled && above && below ? 0 : RS_NO_MEMORY;

    for (int64_t a = 0; a < n && open >= 0; a++) {
        binary_list x = {.R = R, .n = lists->offsets[a + 1] - lists->offsets[a]};
        x.starts = lists->starts ? lists->starts + lists->offsets[a] : NULL;
        *in_pool = 0;
        int64_t bad = b->metric ? rs_read_relevance(lists, a, theta, R, &x.n) : -1;
        if (bad < 0 && pools == lists && b->metric) {
            x.pooled = x.n;
            x.N_p = rs_relevant(R, 0, x.n);
        } else if (bad < 0 && pools) {
            *in_pool = pools != lists;
            bad = rs_read_relevance(pools, a, theta, pooled, &x.pooled);
            x.N_p = bad < 0 ? rs_relevant(pooled, 0, x.pooled) : 0;
        }
        if (bad >= 0) {
            *refused = bad;
            open = RS_REFUSED;
            break;
        }
        if (b->metric)
            b->metric(&x, b->inverse, b->norm, b->k, nk, above, below);
        if (b->take_in)
            b->take_in(b, &x);
        for (int64_t j = 0; j < nk; j++) {
            int64_t cell = a * nk + j;
            bool decided = b->value ? b->value(b, &x, j, &out[cell])
                                    : rs_round_quotient(&above[j], &below[j], &out[cell]);
            undecided[cell] = !decided;
            open += !decided;
        }
    }
    free(R);
    free(pooled);
    free(above);
    free(below);
    return open;
}

int64_t rs_precision(const rs_lists *lists, int64_t n, double theta, const int64_t *k, int64_t nk,
                     double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    rs_binary_batch b = {.metric = precision, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, NULL, n, theta, out, undecided, refused, &in_pool);
}

int64_t rs_recall(const rs_lists *lists, const rs_lists *pools, int64_t n, double theta,
                  const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                  int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    rs_binary_batch b = {.metric = recall, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, pools, n, theta, out, undecided, refused, in_pool);
}

int64_t rs_rr(const rs_lists *lists, int64_t n, double theta, const rs_discount *inverse,
              const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    rs_binary_batch b = {.metric = rr, .inverse = inverse, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, NULL, n, theta, out, undecided, refused, &in_pool);
}

int64_t rs_sp(const rs_lists *lists, int64_t n, double theta, const rs_discount *inverse,
              const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    rs_binary_batch b = {.metric = sp, .inverse = inverse, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, NULL, n, theta, out, undecided, refused, &in_pool);
}

int64_t rs_ap(const rs_lists *lists, const rs_lists *pools, int64_t n, double theta, int32_t norm,
              const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
              uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    rs_binary_batch b = {.metric = ap, .inverse = inverse, .norm = norm, .k = k, .nk = nk};
    return rs_binary_values(&b, lists, pools, n, theta, out, undecided, refused, in_pool);
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

/* RS-PREC-11; with starts RS-EXP-18 */
int64_t rs_gap(const rs_lists *lists, const rs_lists *pools, int64_t n, const double *q,
               int64_t n_q, const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
               uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    threshold_weights w;
    rs_threshold_weights(q, n_q, &w);
    uint8_t *reached = malloc((size_t)rs_longest(lists, n) + 1);
    uint8_t *pooled = malloc((size_t)rs_longest(pools, n) + 1);
    rs_number *above = malloc((size_t)(nk + 1) * sizeof *above);
    int64_t open = reached && pooled && above ? 0 : RS_NO_MEMORY;

    for (int64_t a = 0; a < n && open >= 0; a++) {
        graded_list x = {.reached = reached};
        x.starts = lists->starts ? lists->starts + lists->offsets[a] : NULL;
        const uint8_t *J = reached;
        *in_pool = 0;
        int64_t bad = rs_read_thresholds(lists, a, n_q, reached, &x.n), size = x.n;
        if (bad < 0 && pools != lists) {
            *in_pool = 1;
            bad = rs_read_thresholds(pools, a, n_q, pooled, &size);
            J = pooled;
        }
        if (bad >= 0) {
            *refused = bad;
            open = RS_REFUSED;
            break;
        }
        rs_number below = rs_expected_number_relevant(J, size, &w);
        if (x.starts)
            rs_expected_gsp(&x, &w, inverse, k, nk, above);
        else
            rs_gsp_of(&x, &w, inverse, k, nk, above);
        for (int64_t j = 0; j < nk; j++) {
            int64_t cell = a * nk + j;
            bool decided = rs_round_quotient(&above[j], &below, &out[cell]);
            undecided[cell] = !decided;
            open += !decided;
        }
    }
    free(reached);
    free(pooled);
    free(above);
    return open;
}
