/* Precision and what is made of it: P, recall, RR, SP, AP, GAP, R-precision, success, bpref, AUC,
 * counts, measures of a set and interpolated precision, their expectations, variances and bounds. Spec:
 * chapter "precision".
 */
#include "precision.h"

#include <math.h>
#include <string.h>

#include "bounds.h"

/* The relevance indicators of one list of n items; the size of the pool, and how many of it are
 * relevant. starts: where tie groups begin, or NULL; unjudged: 1 where nobody judged an item, or
 * NULL where the caller does not say; of: the measure, for the parameters that few kernels have. */
typedef struct rs_indicators {
    const rs_measure *of;
    const uint8_t *R;
    const uint8_t *starts, *unjudged;
    int64_t n;
    int64_t pooled;
    int64_t N_p;
} binary_list;

/* How many thresholds the items of a list reach: those from 1 on, of q.
 * starts: where tie groups begin, or NULL. */
typedef struct {
    const uint8_t *reached;
    const uint8_t *starts;
    int64_t n;
} graded_list;

/* The weights q of the thresholds 1, 2, ..., in fixed point: q[j] 2^exponent; their sum is below
 * 2^96 units. up_to: q[1] + ... + q[j]; inexact: how many of these are rounded down, by less than
 * 1 each. */
typedef struct {
    u128 q[256], up_to[256];
    uint8_t inexact[256];
    int64_t n;
    int32_t exponent;
} threshold_weights;

/* The expectations over the orders of the tie groups, for each k. */
static void expected_hits(const binary_list *x, const int64_t *k, int64_t nk, rs_number *hits,
                          rs_number *per);
static void expected_rr(const binary_list *x, const rs_discount *inverse, const int64_t *k,
                        int64_t nk, rs_number *rr);
static void expected_sp(const binary_list *x, const rs_discount *inverse, const int64_t *k,
                        int64_t nk, rs_number *sp);
static void expected_success(const binary_list *x, int64_t first, const int64_t *k, int64_t nk,
                             rs_number *success);
static void expected_gsp(const graded_list *x, const threshold_weights *w,
                         const rs_discount *inverse, const int64_t *k, int64_t nk, rs_number *gsp);

/* ---- relevance indicators ----------------------------------------------------------------
 * A value is hits/per, or a sum in fixed point over a whole number: a metric (rs_binary_metric)
 * fills, for each cut-off k, the number above and the number below the line. */

RS_INLINE void fill(rs_number *to, int64_t nk, int64_t n)
{
    for (int64_t j = 0; j < nk; j++)
        to[j] = rs_integer((uint64_t)n);
}

/* The sum of R_i for i <= k */
RS_TEMPLATE void hits(const binary_list *x, const rs_discount *inverse, int32_t norm,
                      const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    if (x->starts) {
        expected_hits(x, k, nk, above, below);
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
static void recall(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                   int64_t nk, rs_number *above, rs_number *below)
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
        expected_rr(x, inverse, k, nk, above);
        fill(below, nk, 1);
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
    fill(below, nk, 1);
    if (x->starts) {
        expected_sp(x, inverse, k, nk, above);
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
static uint64_t normaliser(int32_t norm, int64_t N_p, int64_t k)
{
    switch ((enum rs_norm)norm) {
    case RS_NORM_R:
        return (uint64_t)N_p;
    case RS_NORM_MIN:
        return (uint64_t)rs_min(k, N_p);
    case RS_NORM_K:
    case RS_NORM_RETRIEVED:
    case RS_NORM_HITS:
        break;
    }
    return (uint64_t)k;
}

/* What divides AP@k by the list: its relevant items, or those up to k. Where a tie group goes on
 * there, the hits are open: left to the reference. RS-PREC-6, RS-EXP-28 */
static void ap_over_found(const binary_list *x, int32_t norm, const int64_t *k, int64_t nk,
                          rs_number *above, rs_number *below)
{
    const rs_number open = {.slack = 1};
    uint64_t found = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t end = norm == RS_NORM_HITS ? rs_min(k[j], x->n) : x->n;
        found += (uint64_t)rs_relevant(x->R, i, end);
        i = end;
        if (x->starts && end < x->n && !x->starts[end]) {
            above[j] = open;
            below[j] = rs_integer(1);
        } else {
            below[j] = rs_integer(found);
        }
    }
}

/* AP@k; where the divisor is k, that of the whole list is n. RS-PREC-7; with starts RS-EXP-10 */
static void ap(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
               int64_t nk, rs_number *above, rs_number *below)
{
    sp(x, inverse, norm, k, nk, above, below);
    if (norm == RS_NORM_RETRIEVED || norm == RS_NORM_HITS) {
        ap_over_found(x, norm, k, nk, above, below);
        return;
    }
    for (int64_t j = 0; j < nk; j++) {
        bool length = norm == RS_NORM_K && k[j] == RS_WHOLE;
        below[j] = rs_integer(normaliser(norm, x->N_p, length ? x->n : k[j]));
    }
}

/* Rprec@k. RS-PREC-12; with starts RS-EXP-24 */
static void rprec(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                  int64_t nk, rs_number *above, rs_number *below)
{
    for (int64_t j = 0; j < nk; j++) {
        int64_t K = rs_min(k[j], x->N_p);
        recall(x, inverse, norm, &K, 1, &above[j], &below[j]);
    }
}

/* Success@k. RS-PREC-13; with starts RS-EXP-25 */
static void success(const binary_list *x, const rs_discount *inverse, int32_t norm,
                    const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    int64_t first = 0; /* where the first relevant item stands */
    while (first < x->n && !x->R[first])
        first++;
    fill(below, nk, 1);
    for (int64_t j = 0; j < nk; j++)
        above[j] = rs_integer(first < x->n && first < k[j]);
    if (x->starts && first < x->n)
        expected_success(x, first, k, nk, above);
}

/* bpref@k: each relevant item adds D - min(b, D) of D, b being the judged items above it that are not
 * relevant. What ties leave open is left to the reference. RS-PREC-15, RS-PREC-14 */
static void bpref(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                  int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    const rs_number open = {.slack = 1};
    bool tied = x->starts && memchr(x->starts, 0, (size_t)x->n);
    int64_t D = rs_min(x->N_p, x->pooled - x->N_p), b = 0, i = 0;
    uint64_t sum = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++) {
            if (x->unjudged && x->unjudged[i])
                continue;
            if (x->R[i])
                sum += D ? (uint64_t)(D - rs_min(b, D)) : 1;
            else
                b++;
        }
        above[j] = tied ? open : rs_integer(sum);
        below[j] = rs_integer((uint64_t)(D ? D : 1));
        below[j].low *= (u128)x->N_p;
    }
}

