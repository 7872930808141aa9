/* Cumulated gain: CG, DCG, ideal DCG and nDCG, and their expectations. Spec: chapter "dcg".
 *
 * Two kernels compute the same sums. Labels that are small whole numbers with small gains go
 * through integer products with the limbs of the discounts, which vectorise; everything else
 * goes through gains in fixed point of 96 bits. CG is DCG with the discount 1.
 */
#include "dcg.h"

#include <stdlib.h> /* qsort */
#include <string.h>

/* ---- small labels ------------------------------------------------------------------- */

/* Whether the sums of these labels stay within their words: the largest gain times the length is
 * below 2^32, so sums of gain times limb are below 2^64, and DCG is below 2^32 2^96. RS-NUM-6 */
bool rs_is_small(const label_list *r, const gain_table *g)
{
    if (!r->small || r->n == 0)
        return r->n == 0;
    uint64_t largest = g->small[r->top];
    return largest != NO_SMALL_GAIN && largest * (uint64_t)r->n < 1ull << 32;
}

/* The sum over ranks of gain times discount, and the sum of the gains. */
typedef struct {
    u128 products;
    uint64_t gains;
} gain_sums;

/* Few ranks, or gains by a table (NULL: a label is its gain): the two parts of a discount. */
static inline void add_in_two(const uint8_t *r, const uint64_t *table, const rs_discount *d,
                              int64_t begin, int64_t end, gain_sums *sums)
{
    const uint32_t *low = d->low;
    const uint64_t *high = d->high;
    uint64_t sum_low = 0, gains = 0;
    u128 sum_high = 0;
    for (int64_t i = begin; i < end; i++) {
        uint64_t gain = table ? table[r[i]] : r[i];
        sum_low += gain * low[i];
        sum_high += (u128)gain * high[i];
        gains += gain;
    }
    sums->products += sum_low + (sum_high << 32);
    sums->gains += gains;
}

/* Many ranks: limbs of 32 bits, whose products with a gain need 64, go well into vectors. */
RS_CLONES static void add_linear(const uint8_t *r, const rs_discount *d, int64_t begin,
                                 int64_t end, gain_sums *sums)
{
    const uint32_t *low = d->low;
    const uint64_t *high = d->high;
    uint64_t sum0 = 0, sum1 = 0, sum2 = 0;
    uint32_t gains = 0;
    for (int64_t i = begin; i < end; i++) {
        uint32_t gain = r[i];
        sum0 += (uint64_t)gain * low[i];
        sum1 += (uint64_t)gain * (uint32_t)high[i];
        sum2 += (uint64_t)gain * (uint32_t)(high[i] >> 32);
        gains += gain;
    }
    sums->products += sum0 + ((u128)sum1 << 32) + ((u128)sum2 << 64);
    sums->gains += gains;
}

static rs_number number_of(u128 low, uint64_t gains, const rs_discount *d)
{
    return (rs_number){.low = low, .slack = (u128)gains * d->unit, .exponent = d->exponent};
}

/* DCG@k for each k. RS-DCG-2, RS-DCG-1 */
void rs_dcg_small(const label_list *r, const gain_table *g, const rs_discount *d, const int64_t *k,
                  int64_t nk, rs_number *dcg)
{
    enum { SHORT = 24 };
    gain_sums sums = {0, 0};
    int64_t begin = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t end = rs_min(k[j], r->n);
        if (g->linear && end - begin <= SHORT)
            add_in_two(r->small, NULL, d, begin, end, &sums);
        else if (g->linear)
            add_linear(r->small, d, begin, end, &sums);
        else
            add_in_two(r->small, g->small, d, begin, end, &sums);
        begin = end;
        dcg[j] = number_of(sums.products, sums.gains, d);
    }
}

/* Adds to count[r] how often the labels r = 1 to 4 occur; false where a label is above 4. */
static bool count_to_four(const uint8_t *r, int64_t n, int64_t *count)
{
    enum { WIDTH = 16, MOST = 127 }; /* so many vectors fill no byte of a counter */
    sixteen above_four = {0};
    int64_t i = 0;
    while (n - i >= WIDTH) {
        int64_t end = i + WIDTH * rs_min(MOST, (n - i) / WIDTH);
        sixteen ones = {0}, twos = {0}, threes = {0}, fours = {0};
        for (; i < end; i += WIDTH) {
            sixteen labels = load_sixteen(r + i);
            ones -= labels == 1;
            twos -= labels == 2;
            threes -= labels == 3;
            fours -= labels == 4;
            above_four |= (labels + 123) | labels; /* the highest bit: 5 + 123 is 128 */
        }
        count[1] += sum_of_bytes(ones);
        count[2] += sum_of_bytes(twos);
        count[3] += sum_of_bytes(threes);
        count[4] += sum_of_bytes(fours);
    }
    bool small = all_zero(above_four & 128);
    for (; i < n && small; i++) {
        small = r[i] <= 4;
        count[small ? r[i] : 0]++;
    }
    return small;
}

