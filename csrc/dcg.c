/* Cumulated gain: CG, DCG, ideal DCG and nDCG, and their expectations. Spec: chapter "dcg".
 *
 * Two kernels compute the same sums. Labels that are small whole numbers with small gains go
 * through integer products with the limbs of the discounts, which vectorise; everything else
 * goes through gains in fixed point of 96 bits. CG is DCG with the discount 1.
 */
#include "dcg.h"

#include <string.h>

#include "bounds.h"
#include "filter.h"
#include "sorting.h"
#include "whole_gains.h"

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

static void idcg_small(const label_list *J, const gain_table *g, const rs_discount *d,
                       const int64_t *k, int64_t nk, rs_number *idcg)
{
    int64_t count[SMALL_LABELS];
    int top = rs_count_labels(J->small, J->n, count);
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
    for (int64_t i = 0; i < r->n;)
        for (int64_t end = rs_part(i, r->n, 4); i < end; i++) {
            uint64_t key = rs_label_key(r->at, r->type, i);
            greatest = key > greatest_key ? i : greatest;
            greatest_key = key > greatest_key ? key : greatest_key;
        }
    const int32_t top_of_all = *top = r->n ? rs_top_of(rs_gain_of(r, greatest, g)) : 0;
    for (int64_t i = 0; i < r->n;)
        for (int64_t end = rs_part(i, r->n, 15); i < end; i++) {
            rs_float gain = rs_gain_of(r, i, g);
            G[i] = rs_wide_gain(gain, top_of_all);
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
        while (i < rs_min(k[j], n))
            for (int64_t end = rs_part(i, rs_min(k[j], n), 8); i < end; i++) {
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
    rs_quicksort(G, J->n, sizeof *G, falling);
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

static int64_t length_of(const rs_lists *lists, int64_t a)
{
    return lists->offsets[a + 1] - lists->offsets[a];
}

static int64_t read_at(const rs_lists *lists, int64_t a, const gain_table *g, uint8_t *bytes,
                       label_list *r)
{
    return rs_read_from(lists, lists->offsets[a], length_of(lists, a), g, bytes, r);
}

static int64_t read_list(const rs_lists *lists, int64_t a, const rs_batch *b, label_list *r)
{
    return read_at(lists, a, b->g, b->bytes, r);
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
                return rs_refuse(to, bad, !b->own);
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

/* Writes the values that the filter has of list a, or has the exact kernel take it. Returns how many
 * are undecided, or RS_REFUSED. */
static int64_t write_filtered(quotients *x, int64_t a, const double *own, const rs_results *to)
{
    int64_t nk = x->c.nk;
    bool known = true;
    for (int64_t j = 0; j < nk; j++) {
        known = known && own[j] == own[j];
        to->out[a * nk + j] = own[j];
    }
    if (known)
        return 0;
    int64_t taken = take_in_gains_of_lists(x, a, to);
    return taken < 0 ? taken : write_quotients(x, a, taken == RS_KNOWN, to);
}

/* As rs_for_each_list() does, but with the filter before the exact kernel, which takes the lists of
 * which that leaves a value open. RS-NUM-29 */
static int64_t filtered_quotients(quotients *x, const rs_filter *f, int64_t n, const rs_results *to)
{
    int64_t open = 0, nk = f->b->nk;
    memset(to->undecided, 0, (size_t)(n * nk));
    for (int64_t begin = 0, end; begin < n; begin = end) {
        end = rs_min(n, begin + RS_CELLS / nk);
        double values[RS_CELLS];
        if (rs_filtered(f, begin, end - begin, values)) {
            memcpy(to->out + begin * nk, values, (size_t)((end - begin) * nk) * sizeof *values);
            continue;
        }
        for (int64_t a = begin; a < end; a++) {
            int64_t found = write_filtered(x, a, values + (a - begin) * nk, to);
            if (found < 0)
                return found;
            open += found;
        }
    }
    return open;
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
        rs_filter filter;
        if (rs_filter_for(&filter, &x.c, lists, pools, n, room, &rooms))
            open = filtered_quotients(&x, &filter, n, to);
        else if (!rooms.lacking)
            open = rs_for_each_list(&x, n, take_in_gains_of_lists, write_quotients, to);
    }
    rs_leave(&rooms);
    return open;
}

/* RS-DCG-2; with starts RS-EXP-2 */
static int64_t values_of_dcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    rs_batch batch = {.d = m->discount, .k = m->k, .nk = m->nk};
    return rs_quotients(&batch, b->lists, NULL, b->n, m->gain, to);
}

/* RS-DCG-5 */
static int64_t values_of_idcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    rs_batch batch = {.d = m->discount, .k_ideal = m->k, .nk = m->nk, .own = rs_is_own_pool(b)};
    return rs_quotients(&batch, NULL, b->pools, b->n, m->gain, to);
}

/* Where each ideal is cut. */
static const int64_t *ideal_cuts(const rs_measure *m)
{
    return m->k_ideal ? m->k_ideal : m->k;
}

/* IDCG of a pool that is cut where the list ends, at the latest. RS-DCG-7 */
static bool ideal_of_shown(const label_list *J, rs_batch *b)
{
    rs_batch cut = *b;
    for (int64_t j = 0; j < b->nk; j++)
        b->cuts[j] = rs_min(b->k_ideal[j], b->n);
    cut.k_ideal = b->cuts;
    return idcg_of(J, &cut, b->below);
}

/* k items of gain 1, whatever the pool is; for the whole list as many as it has. RS-DCG-8 */
static bool perfect_ideal(const label_list *J, rs_batch *b)
{
    (void)J;
    for (int64_t j = 0; j < b->nk; j++)
        b->below[j] = rs_sum_of_first(b->d, b->k[j] == RS_WHOLE ? b->n : b->k[j]);
    return true;
}

/* RS-DCG-6, RS-DCG-7; with starts RS-EXP-3; with the discount 1 RS-DCG-9, RS-EXP-80 */
static int64_t values_of_ndcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    rs_batch batch = {.d = m->discount, .k = m->k, .k_ideal = ideal_cuts(m), .nk = m->nk};
    rs_rooms rooms = {0};
    int64_t open = RS_NO_MEMORY;
    if (m->ideal == RS_IDEAL_OF_SHOWN) {
        batch.ideal = ideal_of_shown;
        batch.cuts = rs_room(&rooms, m->nk, sizeof *batch.cuts);
    } else if (m->ideal == RS_IDEAL_PERFECT) {
        batch.ideal = perfect_ideal;
    }
    if (!rooms.lacking)
        open = rs_quotients(&batch, b->lists, b->pools, b->n, m->gain, to);
    rs_leave(&rooms);
    return open;
}