/* AUC@k over the pairs N_p N_n, all of them twice: half of each, and what the groups up to k move. One
 * that k divides moves the share m/n of its own. A pool that lacks items of the list can make it
 * negative: left to the reference. RS-PREC-40; with starts RS-EXP-93 */
static void auc(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    const rs_number open = {.slack = 1};
    const int64_t N_p = x->N_p, N_n = x->pooled - x->N_p;
    int64_t s = 0, h = 0, c = 0; /* above the group: items, relevant ones, and judged others */
    i128 moved = (i128)N_p * N_n;
    for (int64_t j = 0; j < nk; j++) {
        i128 twice = moved;
        int64_t per = 1;
        while (s < rs_min(k[j], x->n)) {
            int64_t end = rs_group_end(x->starts, s, x->n), r = 0, others = 0;
            for (int64_t i = s; i < end; i++) {
                bool judged = !x->unjudged || !x->unjudged[i];
                r += judged && x->R[i];
                others += judged && !x->R[i];
            }
            i128 moves = (i128)r * (N_n - c) - (i128)others * (N_p - h);
            if (end > k[j]) {
                per = end - s;
                twice = moved * per + moves * (k[j] - s);
                break;
            }
            s = end;
            h += r;
            c += others;
            moved += moves;
            twice = moved;
        }
        above[j] = twice < 0 ? open : (rs_number){.low = (u128)twice};
        below[j] = (rs_number){.low = (u128)N_p * (u128)N_n * 2 * (u128)per};
    }
}

/* NumRet@k. RS-PREC-16 */
static void num_ret(const binary_list *x, const rs_discount *inverse, int32_t norm,
                    const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    fill(below, nk, 1);
    for (int64_t j = 0; j < nk; j++)
        above[j] = rs_integer((uint64_t)rs_min(k[j], x->n));
}

/* NumRel, whatever k is. RS-PREC-17 */
static void num_rel(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                    int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm, (void)k;
    fill(above, nk, x->N_p);
    fill(below, nk, 1);
}

/* NumRelRet@k. RS-PREC-18; with starts RS-EXP-4 */
static void num_rel_ret(const binary_list *x, const rs_discount *inverse, int32_t norm,
                        const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    hits(x, inverse, norm, k, nk, above, below);
}

/* NumQ. RS-PREC-19 */
static void num_q(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                  int64_t nk, rs_number *above, rs_number *below)
{
    (void)x, (void)inverse, (void)norm, (void)k;
    fill(above, nk, 1);
    fill(below, nk, 1);
}

/* SetP@k. RS-PREC-20; with starts RS-EXP-30 */
static void set_p(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                  int64_t nk, rs_number *above, rs_number *below)
{
    hits(x, inverse, norm, k, nk, above, below);
    for (int64_t j = 0; j < nk; j++)
        below[j].low *= (u128)rs_min(k[j], x->n);
}

/* RelP@k, with k = n for the whole list. RS-PREC-21; with starts RS-EXP-30 */
static void rel_p(const binary_list *x, const rs_discount *inverse, int32_t norm, const int64_t *k,
                  int64_t nk, rs_number *above, rs_number *below)
{
    hits(x, inverse, norm, k, nk, above, below);
    for (int64_t j = 0; j < nk; j++)
        below[j].low *= (u128)rs_min(k[j] == RS_WHOLE ? x->n : k[j], x->N_p);
}

/* F@k of beta = 1, with k = n for the whole list. RS-PREC-22; with starts RS-EXP-30 */
static void f_measure(const binary_list *x, const rs_discount *inverse, int32_t norm,
                      const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    hits(x, inverse, norm, k, nk, above, below);
    for (int64_t j = 0; j < nk; j++) {
        above[j].low *= 2;
        above[j].slack *= 2;
        below[j].low *= (u128)x->N_p + (u128)(k[j] == RS_WHOLE ? x->n : k[j]);
    }
}

/* SetAP@k. What ties leave open is left to the reference. RS-PREC-23; with starts RS-EXP-31 */
static void set_ap(const binary_list *x, const rs_discount *inverse, int32_t norm,
                   const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    const rs_number open = {.slack = 1};
    uint64_t found = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t end = rs_min(k[j], x->n);
        found += (uint64_t)rs_relevant(x->R, i, end);
        i = end;
        above[j] = x->starts && end < x->n && !x->starts[end] ? open : rs_integer(found);
        above[j].low *= found;
        below[j] = rs_integer((uint64_t)end);
        below[j].low *= (u128)x->N_p;
    }
}

/* How many of the items up to k are judged or not, and, where only those count that are not relevant,
 * not: what a tie group that goes on beyond k leaves open is left to the reference. */
static void flagged(const binary_list *x, bool unjudged, bool not_relevant, const int64_t *k,
                    int64_t nk, rs_number *above)
{
    const rs_number open = {.slack = 1};
    uint64_t found = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++) {
            bool is = x->unjudged && x->unjudged[i];
            found += is == unjudged && !(not_relevant && x->R[i]);
        }
        above[j] = x->starts && i < x->n && !x->starts[i] ? open : rs_integer(found);
    }
}