/* How often each label occurs (but 0); returns a label that none is above. */
int rs_count_labels(const label_list *J, int64_t count[SMALL_LABELS])
{
    memset(count, 0, 5 * sizeof *count);
    if (count_to_four(J->small, J->n, count))
        return 4;
    memset(count, 0, SMALL_LABELS * sizeof *count);
    int top = 0;
    for (int64_t i = 0; i < J->n; i++) {
        int label = J->small[i];
        count[label]++;
        top = label > top ? label : top;
    }
    return top;
}

/* IDCG@k for each k, by counting. The ideal order is the labels from the highest down; the C
 * items of a label of at least r take the first ranks, and each adds g(r) - g(r - 1) to what its
 * rank gains. So IDCG@k is the sum over r of (g(r) - g(r - 1)) (d(1) + ... + d(min(C, k))).
 * count: of the labels 1 to top; n: of all. RS-DCG-4, RS-DCG-5 */
void rs_idcg_of_counts(const int64_t *count, int top, int64_t n, const gain_table *g,
                       const rs_discount *d, const int64_t *k, int64_t nk, rs_number *idcg)
{
    for (int64_t j = 0; j < nk; j++) {
        int64_t ranks = rs_min(n, k[j]), at_least = 0;
        u128 low = 0;
        uint64_t gains = 0;
        if (g->linear) {
            for (int label = top; label > 0; label--) {
                at_least += count[label];
                int64_t last = rs_min(at_least, ranks);
                low += rs_discount_sum(d, last);
                gains += (uint64_t)last;
            }
        } else {
            low = g->small[0] * rs_discount_sum(d, ranks);
            gains = g->small[0] * (uint64_t)ranks;
            for (int label = top; label > 0; label--) {
                at_least += count[label];
                uint64_t step = g->small[label] - g->small[label - 1];
                int64_t last = rs_min(at_least, ranks);
                low += step * rs_discount_sum(d, last);
                gains += step * (uint64_t)last;
            }
        }
        idcg[j] = number_of(low, gains, d);
    }
}

/* The labels in rising or in falling order; all are small. */
void rs_sort_labels(const label_list *J, bool rising, uint8_t *to)
{
    int64_t count[SMALL_LABELS];
    int top = rs_count_labels(J, count);
    count[0] = J->n;
    for (int label = 1; label <= top; label++)
        count[0] -= count[label];
    for (int i = 0; i <= top; i++) {
        int label = rising ? i : top - i;
        memset(to, label, (size_t)count[label]);
        to += count[label];
    }
}

static void idcg_small(const label_list *J, const gain_table *g, const rs_discount *d,
                       const int64_t *k, int64_t nk, rs_number *idcg)
{
    int64_t count[SMALL_LABELS];
    int top = rs_count_labels(J, count);
    rs_idcg_of_counts(count, top, J->n, g, d, k, nk, idcg);
}

/* The gain of a small label. */
static uint64_t small_gain(const label_list *r, int64_t i, const gain_table *g)
{
    rs_float gain = rs_gain_of(r, i, g);
    bool whole = gain.mantissa && gain.exponent <= 0 && gain.exponent > -128;
    return whole ? (uint64_t)(gain.mantissa >> -gain.exponent) : 0;
}

/* The sum of the gains of small labels at the ranks begin + 1 to end. */
uint64_t rs_gains_from_to(const label_list *r, int64_t begin, int64_t end, const gain_table *g)
{
    uint64_t gains = 0;
    for (int64_t i = begin; i < end; i++)
        gains += small_gain(r, i, g);
    return gains;
}

/* Whether each of the first ranks gains on average what n items of these gains do; all labels are
 * small. */
bool rs_shows_mean(const rs_batch *b, int64_t shown, uint64_t pooled, int64_t n)
{
    for (int64_t s = 0; s < shown;) {
        int64_t end = rs_group_end(b->starts, s, b->n);
        u128 gains = rs_gains_from_to(&b->list, s, end, b->g);
        if (gains * (u128)n != (u128)pooled * (u128)(end - s))
            return false;
        s = end;
    }
    return true;
}

/* ---- any labels --------------------------------------------------------------------- */

/* The gains of a list in fixed point; false where one of them is lost beside the greatest, which is
 * that of the greatest label. */