typedef struct {
    rs_whole_gains gains;
    const rs_discount *d;
} discounted_batch;

enum { MOST_GAIN_OF_LIST = 1 << 30 }; /* of a list or a pool: times a discount it is below 2^126 */

/* DCG of a list, or of the ideal ranking, down to rank i. */
typedef struct {
    int64_t i;
    u128 low, cg;
} running_dcg;

static inline void add_next_rank(running_dcg *to, uint64_t gain, const rs_discount *d)
{
    to->i++;
    to->low += gain ? gain * rs_discount_at(d, to->i) : 0;
    to->cg += gain;
}

/* How far a sum may be above what it is known to be, in units of 2^-126 of itself, rounded up. */
static u128 relative_error(const running_dcg *of, const rs_discount *d)
{
    enum { MOST_BITS = 40 }; /* of a gain up to MOST_GAIN_OF_LIST, and a unit */
    int shift = 127 - rs_bits(of->low);
    u128 slack = of->cg * d->unit;
    return rs_bits(slack) > MOST_BITS || shift > 126 - MOST_BITS ? (u128)1 << 126 : slack << shift;
}

/* Adds nDCG at a rank; false: the ideal is not known to be above 0, or too little is known.
 * RS-NUM-63 */
static bool add_ndcg(const running_dcg *dcg, const running_dcg *ideal, const rs_discount *d,
                     uint64_t times, rs_number *sum)
{
    enum { ERROR_OF_QUOTIENT = 5, BITS_OF_ERROR = 60 };
    if (dcg->cg > MOST_GAIN_OF_LIST || ideal->cg > MOST_GAIN_OF_LIST || ideal->low == 0)
        return false;
    if (dcg->low == 0)
        return dcg->cg == 0;
    u128 error = relative_error(dcg, d) + relative_error(ideal, d) + ERROR_OF_QUOTIENT;
    if (error >> BITS_OF_ERROR)
        return false;
    rs_float quotient = rs_times(rs_float_of(dcg->low, 0), rs_inverse(rs_float_of(ideal->low, 0)));
    rs_number ndcg = rs_number_within(quotient, (int64_t)error);
    ndcg = rs_multiple(times, &ndcg);
    *sum = rs_sum(sum, &ndcg);
    return true;
}