/* Judged@k. RS-PREC-24; with starts RS-EXP-32 */
static void judged(const binary_list *x, const rs_discount *inverse, int32_t norm,
                   const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    flagged(x, false, false, k, nk, above);
    for (int64_t j = 0; j < nk; j++)
        below[j] = rs_integer((uint64_t)rs_min(k[j], x->n));
}

/* Unjudged@k, with k = n for the whole list. RS-PREC-25; with starts RS-EXP-32 */
static void unjudged(const binary_list *x, const rs_discount *inverse, int32_t norm,
                     const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    flagged(x, true, false, k, nk, above);
    for (int64_t j = 0; j < nk; j++)
        below[j] = rs_integer((uint64_t)(k[j] == RS_WHOLE ? x->n : k[j]));
}

/* NumNonrelRet@k. RS-PREC-26; with starts RS-EXP-32 */
static void num_nonrel_ret(const binary_list *x, const rs_discount *inverse, int32_t norm,
                           const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    (void)inverse, (void)norm;
    flagged(x, false, true, k, nk, above);
    fill(below, nk, 1);
}

/* ---- levels of recall ------------------------------------------------------------------ */

/* rd(level N_p), kept in memory: no compiler rounds it together with a sum that it is part of. */
static double rounded_product(double level, int64_t N_p)
{
    const volatile double product = level * (double)N_p;
    return product;
}

/* How many relevant items level[0] asks for, or the decimal level[0]/level[1] where c is rounded up; -1:
 * it is no level. RS-PREC-27 */
static int64_t items_at_level(const double *level, int64_t N_p, int32_t rounding)
{
    const double most = 0x1p32, of = level[0], per = rounding == RS_LEVEL_UP ? level[1] : 1;
    if (!(of >= 0 && of <= most && per >= 1 && per <= most))
        return -1;
    if (rounding == RS_LEVEL_UP)
        return ((int64_t)of * N_p + (int64_t)per - 1) / (int64_t)per;
    double product = rounded_product(of, N_p);
    if (rounding == RS_LEVEL_PLUS)
        return (int64_t)(product + 0.9);
    int64_t whole = (int64_t)product;
    return whole + (product - (double)whole >= 0.5);
}

/* RprecMult@k. RS-PREC-30; with starts RS-EXP-92 */
static void rprec_mult(const binary_list *x, const rs_discount *inverse, int32_t norm,
                       const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    int64_t c = items_at_level(&x->of->p, x->N_p, RS_LEVEL_PLUS);
    for (int64_t j = 0; j < nk; j++) {
        int64_t K = rs_min(k[j], c);
        hits(x, inverse, norm, &K, 1, &above[j], &below[j]);
        above[j].slack = c < 0;
        below[j].low *= (u128)c;
    }
}

/* How many ranks hold the same in every order: those above the first tie group of both kinds. */
static int64_t settled_ranks(const binary_list *x)
{
    int64_t s = 0;
    for (int64_t i = 1; x->starts && i < x->n; i++) {
        if (x->starts[i])
            s = i;
        else if (x->R[i] != x->R[i - 1])
            return s;
    }
    return RS_WHOLE;
}

/* A level of recall: how many relevant items it asks for, and the greatest precision so far where there
 * are as many, found/rank; rank 0: there is none. */
typedef struct {
    int64_t items, found, rank;
} recall_level;

/* The n levels of a measure; false where they are none, or fall. */
static bool read_levels(const binary_list *x, int32_t rounding, int64_t n, recall_level *of)
{
    const double *q = x->of->q;
    for (int64_t l = 0; l < n; l++, q += rounding == RS_LEVEL_UP ? 2 : 1) {
        of[l] = (recall_level){.items = items_at_level(q, x->N_p, rounding)};
        if (of[l].items < (l ? of[l - 1].items : 0))
            return false;
    }
    return n > 0;
}

/* AvgIPrec@k, the mean over the levels, whose greatest precisions do not rise: each found/rank is a whole
 * number times the discount, as in SP. What ties leave open is left to the reference. RS-PREC-28,
 * RS-PREC-29 */
static void avg_iprec(const binary_list *x, const rs_discount *inverse, int32_t rounding,
                      const int64_t *k, int64_t nk, rs_number *above, rs_number *below)
{
    recall_level of[SMALL_LABELS];
    int64_t n = rounding == RS_LEVEL_UP ? x->of->n_q / 2 : x->of->n_q;
    int64_t settled = read_levels(x, rounding, n, of) ? settled_ranks(x) : 0;
    int64_t found = 0, reached = 0, i = 0;
    fill(below, nk, n);
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++) {
            if (!x->R[i])
                continue;
            found++;
            while (reached < n && of[reached].items <= found)
                reached++;
            for (int64_t l = reached - 1; l >= 0 && found * of[l].rank >= of[l].found * (i + 1); l--)
                of[l] = (recall_level){of[l].items, found, i + 1};
        }
        above[j] = (rs_number){.slack = k[j] > settled, .exponent = inverse->exponent};
        for (int64_t l = 0; l < reached && k[j] <= settled; l++) {
            above[j].low += (u128)of[l].found * rs_discount_at(inverse, of[l].rank);
            above[j].slack += (u128)of[l].found * inverse->unit;
        }
    }
}

/* ---- gain by what is missed ------------------------------------------------------------ */

/* binG@k of the chapter "dcg": each hit by the discount at one and the items above it that are none. What
 * ties leave open is left to the reference. RS-DCG-12, RS-NUM-6 */
static void bin_g(const binary_list *x, const rs_discount *d, int32_t norm, const int64_t *k,
                  int64_t nk, rs_number *above, rs_number *below)
{
    (void)norm;
    int64_t settled = settled_ranks(x), missed = 0, i = 0;
    u128 low = 0, hits = 0;
    fill(below, nk, x->N_p);
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], x->n); i++) {
            if (x->R[i]) {
                hits++;
                low += rs_discount_at(d, missed + 1);
            }
            missed += !x->R[i];
        }
        above[j] = (rs_number){.low = low, .slack = hits * d->unit, .exponent = d->exponent};
        if (k[j] > settled)
            above[j] = (rs_number){.slack = 1};
    }
}