bool rs_wide_gains(const label_list *r, const gain_table *g, wide_gain *G, int32_t *top)
{
    int64_t greatest = 0;
    uint64_t greatest_key = 0;
    for (int64_t i = 0; i < r->n; i++) {
        uint64_t key = rs_label_key(r->at, r->type, i);
        greatest = key > greatest_key ? i : greatest;
        greatest_key = key > greatest_key ? key : greatest_key;
    }
    *top = r->n ? rs_top_of(rs_gain_of(r, greatest, g)) : 0;
    for (int64_t i = 0; i < r->n; i++) {
        rs_float gain = rs_gain_of(r, i, g);
        G[i] = rs_wide_gain(gain, *top);
        if (gain.mantissa && G[i] == 0)
            return false; /* a gain of less than 2^-96 of the greatest: it is not nothing */
    }
    return true;
}

/* DCG@k for each k; each product lacks less than 2 units for the gain, that of the discount, and 1
 * for itself. RS-NUM-8 */
void rs_dcg_wide(const wide_gain *G, int64_t n, int32_t top, const rs_discount *d,
                 const int64_t *k, int64_t nk, rs_number *dcg)
{
    u128 low = 0, slack = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], n); i++) {
            if (G[i] == 0)
                continue;
            low += rs_wide_product(G[i], rs_discount_at(d, i + 1));
            slack += 3 + (u128)d->unit;
        }
        dcg[j] = (rs_number){.low = low, .slack = slack, .exponent = top + d->exponent};
    }
}

static int falling(const void *a, const void *b)
{
    wide_gain x = *(const wide_gain *)a, y = *(const wide_gain *)b;
    return (x < y) - (x > y);
}

/* The gains of a pool in the ideal order; false where one of them is lost. */
bool rs_ideal_gains(const label_list *J, const gain_table *g, wide_gain *G, int32_t *top)
{
    if (!rs_wide_gains(J, g, G, top))
        return false;
    qsort(G, (size_t)J->n, sizeof *G, falling);
    return true;
}

void rs_reverse(wide_gain *G, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++) {
        wide_gain other = G[i];
        G[i] = G[n - 1 - i];
        G[n - 1 - i] = other;
    }
}

/* ---- one list, either kernel -------------------------------------------------------- */

/* Reads n labels; returns the position of the first that is refused, or -1. */
int64_t rs_read_from(const rs_lists *lists, int64_t begin, int64_t n, const gain_table *g,
                     uint8_t *bytes, label_list *r)
{
    if (lists->type == RS_U8 && g->linear) { /* whatever they are, they can be taken */
        const uint8_t *at = (const uint8_t *)lists->labels + begin;
        *r = (label_list){.at = at, .small = at, .n = n, .type = RS_U8, .top = SMALL_LABELS - 1};
        return -1;
    }
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t refused = rs_read_labels(at, lists->type, n, g, bytes, r);
    return refused < 0 ? -1 : begin + refused;
}

static int64_t read_list(const rs_lists *lists, int64_t a, const rs_batch *b, label_list *r)
{
    int64_t begin = lists->offsets[a];
    return rs_read_from(lists, begin, lists->offsets[a + 1] - begin, b->g, b->bytes, r);
}

/* DCG@k, or its expectation over the orders of the tie groups; false where a gain is lost. */
static bool dcg_of(const label_list *r, const uint8_t *starts, const rs_batch *b,
                   rs_number *dcg)
{
    if (rs_is_small(r, b->g)) {
        if (starts)
            rs_expected_dcg_small(r, starts, b->g, b->d, b->k, b->nk, dcg);
        else
            rs_dcg_small(r, b->g, b->d, b->k, b->nk, dcg);
        return true;
    }
    label_list shown = *r; /* of a settled list, no gain beyond the cut-off takes bits from these */
    if (!starts && b->nk)
        shown.n = rs_min(r->n, b->k[b->nk - 1]);
    int32_t top;
    if (!rs_wide_gains(&shown, b->g, b->wide, &top))
        return false;
    if (starts)
        rs_expected_dcg_wide(b->wide, r->n, top, starts, b->d, b->k, b->nk, dcg);
    else
        rs_dcg_wide(b->wide, shown.n, top, b->d, b->k, b->nk, dcg);
    return true;
}

static bool idcg_of(const label_list *J, const rs_batch *b, rs_number *idcg)
{
    if (rs_is_small(J, b->g)) {
        idcg_small(J, b->g, b->d, b->k_ideal, b->nk, idcg);
        return true;
    }
    int32_t top;
    if (!rs_ideal_gains(J, b->g, b->wide, &top))
        return false;
    rs_dcg_wide(b->wide, J->n, top, b->d, b->k_ideal, b->nk, idcg);
    return true;
}

/* ---- batches ------------------------------------------------------------------------ */

/* A batch and its lists. c: the same batch, whose address stays in the loop, so that it is kept in
 * registers. */
typedef struct {
    rs_batch *b;
    rs_batch c;
    const rs_lists *lists, *pools;
} quotients;