/* The value of a pool without a gain. RS-CONV-4 */
static bool fill_with_0(rs_whole_gains *x)
{
    for (int64_t j = 0; j < x->nk; j++)
        x->above[j] = x->below[j] = rs_integer(0);
    return true;
}

/* The mean of nDCG at the ranks that hold a gain, and of DCG over the whole ideal for each item of
 * the pool with a gain that is not shown. RS-DCG-10 */
static bool ndcg_of_relevant(rs_whole_gains *x)
{
    const rs_discount *d = ((const discounted_batch *)x)->d;
    running_dcg dcg = {0}, ideal = {0}, whole = {0};
    rs_number sum = rs_integer(0);
    int64_t found = 0;
    if (x->N_p == 0)
        return fill_with_0(x);
    if (d->depth < x->J.n)
        return false;
    while (whole.i < x->J.n)
        add_next_rank(&whole, rs_gain_of_best(x, whole.i), d);
    for (int64_t j = 0; j < x->nk; j++) {
        while (dcg.i < rs_min(x->k[j], x->r.n)) {
            uint64_t g = rs_gain_shown(x, dcg.i);
            add_next_rank(&ideal, rs_gain_of_best(x, ideal.i), d);
            add_next_rank(&dcg, g, d);
            found += g > 0;
            if (g && !add_ndcg(&dcg, &ideal, d, 1, &sum))
                return false;
        }
        int64_t missed = x->N_p - found;
        rs_number above = sum;
        if (missed < 0 || (missed && !add_ndcg(&dcg, &whole, d, (uint64_t)missed, &above)))
            return false;
        x->above[j] = above;
        x->below[j] = rs_integer((uint64_t)x->N_p);
    }
    return true;
}

/* Whether the ideal ranking has another gain, or none, after rank t. */
static bool ends_level(const rs_whole_gains *x, int64_t t)
{
    return t == x->N_p || rs_gain_of_best(x, t - 1) != rs_gain_of_best(x, t);
}

/* The mean of nDCG at the ranks where the levels of gain of the ideal ranking end, and at the end
 * of a list that is longer. RS-DCG-11 */
static bool ndcg_of_levels(rs_whole_gains *x)
{
    const rs_discount *d = ((const discounted_batch *)x)->d;
    if (x->N_p == 0)
        return fill_with_0(x);
    if (d->depth < x->J.n)
        return false;
    for (int64_t j = 0; j < x->nk; j++) {
        running_dcg dcg = {0}, ideal = {0};
        int64_t n = rs_min(x->k[j], x->r.n), ranks = 0;
        rs_number sum = rs_integer(0);
        while (ideal.i < x->N_p) {
            add_next_rank(&ideal, rs_gain_of_best(x, ideal.i), d);
            if (dcg.i < n)
                add_next_rank(&dcg, rs_gain_shown(x, dcg.i), d);
            if (!ends_level(x, ideal.i))
                continue;
            if (!add_ndcg(&dcg, &ideal, d, 1, &sum))
                return false;
            ranks++;
        }
        if (n >= x->N_p + 2) {
            while (dcg.i < n)
                add_next_rank(&dcg, rs_gain_shown(x, dcg.i), d);
            if (!add_ndcg(&dcg, &ideal, d, 1, &sum))
                return false;
            ranks++;
        }
        x->above[j] = sum;
        x->below[j] = rs_integer((uint64_t)ranks);
    }
    return true;
}

