/* Ties and expectation. Spec: chapter "expectation".
 *
 * s, n, m: the number of items above a tie group, its size, and how many of its ranks are
 * within the cut-off.
 */
#include <stdlib.h>
#include <string.h>

#include "dcg.h"
#include "lists.h"
#include "precision.h"

/* ---- the order of a scored list ----------------------------------------------------- */

static bool before(const ranked_item *x, const ranked_item *y, const id_order *ids)
{
    if (x->score != y->score)
        return x->score > y->score;
    if (x->rule != y->rule || !ids)
        return x->rule > y->rule;
    return ids->ascending ? rs_id_above(ids->ids, y->position, x->position)
                          : rs_id_above(ids->ids, x->position, y->position);
}

/* Sorts by insertion, stably, where few items are out of place; false: too many are. */
static bool insertion_sort(ranked_item *items, int64_t n, const id_order *ids, int64_t moves)
{
    for (int64_t i = 1; i < n; i++) {
        if (!before(&items[i], &items[i - 1], ids))
            continue;
        ranked_item moved = items[i];
        int64_t j = i;
        for (; j > 0 && before(&moved, &items[j - 1], ids); j--)
            items[j] = items[j - 1];
        items[j] = moved;
        moves -= i - j;
        if (moves < 0)
            return false;
    }
    return true;
}