/* ---- graded AP ---------------------------------------------------------------------- */

/* RS-PREC-8, RS-NUM-17 */
static void make_threshold_weights(const double *q, int64_t n, threshold_weights *w)
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
static void gsp_of(const graded_list *x, const threshold_weights *w, const rs_discount *inverse,
                   const int64_t *k, int64_t nk, rs_number *gsp)
{
    uint32_t found[256];
    memset(found, 0, (size_t)(w->n + 1) * sizeof *found);
    u128 low = 0, slack = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        while (i < rs_min(k[j], x->n))
            for (int64_t end = rs_part(i, rs_min(k[j], x->n), 12); i < end; i++) {
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
static rs_number expected_number_relevant(const uint8_t *reached, int64_t n,
                                          const threshold_weights *w)
{
    const label_list J = {.at = reached, .small = reached, .n = n, .type = RS_U8};
    int64_t count[SMALL_LABELS];
    u128 low = 0, slack = 0;
    for (int t = rs_count_labels(J.small, J.n, count); t > 0; t--) {
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

/* A batch at work: what all of its lists share.
 * metric: NULL: only the lengths of the lists matter
 * take_in, value: what is done with each list, and the value at the cut-off j, false where it is
 * undecided; NULL: what the metric fills, as a quotient
 * above, below: what the metric has filled
 * by: what adjusts it for the length; bounds: more of it, for bounds; worth: for utility */
typedef struct binary_batch binary_batch;
struct binary_batch {
    const rs_measure *of;
    rs_binary_metric *metric;
    const rs_discount *inverse;
    int32_t norm;
    const int64_t *k;
    int64_t nk;
    void (*take_in)(binary_batch *b, const binary_list *x);
    bool (*value)(binary_batch *b, const binary_list *x, int64_t j, double *out);
    rs_number *above, *below;
    const rs_expectation *by;
    struct binary_bounds *bounds;
    const struct binary_worth *worth;
};

/* A batch, its lists, and the list at hand. R, pooled: room for indicators. */
typedef struct {
    binary_batch *b;
    const rs_lists *lists, *pools;
    double theta;
    uint8_t *R, *pooled;
    binary_list list;
} binary;

/* The pool of a list that is its own: its judged items. */
static inline void pool_of_list(binary_list *x)
{
    x->pooled = x->n;
    x->N_p = rs_relevant(x->R, 0, x->n);
    for (int64_t i = 0; x->unjudged && i < x->n; i++) {
        x->pooled -= x->unjudged[i];
        x->N_p -= x->unjudged[i] & x->R[i];
    }
}

RS_TEMPLATE int64_t take_in_indicators(void *kernel, int64_t a, const rs_results *to)
{
    binary *x = kernel;
    binary_batch *b = x->b;
    binary_list *own = &x->list;
    *own = (binary_list){.of = b->of,
                         .R = x->R,
                         .starts = rs_starts_of(x->lists, a),
                         .unjudged = rs_unjudged_of(x->lists, a)};
    own->n = x->lists->offsets[a + 1] - x->lists->offsets[a];
    int64_t bad = b->metric ? rs_read_relevance(x->lists, a, x->theta, x->R, &own->n) : -1;
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (x->pools == x->lists && b->metric) {
        pool_of_list(own);
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
    binary_batch *b = x->b;
    return b->value ? b->value(b, &x->list, j, out)
                    : rs_round_quotient(&b->above[j], &b->below[j], out);
}

RS_TEMPLATE int64_t write_binary(void *kernel, int64_t a, bool known, const rs_results *to)
{
    binary *x = kernel;
    return rs_write_values(kernel, a, x->b->nk, known, binary_at, to);
}

/* What the batch makes of its lists, each with its pool. pools: NULL: there are none. */
static int64_t binary_values(binary_batch *b, const rs_lists *lists, const rs_lists *pools,
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

/* RS-PREC-2 to RS-PREC-7, by the kernel of the metric's row */
static int64_t values_of_indicators(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    const rs_metric *row = rs_metric_in(rs_metrics_of_precision, m->metric);
    binary_batch batch = {.of = m, .metric = row->of_indicators, .inverse = m->discount,
                          .norm = m->norm, .k = m->k, .nk = m->nk};
    const rs_lists *pools = row->needs & RS_NEEDS_POOLS ? b->pools : NULL;
    return binary_values(&batch, b->lists, pools, b->n, m->theta, to);
}

/* Of the pools, each as a list that is its own. */
static int64_t values_of_num_rel(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    const rs_block pools = {.lists = b->pools, .pools = b->pools, .n = b->n};
    int64_t open = values_of_indicators(m, &pools, to);
    if (open == RS_REFUSED)
        *to->in_pool = !rs_is_own_pool(b);
    return open;
}

/* ---- utility ----------------------------------------------------------------------------- */

enum { KINDS = 4, BITS_OF_WORTH = 60, BITS_OF_SUM_OF_WORTH = 124 };

/* What a hit, a document that is shown, a relevant one and one of the collection add, in whole units of
 * 2^exponent. documents: of the collection; known: whether these have so few bits */
typedef struct binary_worth {
    int64_t hit, shown, relevant, any, documents;
    int32_t exponent;
    bool known;
} binary_worth;

/* RS-PREC-60 */
static void make_worth(const rs_measure *m, binary_worth *w)
{
    int64_t of[KINDS] = {0};
    int exponent, top = INT16_MIN;
    bool known = m->n_q == KINDS;
    for (int i = 0; i < KINDS && known; i++)
        if (frexp(m->q[i], &exponent) != 0 && exponent > top)
            top = exponent;
    for (int i = 0; i < KINDS && known; i++) {
        double units = ldexp(m->q[i], BITS_OF_WORTH - top);
        bool lost = units == 0 && m->q[i] != 0; /* beside the largest */
        known = fabs(units) < 0x1p60 && units == (double)(int64_t)units && !lost;
        of[i] = known ? (int64_t)units : 0;
    }
    *w = (binary_worth){of[0] - of[1] - of[2] + of[3], of[1] - of[3], of[2] - of[3], of[3],
                        m->padding, top - BITS_OF_WORTH, known};
}

/* Where the collection has fewer documents than the list and what it misses, the value is left to the
 * reference, which refuses them. */
static void check_documents(binary_batch *b, const binary_list *x)
{
    int64_t missed = x->N_p - rs_relevant(x->R, 0, x->n), most = b->worth->documents - x->n;
    for (int64_t j = 0; j < b->nk && (most < 0 || missed > most); j++)
        b->above[j].slack = 1;
}

/* The sum, times what divides the hits: exact, of either sign. RS-PREC-60, RS-EXP-100 */
static bool utility_at(binary_batch *b, const binary_list *x, int64_t j, double *out)
{
    const binary_worth *w = b->worth;
    const u128 per = b->below[j].low;
    i128 sum = (i128)w->shown * rs_min(b->k[j], x->n) + (i128)w->relevant * x->N_p +
               (i128)w->any * w->documents;
    if (!w->known || b->above[j].slack ||
        rs_bits((u128)(sum < 0 ? -sum : sum)) + rs_bits(per) > BITS_OF_SUM_OF_WORTH)
        return false;
    sum = sum * (i128)per + (i128)b->above[j].low * w->hit;
    const rs_number size = {.low = (u128)(sum < 0 ? -sum : sum), .exponent = w->exponent};
    if (!rs_round_quotient(&size, &b->below[j], out))
        return false;
    *out = sum < 0 ? -*out : *out;
    return true;
}

/* RS-PREC-60; with starts RS-EXP-100 */
static int64_t values_of_utility(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    binary_worth worth;
    make_worth(m, &worth);
    binary_batch batch = {.metric = hits, .k = m->k, .nk = m->nk, .take_in = check_documents,
                          .value = utility_at, .worth = &worth};
    return binary_values(&batch, b->lists, b->pools, b->n, m->theta, to);
}

/* ---- other chapters and graded AP -------------------------------------------------------- */

static void adjust(binary_batch *b, const binary_list *x)
{
    const rs_number one = rs_integer(1);
    rs_adjust(b->by, &one, x->n, b->k, b->nk, b->above, b->below);
}

int64_t rs_sp_of_lists(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                       const rs_results *to)
{
    binary_batch batch = {.metric = sp, .inverse = m->discount, .k = m->k, .nk = m->nk,
                          .take_in = adjust, .by = by};
    return binary_values(&batch, b->lists, NULL, b->n, m->theta, to);
}

/* How many thresholds, of most, the items of list a reach; returns the position of a label that is
 * no number, or -1. */
static int64_t read_thresholds(const rs_lists *lists, int64_t a, int64_t most, uint8_t *reached,
                               int64_t *n)
{
    int64_t begin = lists->offsets[a];
    *n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t refused = rs_thresholds_reached(at, lists->type, *n, (int)most, reached);
    return refused < 0 ? -1 : begin + refused;
}

/* GAP or LGAP at work; the list and, of GAP, the pool at hand.
 * by: of LGAP, what adjusts GSP for the length */
typedef struct {
    const rs_lists *lists, *pools;
    const threshold_weights *w;
    const rs_discount *inverse;
    const int64_t *k;
    int64_t nk;
    const rs_expectation *by;
    uint8_t *reached, *pooled;
    rs_number *above, *below;
} graded_batch;

/* The probability that an item of the least label is relevant that is so at all. RS-LEN-16 */
static rs_number least_probability(const threshold_weights *w)
{
    int t = 1;
    while (t < w->n && w->q[t] == 0 && w->inexact[t] == 0)
        t++;
    return (rs_number){.low = w->up_to[t], .slack = w->inexact[t], .exponent = w->exponent};
}

RS_TEMPLATE int64_t take_in_thresholds(void *kernel, int64_t a, const rs_results *to)
{
    graded_batch *x = kernel;
    graded_list own = {.reached = x->reached, .starts = rs_starts_of(x->lists, a)};
    int64_t bad = read_thresholds(x->lists, a, x->w->n, x->reached, &own.n);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (own.starts)
        expected_gsp(&own, x->w, x->inverse, x->k, x->nk, x->above);
    else
        gsp_of(&own, x->w, x->inverse, x->k, x->nk, x->above);
    if (x->by) {
        const rs_number of_one = least_probability(x->w);
        rs_adjust(x->by, &of_one, own.n, x->k, x->nk, x->above, x->below);
        return RS_KNOWN;
    }
    const uint8_t *J = x->reached;
    int64_t size = own.n;
    if (x->pools != x->lists) {
        bad = read_thresholds(x->pools, a, x->w->n, x->pooled, &size);
        if (bad >= 0)
            return rs_refuse(to, bad, true);
        J = x->pooled;
    }
    for (int64_t j = 0; j < x->nk; j++)
        x->below[j] = expected_number_relevant(J, size, x->w);
    return RS_KNOWN;
}

RS_TEMPLATE bool gap_at(void *kernel, int64_t j, double *out)
{
    const graded_batch *x = kernel;
    return rs_round_quotient(&x->above[j], &x->below[j], out);
}

RS_TEMPLATE int64_t write_gap(void *kernel, int64_t a, bool known, const rs_results *to)
{
    graded_batch *x = kernel;
    return rs_write_values(kernel, a, x->nk, known, gap_at, to);
}

/* by: of LGAP, which has no pool; else NULL */
static int64_t values_of_thresholds(const rs_measure *m, const rs_block *b,
                                    const rs_expectation *by, const rs_results *to)
{
    threshold_weights w;
    rs_rooms rooms = {0};
    const rs_lists *pools = by ? NULL : b->pools;
    make_threshold_weights(m->q, m->n_q, &w);
    graded_batch x = {.lists = b->lists, .pools = pools, .w = &w, .inverse = m->discount,
                      .k = m->k, .nk = m->nk, .by = by};
    x.reached = rs_room(&rooms, rs_longest(b->lists, b->n), 1);
    x.pooled = rs_room(&rooms, rs_longest(pools, b->n), 1);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room(&rooms, m->nk, sizeof *x.below);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in_thresholds, write_gap, to);
    rs_leave(&rooms);
    return open;
}

/* RS-PREC-11; with starts RS-EXP-18 */
static int64_t values_of_gap(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_thresholds(m, b, NULL, to);
}

int64_t rs_gsp_of_lists(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                        const rs_results *to)
{
    return values_of_thresholds(m, b, by, to);
}

/* ---- under ties ------------------------------------------------------------------------
 * s, n, m: the number of items above a tie group, its size, and how many of its ranks are within
 * the cut-off. */

/* E[hits@k] as a quotient: (found n + m r) / n, where the last group, of r relevant items, may
 * be cut. RS-EXP-4 */
static void expected_hits(const binary_list *x, const int64_t *k, int64_t nk, rs_number *hits,
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
static void expected_rr_of_group(int64_t s, int64_t n, int64_t r, const rs_discount *inverse,
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
static void expected_rr(const binary_list *x, const rs_discount *inverse, const int64_t *k,
                        int64_t nk, rs_number *rr)
{
    int64_t s = 0, end = 0, r = 0;
    while (end < x->n && r == 0) {
        s = end;
        end = rs_group_end(x->starts, s, x->n);
        r = rs_relevant(x->R, s, end);
    }
    expected_rr_of_group(s, end - s, r, inverse, k, nk, rr);
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
static void expected_sp(const binary_list *x, const rs_discount *inverse, const int64_t *k,
                        int64_t nk, rs_number *sp)
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

/* E[Success@k]: in the group of the first relevant item, the sum of the probabilities P(j) that the
 * first of its r relevant items is at its j-th rank; 1 where k ends behind the group. In fixed point
 * of 95 bits as for E[RR@k], P(j) lacks less than j. RS-EXP-25, RS-NUM-9 */
static void expected_success(const binary_list *x, int64_t first, const int64_t *k, int64_t nk,
                             rs_number *success)
{
    int64_t s = first;
    while (s > 0 && !x->starts[s])
        s--;
    int64_t end = rs_group_end(x->starts, s, x->n), n = end - s, r = rs_relevant(x->R, s, end), t = 1;
    u128 low = 0, slack = 0, P = rs_muldiv((u128)1 << 95, (uint64_t)r, (uint64_t)n);
    for (int64_t j = 0; j < nk; j++) {
        for (; t <= n - r + 1 && s + t <= k[j]; t++) {
            low += P;
            slack += (u128)t;
            if (t < n)
                P = rs_muldiv(P, (uint64_t)(n - t - r + 1), (uint64_t)(n - t));
        }
        if (t > n - r + 1) /* the first relevant item is within the cut-off in every order */
            success[j] = rs_integer(1);
        else
            success[j] = (rs_number){.low = low, .slack = slack, .exponent = -95};
    }
}

/* E[GSP@k] for each k: E[SP@k] where items are relevant that reach a threshold, times its weight,
 * added up over the thresholds. RS-EXP-17, RS-NUM-17 */
static void expected_gsp(const graded_list *x, const threshold_weights *w,
                         const rs_discount *inverse, const int64_t *k, int64_t nk, rs_number *gsp)
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
static rs_variance variance_of_hits(int64_t n, int64_t r, int64_t k)
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
static rs_variance variance_of_sp(int64_t n, int64_t r, const rs_discount *inverse,
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
static rs_variance variance_of_rr(int64_t n, int64_t r, const rs_number *mean,
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

/* ---- bounds ----------------------------------------------------------------------------
 * What is divided is the total: hits, RR or SP. */

/* What a batch has more for bounds.
 * ideal, lower: IUB and LB, at each cut-off; worst: whether LB is WLB
 * squares: of the discounts; second: E[RR^2], at each cut-off; both for variances only */
typedef struct binary_bounds {
    int32_t kind, metric;
    bool worst;
    rs_number *ideal, *lower, *second;
    rs_discount squares;
} binary_bounds;

/* Whether the total is a number of hits. */
static bool is_counted(int32_t metric)
{
    return metric == RS_PRECISION || metric == RS_RECALL;
}

/* What P and R, RR, or SP and AP sum up, without what they divide by. */
static rs_binary_metric *total_of(int32_t metric)
{
    if (metric == RS_RR)
        return rr;
    return is_counted(metric) ? hits : sp;
}

/* Cut-off j. The whole list has n items for what divides by that number; where it is empty, that
 * of the pool: it might be of any length. RS-BND-1, RS-EXP-1 */
static int64_t cut_off(const binary_batch *b, const binary_list *x, int64_t j)
{
    int32_t metric = b->bounds->metric;
    bool by_length = metric == RS_PRECISION || (metric == RS_AP && b->norm == RS_NORM_K);
    if (b->k[j] != RS_WHOLE || !by_length)
        return b->k[j];
    return x->n > 0 ? x->n : x->pooled;
}

/* E[SP@k] of n items, r of them relevant, 0 < r < n: (r/n) (H + (r - 1)/(n - 1) (m - H)), which is
 * H r (n - r) / (n (n - 1)) + m r (r - 1) / (n (n - 1)), with H = 1/1 + ... + 1/m. RS-EXP-8,
 * RS-NUM-18 */
static void random_sp(const binary_batch *b, const binary_list *x, int64_t n, int64_t r,
                      rs_number *sp)
{
    const rs_discount *inverse = b->inverse;
    uint64_t pairs = (uint64_t)n * (uint64_t)(n - 1);
    rs_fraction of_H = rs_fraction_of((uint64_t)r * (uint64_t)(n - r), pairs), of_m = {0};
    if (r > 1)
        of_m = rs_fraction_of((uint64_t)r * (uint64_t)(r - 1), pairs);
    for (int64_t j = 0; j < b->nk; j++) {
        int64_t m = rs_min(n, cut_off(b, x, j));
        u128 H = rs_discount_sum(inverse, m), M = (u128)m << -inverse->exponent;
        rs_number mean = {.low = rs_fraction_times(&of_H, H), .exponent = inverse->exponent};
        mean.slack = (u128)m * inverse->unit + (H >> of_H.shift) + 2;
        if (r > 1) {
            mean.low += rs_fraction_times(&of_m, M);
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
static void random_totals(const binary_batch *b, const binary_list *x, int64_t n, int64_t r,
                          rs_number *above, rs_number *below)
{
    int32_t metric = b->bounds->metric;
    bool counted = is_counted(metric);
    for (int64_t j = 0; j < b->nk; j++) {
        uint64_t m = (uint64_t)rs_min(n, cut_off(b, x, j));
        uint64_t all_relevant = metric == RS_RR ? 1 : m;
        above[j] = rs_integer(counted ? m * (uint64_t)r : r ? all_relevant : 0);
        below[j] = rs_integer(counted && n ? (uint64_t)n : 1);
    }
    if (counted || r == 0 || r == n)
        return;
    if (metric == RS_RR)
        expected_rr_of_group(0, n, r, b->inverse, b->k, b->nk, above);
    else
        random_sp(b, x, n, r, above);
}

/* The total of the ideal order: the least of k and N_p, and 1 for RR. RS-BND-1 */
static int64_t ideal_total(int32_t metric, const binary_list *x, int64_t k)
{
    int64_t relevant = rs_min(k, x->N_p);
    return metric == RS_RR ? relevant > 0 : relevant;
}

/* The total of the worst order: all that is not relevant first. RS-BND-3 */
static rs_number worst_total(const binary_batch *b, const binary_list *x, int64_t k,
                             rs_number *below)
{
    int64_t others = x->pooled - x->N_p, m = rs_min(x->pooled, k);
    *below = rs_integer(1);
    if (m <= others)
        return rs_integer(0);
    switch (b->bounds->metric) {
    case RS_RR:
        *below = rs_integer((uint64_t)others + 1);
        return rs_integer(1);
    case RS_SP:
    case RS_AP:
        return worst_sp(b->inverse, others, m);
    default:
        return rs_integer((uint64_t)(m - others));
    }
}

/* The bounds at each cut-off: x->ideal holds what the lower one is to be divided by. */
static void take_in_bounds(binary_batch *b, const binary_list *x)
{
    binary_bounds *of = b->bounds;
    if (of->kind == RS_EXPECTED_VALUE)
        random_totals(b, x, x->n, rs_relevant(x->R, 0, x->n), of->lower, of->ideal);
    else if (!of->worst)
        random_totals(b, x, x->pooled, x->N_p, of->lower, of->ideal);
    else
        for (int64_t j = 0; j < b->nk; j++)
            of->lower[j] = worst_total(b, x, cut_off(b, x, j), &of->ideal[j]);
    if (rs_is_of_variance(of->kind) && of->metric == RS_RR && x->N_p)
        expected_rr_of_group(0, x->pooled, x->N_p, &of->squares, b->k, b->nk, of->second);
}

/* What the metric divides the total by, at a cut-off of cut_off(). */
static uint64_t divisor(const binary_batch *b, const binary_list *x, int64_t k)
{
    switch (b->bounds->metric) {
    case RS_PRECISION:
        return (uint64_t)k;
    case RS_RECALL:
        return (uint64_t)x->N_p;
    case RS_AP:
        return normaliser(b->norm, x->N_p, k);
    default:
        return 1;
    }
}

/* Whether relevant items and others come in the worst order of the pool, at the first ranks and in
 * their tie groups; of RR, whether the first relevant item is where it is there. */
static bool comes_worst(const binary_batch *b, const binary_list *x, int64_t k)
{
    int64_t others = x->pooled - x->N_p, m = rs_min(x->pooled, k), shown = rs_min(x->n, k);
    bool first_only = b->bounds->metric == RS_RR;
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
    const binary_batch *batch;
    const binary_list *list;
} list_of_batch;

/* Whether LB is the total of the list, or that of the ideal: the worst order is the ideal one, and
 * every order, if all are relevant, or none. RS-NUM-19 */
static bool equal_total(const void *batch, int64_t j, bool ideal)
{
    const list_of_batch *at = batch;
    const binary_batch *b = at->batch;
    const binary_list *x = at->list;
    bool all_orders = x->N_p == x->pooled || x->N_p == 0;
    if (ideal)
        return all_orders;
    if (b->bounds->worst || all_orders)
        return comes_worst(b, x, cut_off(b, x, j));
    return in_any_order(x);
}

static rs_variance variance_of_total(const binary_batch *b, const binary_list *x, int64_t j)
{
    const binary_bounds *of = b->bounds;
    switch (of->metric) {
    case RS_RR:
        return variance_of_rr(x->pooled, x->N_p, &of->lower[j], &of->second[j]);
    case RS_SP:
    case RS_AP:
        return variance_of_sp(x->pooled, x->N_p, b->inverse, &of->squares, cut_off(b, x, j));
    default:
        return variance_of_hits(x->pooled, x->N_p, cut_off(b, x, j));
    }
}

/* All numbers are multiplied by what the metric's and the lower bound's are divided by. */
static bool bound_of_precision_at(binary_batch *b, const binary_list *x, int64_t j, double *out)
{
    const binary_bounds *of = b->bounds;
    int64_t k = cut_off(b, x, j);
    rs_number IUB = rs_integer((uint64_t)ideal_total(of->metric, x, k)), scale = rs_integer(1);
    rs_variance v = {.sign = RS_OPEN};
    if (rs_is_of_variance(of->kind))
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
        return rs_z_value(&v, &A, &LB, &scale, equal_total, &at, j, out);
    return rs_bound_value(of->kind, &A, &IUB, &LB, equal_total, &at, j, out);
}

/* RS-BND-1 to RS-BND-8 of P, recall, RR, SP or AP; RS-EXP-1, RS-EXP-20 to RS-EXP-23 */
static int64_t bounds_of_indicators(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    binary_bounds x = {.kind = m->bound, .worst = m->worst, .metric = m->metric};
    binary_batch batch = {.inverse = m->discount, .norm = m->norm, .k = m->k, .nk = m->nk};
    int64_t open = RS_NO_MEMORY, deepest = rs_deepest_rank(m->k, m->nk, rs_longest(b->pools, b->n));
    rs_rooms rooms = {0};
    x.ideal = rs_room(&rooms, m->nk, sizeof *x.ideal);
    x.lower = rs_room(&rooms, m->nk, sizeof *x.lower);
    x.second = rs_room(&rooms, m->nk, sizeof *x.second);
    if (rs_is_of_variance(x.kind) && !is_counted(m->metric))
        rs_squares(m->discount, deepest, &x.squares, &rooms);
    batch.bounds = &x;
    batch.take_in = take_in_bounds;
    batch.value = bound_of_precision_at;
    if (!rs_is_of_pool(x.kind))
        batch.metric = total_of(m->metric);
    if (!rooms.lacking)
        open = binary_values(&batch, b->lists, b->pools, b->n, m->theta, to);
    rs_leave(&rooms);
    return open;
}

/* ---- bounds of GAP ------------------------------------------------------------------------ */

static int64_t read_thresholds_of(const rs_graded *x, const rs_lists *lists, int64_t a,
                                  uint8_t *bytes, label_list *r)
{
    const threshold_weights *w = x->more;
    r->small = bytes;
    return read_thresholds(lists, a, w->n, bytes, &r->n);
}

static bool gsp_of_labels(rs_graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                          rs_number *to)
{
    const rs_measure *by = x->by;
    graded_list r = {.reached = labels, .starts = starts, .n = n};
    if (starts)
        expected_gsp(&r, x->more, by->discount, by->k, by->nk, to);
    else
        gsp_of(&r, x->more, by->discount, by->k, by->nk, to);
    return true;
}

static rs_number divisor_of_gap(const rs_graded *x, const label_list *J)
{
    return expected_number_relevant(J->small, J->n, x->more);
}

/* RS-BND-1 to RS-BND-8 of GAP; RS-EXP-1 */
static int64_t bounds_of_gap(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    threshold_weights w;
    rs_graded x = {.by = m, .more = &w, .read = read_thresholds_of, .value = gsp_of_labels,
                   .divisor = divisor_of_gap};
    make_threshold_weights(m->q, m->n_q, &w);
    return rs_bounds_of_graded(&x, b, to);
}

/* ---- the metrics ------------------------------------------------------------------------- */

const rs_metric rs_metrics_of_precision[] = {
    {.metric = RS_PRECISION,
     .values = values_of_indicators,
     .of_indicators = precision,
     .bounds = bounds_of_indicators,
     .varies = true},
    {.metric = RS_RECALL,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = recall,
     .bounds = bounds_of_indicators,
     .varies = true},
    {.metric = RS_RR,
     .needs = RS_NEEDS_DISCOUNT_OF_TIES,
     .values = values_of_indicators,
     .of_indicators = rr,
     .bounds = bounds_of_indicators,
     .varies = true},
    {.metric = RS_SP,
     .needs = RS_NEEDS_DISCOUNT,
     .values = values_of_indicators,
     .of_indicators = sp,
     .bounds = bounds_of_indicators,
     .varies = true},
    {.metric = RS_AP,
     .needs = RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = ap,
     .bounds = bounds_of_indicators,
     .varies = true},
    {.metric = RS_GAP,
     .needs = RS_NEEDS_THRESHOLDS | RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS,
     .values = values_of_gap,
     .bounds = bounds_of_gap},
    {.metric = RS_RPREC,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = rprec},
    {.metric = RS_SUCCESS, .values = values_of_indicators, .of_indicators = success},
    {.metric = RS_BPREF,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = bpref},
    {.metric = RS_AUC, .needs = RS_NEEDS_POOLS, .values = values_of_indicators, .of_indicators = auc},
    {.metric = RS_NUM_RET, .values = values_of_indicators, .of_indicators = num_ret},
    {.metric = RS_NUM_REL_RET, .values = values_of_indicators, .of_indicators = num_rel_ret},
    {.metric = RS_SET_P, .values = values_of_indicators, .of_indicators = set_p},
    {.metric = RS_REL_P,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = rel_p},
    {.metric = RS_F,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = f_measure},
    {.metric = RS_SET_AP,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = set_ap},
    {.metric = RS_JUDGED, .values = values_of_indicators, .of_indicators = judged},
    {.metric = RS_UNJUDGED, .values = values_of_indicators, .of_indicators = unjudged},
    {.metric = RS_NUM_NONREL_RET, .values = values_of_indicators, .of_indicators = num_nonrel_ret},
    {.metric = RS_NUM_REL,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_num_rel,
     .of_indicators = num_rel},
    {.metric = RS_NUM_Q, .values = values_of_indicators, .of_indicators = num_q},
    {.metric = RS_UTILITY,
     .needs = RS_NEEDS_THRESHOLDS | RS_NEEDS_POOLS,
     .values = values_of_utility},
    {.metric = RS_AVG_IPREC,
     .needs = RS_NEEDS_THRESHOLDS | RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = avg_iprec},
    {.metric = RS_BIN_G,
     .needs = RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = bin_g},
    {.metric = RS_RPREC_MULT,
     .needs = RS_NEEDS_POOLS,
     .values = values_of_indicators,
     .of_indicators = rprec_mult},
    {0},
};