RS_TEMPLATE int64_t take_in_gains_of_lists(void *kernel, int64_t a, const rs_results *to)
{
    quotients *x = kernel;
    rs_batch *b = x->b;
    label_list r;
    bool known = true;
    if (x->lists) {
        int64_t bad = read_list(x->lists, a, &x->c, &r);
        if (bad >= 0)
            return rs_refuse(to, bad, false);
        b->n = r.n;
        b->list = r;
        b->starts = x->c.one_group ? x->c.one_group : rs_starts_of(x->lists, a);
        known = dcg_of(&r, b->starts, &x->c, x->c.above);
    }
    if (x->pools) {
        if (x->pools != x->lists) {
            int64_t bad = read_list(x->pools, a, &x->c, &r);
            if (bad >= 0)
                return rs_refuse(to, bad, true);
        }
        if (x->c.ideal)
            known = b->ideal(&r, b) && known;
        else
            known = idcg_of(&r, &x->c, x->lists ? x->c.below : x->c.above) && known;
    }
    return known ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE bool quotient_at(void *kernel, int64_t j, double *out)
{
    quotients *x = kernel;
    return x->c.value ? x->b->value(x->b, j, out)
                      : rs_round_quotient(&x->c.above[j], &x->c.below[j], out);
}

RS_TEMPLATE int64_t write_quotients(void *kernel, int64_t a, bool known, const rs_results *to)
{
    quotients *x = kernel;
    return rs_write_values(kernel, a, x->c.nk, known, quotient_at, to);
}

/* DCG of the lists divided by IDCG of the pools, or without lists or pools the other alone; or
 * what the batch's own functions make of the two. */
int64_t rs_quotients(rs_batch *b, const rs_lists *lists, const rs_lists *pools, int64_t n,
                     const rs_gain *g, const rs_results *to)
{
    int64_t room = rs_longest_of(lists, pools, n);
    rs_rooms rooms = {0};
    gain_table table;
    rs_gain_table(g, &table);
    b->g = &table;
    b->above = rs_room_of_ones(&rooms, b->nk);
    b->below = rs_room_of_ones(&rooms, b->nk);
    b->bytes = rs_room(&rooms, room, 1);
    b->wide = rs_room(&rooms, room, sizeof *b->wide);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking) {
        quotients x = {.b = b, .c = *b, .lists = lists, .pools = pools};
        open = rs_for_each_list(&x, n, take_in_gains_of_lists, write_quotients, to);
    }
    rs_leave(&rooms);
    return open;
}

/* RS-DCG-2; with starts RS-EXP-2 */
int64_t rs_dcg(const rs_lists *lists, int64_t n, const rs_gain *g, const rs_discount *d,
               const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    const rs_results to = {out, undecided, refused, &in_pool};
    rs_batch b = {.d = d, .k = k, .nk = nk};
    return rs_quotients(&b, lists, NULL, n, g, &to);
}

/* RS-DCG-5 */
int64_t rs_idcg(const rs_lists *pools, int64_t n, const rs_gain *g, const rs_discount *d,
                const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    int32_t in_pool;
    const rs_results to = {out, undecided, refused, &in_pool};
    rs_batch b = {.d = d, .k_ideal = k, .nk = nk};
    return rs_quotients(&b, NULL, pools, n, g, &to);
}

/* RS-DCG-6, RS-DCG-7; with starts RS-EXP-3 */
int64_t rs_ndcg(const rs_lists *lists, const rs_lists *pools, int64_t n, const rs_gain *g,
                const rs_discount *d, const int64_t *k_ideal, const int64_t *k, int64_t nk,
                double *out, uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    const rs_results to = {out, undecided, refused, in_pool};
    rs_batch b = {.d = d, .k = k, .k_ideal = k_ideal, .nk = nk};
    return rs_quotients(&b, lists, pools, n, g, &to);
}

/* ---- under ties ------------------------------------------------------------------------
 * s, n, m: the number of items above a tie group, its size, and how many of its ranks are within
 * the cut-off. */

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

/* ---- the variance in a random order; n: the size of the pool --------------------------- */

/* RS-EXP-20, RS-NUM-20 */
rs_variance rs_variance_of_dcg(int64_t n, const rs_spread *gains, const rs_discount *d,
                               const rs_discount *squares, int64_t k)
{
    int64_t m = rs_min(n, k);
    rs_number sum = rs_sum_of_first(d, m), sum_of_squares = rs_sum_of_first(squares, m);
    rs_spread discounts = rs_spread_of(n, &sum, &sum_of_squares);
    if (m == n && m > 0 && d->unit == 0 && rs_discount_at(d, 1) == rs_discount_at(d, m))
        discounts.sign = RS_ZERO_DIFFERENCE;
    return rs_variance_of_spreads(n, gains, &discounts);
}