/* Sorts items by rank, stably. ids: what decides where score and rule are equal, or NULL. */
void rs_sort(ranked_item *items, ranked_item *scratch, int64_t n, const id_order *ids)
{
    enum { RUN = 16 };
    if (insertion_sort(items, n, ids, 4 * n)) /* many runs are nearly in order */
        return;
    for (int64_t begin = 0; begin < n; begin += RUN)
        insertion_sort(items + begin, rs_min(RUN, n - begin), ids, RUN * RUN);
    ranked_item *from = items, *to = scratch;
    for (int64_t run = RUN; run < n; run *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * run) {
            int64_t middle = rs_min(begin + run, n), end = rs_min(begin + 2 * run, n);
            int64_t left = begin, right = middle;
            for (int64_t i = begin; i < end; i++) {
                bool take_left =
                    left < middle && (right == end || !before(&from[right], &from[left], ids));
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        ranked_item *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != items)
        memcpy(items, from, (size_t)n * sizeof *items);
}

static uint64_t rule_key(int32_t rule, const rs_lists *lists, const int64_t *ids, int64_t position)
{
    const uint64_t top = 1ull << 63;
    switch (rule) {
    case RS_ID_DESCENDING:
        return (uint64_t)ids[position] ^ top;
    case RS_ID_ASCENDING:
        return ~((uint64_t)ids[position] ^ top);
    case RS_BEST:
        return rs_label_key(lists->labels, lists->type, position);
    case RS_WORST:
        return ~rs_label_key(lists->labels, lists->type, position);
    default:
        return 0; /* the sort is stable: input order */
    }
}

/* For each list the positions of its items in rank order, and where tie groups begin.
 * A score that is not finite is refused. RS-CONV-6
 * RS-TIE-1, RS-TIE-2 */
int64_t rs_order(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
                 const int64_t *ids, int32_t rule, int64_t *order, uint8_t *starts,
                 int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int64_t most = rs_longest(lists, n);
    ranked_item *items = malloc((size_t)(most + 1) * sizeof *items);
    ranked_item *scratch = malloc((size_t)(most + 1) * sizeof *scratch);
    int64_t result = items && scratch ? 0 : RS_NO_MEMORY;

    for (int64_t a = 0; a < n && result == 0; a++) {
        int64_t begin = lists->offsets[a], length = lists->offsets[a + 1] - begin;
        for (int64_t i = 0; i < length; i++) {
            double score = rs_label_value(scores, score_type, begin + i);
            if (score - score != 0) { /* NaN or infinite */
                *refused = begin + i;
                result = RS_REFUSED;
                break;
            }
            items[i].score = rs_label_key(scores, score_type, begin + i);
            items[i].rule = rule_key(rule, lists, ids, begin + i);
            items[i].position = begin + i;
        }
        if (result != 0)
            break;
        rs_sort(items, scratch, length, NULL);
        for (int64_t i = 0; i < length; i++) {
            order[begin + i] = items[i].position;
            starts[begin + i] = i == 0 || items[i].score != items[i - 1].score;
        }
    }
    free(items);
    free(scratch);
    return result;
}

/* Labels in another order: to[i] = from[order[i]]. */
void rs_gather(const void *from, int32_t type, const int64_t *order, int64_t n, void *to)
{
    switch (rs_label_size(type)) {
#define GATHER(size, T)                                \
    case size:                                         \
        for (int64_t i = 0; i < n; i++)                \
            ((T *)to)[i] = ((const T *)from)[order[i]]; \
        break;
        GATHER(1, uint8_t)
        GATHER(2, uint16_t)
        GATHER(4, uint32_t)
        GATHER(8, uint64_t)
    }
}

/* ---- expected DCG ------------------------------------------------------------------- */

/* E[DCG@k] for each k: per group, the sum of its gains times the sum of its first m discounts,
 * divided by n. What is rounded down is below 1 a group. RS-EXP-2, RS-NUM-9 */
void rs_expected_dcg_small(const label_list *r, const uint8_t *starts, const gain_table *g,
                           const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg)
{
    u128 low = 0, slack = 0; /* of the groups that end within the cut-off */
    int64_t s = 0, end = 0;
    uint64_t gains = 0; /* of the group from s to end */
    for (int64_t j = 0; j < nk; j++) {
        u128 low_j = low, slack_j = slack;
        for (;;) {
            if (s == end && s < r->n && s < k[j]) {
                end = rs_group_end(starts, s, r->n);
                gains = 0;
                for (int64_t i = s; i < end; i++)
                    gains += g->small[r->small[i]];
            }
            if (s == end || s >= k[j])
                break;
            int64_t n = end - s, m = rs_min(n, k[j] - s);
            u128 discounts = rs_discount_sum(d, s + m) - rs_discount_sum(d, s);
            /* gains / n as a whole number and a fraction, so that nothing overflows */
            low_j = low + (gains / (uint64_t)n) * discounts +
                    rs_muldiv(discounts, gains % (uint64_t)n, (uint64_t)n);
            slack_j = slack + (gains ? (u128)gains * d->unit + 1 : 0);
            if (m < n)
                break; /* the cut-off is within the group: the next k takes it up again */
            low = low_j;
            slack = slack_j;
            s = end;
        }
        dcg[j] = (rs_number){.low = low_j, .slack = slack_j, .exponent = d->exponent};
    }
}

/* The same with gains in fixed point; a group of gain 0 counts nothing, every other lacks less
 * than 3 m for its mean gain, m for its discounts, and 1. RS-EXP-2, RS-NUM-9 */
void rs_expected_dcg_wide(const wide_gain *G, int64_t length, int32_t top, const uint8_t *starts,
                          const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg)
{
    u128 low = 0, slack = 0;
    int64_t s = 0, end = 0;
    u128 gains = 0;
    for (int64_t j = 0; j < nk; j++) {
        u128 low_j = low, slack_j = slack;
        for (;;) {
            if (s == end && s < length && s < k[j]) {
                end = rs_group_end(starts, s, length);
                gains = 0;
                for (int64_t i = s; i < end; i++)
                    gains += G[i];
            }
            if (s == end || s >= k[j])
                break;
            int64_t n = end - s, m = rs_min(n, k[j] - s);
            u128 discounts = rs_discount_sum(d, s + m) - rs_discount_sum(d, s);
            low_j = low + rs_wide_product(gains / (u128)n, discounts);
            slack_j = slack + (gains ? (u128)m * (3 + (u128)d->unit) + 1 : 0);
            if (m < n)
                break;
            low = low_j;
            slack = slack_j;
            s = end;
        }
        dcg[j] = (rs_number){.low = low_j, .slack = slack_j, .exponent = top + d->exponent};
    }
}

/* ---- expected precision, recall, RR, SP ---------------------------------------------- */

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