/* Each gain by the discount of what the list lacks of the ideal ranking down to it; left to the
 * reference where that is beyond the table, or all gains are more than the sums can hold.
 * RS-DCG-13, RS-NUM-6 */
static bool gain_by_lag(rs_whole_gains *x)
{
    const rs_discount *d = ((const discounted_batch *)x)->d;
    u128 low = 0, cg = 0, cost = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < rs_min(x->k[j], x->r.n); i++) {
            uint64_t g = rs_gain_shown(x, i), best = rs_gain_of_best(x, i);
            cg += g;
            cost += best > 1 ? best : 1;
            u128 lag = cost > cg ? cost - cg : 0;
            if (g && (lag >= (u128)d->depth || cg > MOST_GAIN_OF_LIST))
                return false;
            low += g ? g * rs_discount_at(d, (int64_t)lag + 1) : 0;
        }
        x->above[j] = (rs_number){.low = low, .slack = cg * d->unit, .exponent = d->exponent};
        x->below[j] = (rs_number){.low = x->gain};
    }
    return true;
}

static int64_t values_of_ndcg_rel(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    discounted_batch x = {.gains = {.values = ndcg_of_relevant}, .d = m->discount};
    return rs_values_of_whole_gains(&x.gains, m, b, to);
}

static int64_t values_of_ndcg_levels(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    discounted_batch x = {.gains = {.values = ndcg_of_levels}, .d = m->discount};
    return rs_values_of_whole_gains(&x.gains, m, b, to);
}

static int64_t values_of_g(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    discounted_batch x = {.gains = {.values = gain_by_lag}, .d = m->discount};
    x.gains.whole_labels = m->gain->kind == RS_EXP2; /* as others gain an irrational number */
    return rs_values_of_whole_gains(&x.gains, m, b, to);
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

/* ---- bounds ---------------------------------------------------------------------------- */

/* What a batch has more for bounds.
 * ideal, lower: IUB and LB, at each cut-off; worst: whether LB is WLB
 * one_group: starts by which any list is one tie group; squares: of the discounts, for variances
 * pool: that at hand; own: whether it is the list itself; normalised: whether it is divided by IDCG
 * small: whether the pool's labels are, of which gains is the sum of their gains
 * uniform: whether all gains of the pool are the same; spread: of these */
typedef struct rs_bounds_of_dcg {
    int32_t kind;
    bool worst, own, normalised;
    rs_number *ideal, *lower;
    uint8_t *one_group;
    rs_discount squares;

    label_list pool;
    bool small, uniform;
    uint64_t gains;
    rs_spread spread;
} dcg_bounds;

/* The spread of small gains, a whole number. */
static rs_spread spread_of_small(const dcg_bounds *x, u128 squares)
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
static void random_small(const dcg_bounds *x, const rs_batch *b)
{
    int64_t n = x->pool.n;
    rs_fraction mean = {0};
    if (x->gains)
        mean = rs_fraction_of(x->gains, (uint64_t)n);
    for (int64_t j = 0; j < b->nk; j++) {
        int64_t m = rs_min(n, b->k[j]);
        u128 discounts = rs_discount_sum(b->d, m);
        x->lower[j] = (rs_number){.slack = (u128)x->gains * b->d->unit, .exponent = b->d->exponent};
        if (x->gains && discounts) {
            x->lower[j].low = rs_fraction_times(&mean, discounts);
            x->lower[j].slack += 2 * (u128)m + 1;
        }
    }
}

/* WLB by counting: the items of a label of at least r take the last ranks, below those of less, and
 * each adds g(r) - g(r - 1) to what its rank gains. RS-BND-3, RS-NUM-18 */
static void worst_small(const dcg_bounds *x, const rs_batch *b, const int64_t *count, int top,
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
    dcg_bounds *x = b->bounds;
    int64_t count[SMALL_LABELS], rest = J->n;
    int top = rs_count_labels(J->small, J->n, count);
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
    dcg_bounds *x = b->bounds;
    int32_t top;
    if (!rs_ideal_gains(J, b->g, b->wide, &top))
        return false;
    x->uniform = J->n == 0 || b->wide[0] == b->wide[J->n - 1];
    if (rs_is_of_variance(x->kind))
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
    dcg_bounds *x = b->bounds;
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
    const dcg_bounds *x = b->bounds;
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
    const dcg_bounds *x = b->bounds;
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
    const dcg_bounds *x = b->bounds;
    if (rs_is_of_variance(x->kind)) {
        const rs_number one = rs_integer(1);
        rs_variance v = rs_variance_of_dcg(x->pool.n, &x->spread, b->d, &x->squares, b->k[j]);
        return x->kind == RS_VARIANCE
                   ? rs_round_variance(&v, &b->below[j], out)
                   : rs_z_value(&v, &b->above[j], &x->lower[j], &one, equal_dcg, b, j, out);
    }
    if (rs_is_of_pool(x->kind))
        return rs_round_quotient(x->kind == RS_IUB ? &x->ideal[j] : &x->lower[j], &b->below[j],
                                 out);
    return rs_bound_value(x->kind, &b->above[j], &x->ideal[j], &x->lower[j], equal_dcg, b, j, out);
}

/* RS-BND-1 to RS-BND-8; RS-EXP-1, RS-EXP-20, RS-EXP-23. k_ideal: of nDCG; NULL: of DCG */
static int64_t bounds_of_gains(const rs_measure *m, const int64_t *k_ideal, const rs_block *b,
                               const rs_results *to)
{
    bool own = rs_is_own_pool(b);
    dcg_bounds x = {.kind = m->bound, .worst = m->worst, .own = own, .normalised = k_ideal};
    rs_batch batch = {.d = m->discount, .k = m->k, .k_ideal = k_ideal, .nk = m->nk, .own = own};
    rs_rooms rooms = {0};
    int64_t open = RS_NO_MEMORY, deepest = rs_deepest_rank(m->k, m->nk, rs_longest(b->pools, b->n));
    x.ideal = rs_room(&rooms, m->nk, sizeof *x.ideal);
    x.lower = rs_room(&rooms, m->nk, sizeof *x.lower);
    x.one_group = rs_room_of_zeros(&rooms, rs_longest_of(b->lists, b->pools, b->n), 1);
    if (rs_is_of_variance(x.kind))
        rs_squares(m->discount, deepest, &x.squares, &rooms);
    batch.bounds = &x;
    batch.ideal = take_in_pool_of_gains;
    batch.value = bound_of_dcg_at;
    if (x.kind == RS_EXPECTED_VALUE) {
        batch.one_group = x.one_group;
        batch.ideal = k_ideal ? NULL : look_at_pool;
        batch.value = NULL;
    }
    if (!rooms.lacking)
        open = rs_quotients(&batch, rs_is_of_pool(x.kind) ? NULL : b->lists, b->pools, b->n,
                            m->gain, to);
    rs_leave(&rooms);
    return open;
}

static int64_t bounds_of_dcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_gains(m, NULL, b, to);
}

static int64_t bounds_of_ndcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_gains(m, ideal_cuts(m), b, to);
}

/* ---- the metrics ------------------------------------------------------------------------- */

enum { OF_GAINS = RS_NEEDS_GAIN | RS_NEEDS_DISCOUNT };

const rs_metric rs_metrics_of_dcg[] = {
    {.metric = RS_DCG,
     .needs = OF_GAINS,
     .values = values_of_dcg,
     .bounds = bounds_of_dcg,
     .varies = true},
    {.metric = RS_IDCG, .needs = OF_GAINS | RS_NEEDS_POOLS, .values = values_of_idcg},
    {.metric = RS_NDCG,
     .needs = OF_GAINS | RS_NEEDS_POOLS | RS_NEEDS_DISCOUNT_OF_IDEAL,
     .values = values_of_ndcg,
     .bounds = bounds_of_ndcg,
     .varies = true},
    {.metric = RS_NDCG_REL, .needs = OF_GAINS | RS_NEEDS_POOLS, .values = values_of_ndcg_rel},
    {.metric = RS_NDCG_LEVELS, .needs = OF_GAINS | RS_NEEDS_POOLS, .values = values_of_ndcg_levels},
    {.metric = RS_G, .needs = OF_GAINS | RS_NEEDS_POOLS, .values = values_of_g},
    {0},
};
