/* Cumulated gain: CG, DCG, ideal DCG and nDCG. Spec: chapter "dcg".
 *
 * Two kernels compute the same sums. Labels that are small whole numbers with small gains go
 * through integer products with the limbs of the discounts, which vectorise; everything else
 * goes through gains in fixed point of 96 bits. CG is DCG with the discount 1.
 */
#include "dcg.h"

#include <stdlib.h>
#include <string.h>

/* ---- small labels ------------------------------------------------------------------- */

/* Whether the sums of these labels stay within 64 bits a limb: the largest gain times the
 * length is below 2^32, so limb sums are below 2^64, and DCG is below 2^32 2^96. RS-NUM-6 */
static bool is_small(const label_list *r, const gain_table *g)
{
    if (!r->small || r->n == 0)
        return r->n == 0;
    uint64_t largest = g->small[r->top];
    return largest != NO_SMALL_GAIN && largest * (uint64_t)r->n < 1ull << 32;
}

/* The sums over ranks of gain times limb, limb by limb, and the sum of the gains. */
typedef struct {
    uint64_t limb0, limb1, limb2, gains;
} limb_sums;

RS_CLONES static void add_linear(const uint8_t *r, const rs_discount *d, int64_t begin,
                                 int64_t end, limb_sums *sums)
{
    const uint32_t *limb0 = d->limb0, *limb1 = d->limb1, *limb2 = d->limb2;
    uint64_t sum0 = 0, sum1 = 0, sum2 = 0;
    uint32_t gains = 0;
    for (int64_t i = begin; i < end; i++) {
        uint32_t gain = r[i];
        sum0 += (uint64_t)gain * limb0[i];
        sum1 += (uint64_t)gain * limb1[i];
        sum2 += (uint64_t)gain * limb2[i];
        gains += gain;
    }
    sums->limb0 += sum0;
    sums->limb1 += sum1;
    sums->limb2 += sum2;
    sums->gains += gains;
}

static void add_by_table(const uint8_t *r, const gain_table *g, const rs_discount *d,
                         int64_t begin, int64_t end, limb_sums *sums)
{
    for (int64_t i = begin; i < end; i++) {
        uint64_t gain = g->small[r[i]];
        sums->limb0 += gain * d->limb0[i];
        sums->limb1 += gain * d->limb1[i];
        sums->limb2 += gain * d->limb2[i];
        sums->gains += gain;
    }
}

static rs_number number_of(u128 low, uint64_t gains, const rs_discount *d)
{
    return (rs_number){.low = low, .slack = (u128)gains * d->unit, .exponent = d->exponent};
}

/* DCG@k for each k. RS-DCG-2, RS-DCG-1 */
static void dcg_small(const label_list *r, const gain_table *g, const rs_discount *d,
                      const int64_t *k, int64_t nk, rs_number *dcg)
{
    limb_sums sums = {0, 0, 0, 0};
    int64_t begin = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t end = rs_min(k[j], r->n);
        if (g->linear)
            add_linear(r->small, d, begin, end, &sums);
        else
            add_by_table(r->small, g, d, begin, end, &sums);
        begin = end;
        u128 low = sums.limb0 + ((u128)sums.limb1 << 32) + ((u128)sums.limb2 << 64);
        dcg[j] = number_of(low, sums.gains, d);
    }
}

/* How often each label from 1 to 4 occurs, and the highest label; blocks of 255 keep the
 * counters in a byte, so that the loop vectorises well. */
RS_CLONES static int count_to_four(const uint8_t *r, int64_t n, int64_t *count)
{
    uint8_t top = 0;
    for (int64_t begin = 0; begin < n; begin += 255) {
        int length = (int)rs_min(255, n - begin);
        const uint8_t *x = r + begin;
        uint8_t ones = 0, twos = 0, threes = 0, fours = 0;
        for (int i = 0; i < length; i++) {
            ones += x[i] == 1;
            twos += x[i] == 2;
            threes += x[i] == 3;
            fours += x[i] == 4;
            top = x[i] > top ? x[i] : top;
        }
        count[1] += ones;
        count[2] += twos;
        count[3] += threes;
        count[4] += fours;
    }
    return top;
}

/* How often each label occurs (but 0); returns the highest. */
static int count_labels(const label_list *J, int64_t count[SMALL_LABELS])
{
    memset(count, 0, 5 * sizeof *count);
    int top = count_to_four(J->small, J->n, count);
    if (top > 4) {
        memset(count, 0, (size_t)(top + 1) * sizeof *count);
        for (int64_t i = 0; i < J->n; i++)
            count[J->small[i]]++;
    }
    return top;
}

/* IDCG@k for each k, by counting: the ideal order is the labels from the highest down, and
 * the discounts of a run of equal labels are a difference of two sums. RS-DCG-4, RS-DCG-5 */
static void idcg_small(const label_list *J, const gain_table *g, const rs_discount *d,
                       const int64_t *k, int64_t nk, rs_number *idcg)
{
    int64_t count[SMALL_LABELS];
    int top = count_labels(J, count);
    for (int64_t j = 0; j < nk; j++) {
        int64_t rank = 0;
        uint64_t gains = 0;
        u128 low = 0, sum = 0;
        for (int label = top; label > 0 && rank < k[j]; label--) {
            if (count[label] == 0)
                continue;
            int64_t taken = rs_min(count[label], k[j] - rank);
            rank += taken;
            u128 next = rs_discount_sum(d, rank);
            low += g->small[label] * (next - sum);
            gains += g->small[label] * (uint64_t)taken;
            sum = next;
        }
        if (g->small[0] && rank < k[j]) { /* a gain table may reward the label 0 */
            int64_t last = rs_min(k[j], J->n);
            low += g->small[0] * (rs_discount_sum(d, last) - sum);
            gains += g->small[0] * (uint64_t)(last - rank);
        }
        idcg[j] = number_of(low, gains, d);
    }
}

/* ---- any labels --------------------------------------------------------------------- */

/* floor(gain discounts / 2^96), for gain < 2^97 and discounts < 2^127 */
u128 rs_wide_product(u128 gain, u128 discounts)
{
    uint64_t g0 = (uint64_t)gain, g1 = (uint64_t)(gain >> 64);
    uint64_t d0 = (uint64_t)discounts, d1 = (uint64_t)(discounts >> 64);
    u128 middle = (u128)g1 * d0 + (u128)g0 * d1 + ((u128)g0 * d0 >> 64);
    return (middle >> 32) + ((u128)g1 * d1 << 32);
}

/* The gains of a list in fixed point; false where one of them is not known. */
static bool wide_gains(const label_list *r, const gain_table *g, wide_gain *G, int32_t *top)
{
    *top = INT32_MIN;
    for (int64_t i = 0; i < r->n; i++) {
        gain_number gain = rs_gain_of(r, i, g);
        if (!gain.known)
            return false;
        int32_t above = rs_bits(gain.mantissa) + gain.exponent;
        if (gain.mantissa && above > *top)
            *top = above;
    }
    if (*top == INT32_MIN)
        *top = 0; /* every gain is 0 */
    for (int64_t i = 0; i < r->n; i++) {
        gain_number gain = rs_gain_of(r, i, g);
        int32_t shift = gain.exponent + 96 - *top;
        if (gain.mantissa == 0)
            G[i] = 0;
        else if (shift >= 0)
            G[i] = (u128)gain.mantissa << shift;
        else /* a gain of less than 2^-96 of the greatest stays above 0: it is not nothing */
            G[i] = shift > -64 ? (u128)gain.mantissa >> -shift : 0;
        if (gain.mantissa && G[i] == 0)
            return false;
    }
    return true;
}

/* DCG@k for each k; each product lacks less than 3 units: the gain, the discount and the
 * product itself are rounded down. RS-NUM-8 */
static void dcg_wide(const wide_gain *G, int64_t n, int32_t top, const rs_discount *d,
                     const int64_t *k, int64_t nk, rs_number *dcg)
{
    u128 low = 0, slack = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        for (; i < rs_min(k[j], n); i++) {
            if (G[i] == 0)
                continue;
            u128 D = (u128)d->limb2[i] << 64 | (u128)d->limb1[i] << 32 | d->limb0[i];
            low += rs_wide_product(G[i], D);
            slack += 2 + (u128)d->unit;
        }
        dcg[j] = (rs_number){.low = low, .slack = slack, .exponent = top + d->exponent};
    }
}

static int falling(const void *a, const void *b)
{
    wide_gain x = *(const wide_gain *)a, y = *(const wide_gain *)b;
    return (x < y) - (x > y);
}

/* ---- one list, either kernel -------------------------------------------------------- */

typedef struct {
    const gain_table *g;
    const rs_discount *d;
    const int64_t *k;
    int64_t nk;
    uint8_t *bytes;  /* scratch: labels as bytes */
    wide_gain *wide; /* scratch: gains in fixed point */
} context;

/* Reads list a; returns the position of the first label that is refused, or -1. */
static int64_t read_list(const rs_lists *lists, int64_t a, const context *c, label_list *r)
{
    int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t refused = rs_read_labels(at, lists->type, n, c->g, c->bytes, r);
    return refused < 0 ? -1 : begin + refused;
}

/* DCG@k, or its expectation over the orders of the tie groups; false where a gain is not known. */
static bool dcg_of(const label_list *r, const uint8_t *starts, const context *c, rs_number *dcg)
{
    if (is_small(r, c->g)) {
        if (starts)
            rs_expected_dcg_small(r, starts, c->g, c->d, c->k, c->nk, dcg);
        else
            dcg_small(r, c->g, c->d, c->k, c->nk, dcg);
        return true;
    }
    int32_t top;
    if (!wide_gains(r, c->g, c->wide, &top))
        return false;
    if (starts)
        rs_expected_dcg_wide(c->wide, r->n, top, starts, c->d, c->k, c->nk, dcg);
    else
        dcg_wide(c->wide, r->n, top, c->d, c->k, c->nk, dcg);
    return true;
}

static bool idcg_of(const label_list *J, const context *c, rs_number *idcg)
{
    if (is_small(J, c->g)) {
        idcg_small(J, c->g, c->d, c->k, c->nk, idcg);
        return true;
    }
    int32_t top;
    if (!wide_gains(J, c->g, c->wide, &top))
        return false;
    qsort(c->wide, (size_t)J->n, sizeof *c->wide, falling);
    dcg_wide(c->wide, J->n, top, c->d, c->k, c->nk, idcg);
    return true;
}

/* ---- batches ------------------------------------------------------------------------ */

static int64_t longest(const rs_lists *lists, int64_t n)
{
    int64_t length = 0;
    for (int64_t a = 0; lists && a < n; a++) {
        int64_t own = lists->offsets[a + 1] - lists->offsets[a];
        length = own > length ? own : length;
    }
    return length;
}

/* DCG of the lists, divided by IDCG of the pools; without lists or pools, the other alone. */
static int64_t quotients(const rs_lists *lists, const rs_lists *pools, int64_t n, const rs_gain *g,
                         const rs_discount *d, const int64_t *k, int64_t nk, double *out,
                         uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    int64_t most = longest(lists, n), most_pooled = longest(pools, n);
    size_t room = (size_t)(most > most_pooled ? most : most_pooled) + 1;
    gain_table table;
    rs_gain_table(g, &table);
    context c = {.g = &table, .d = d, .k = k, .nk = nk};
    rs_number *above = malloc((size_t)(nk + 1) * sizeof *above);
    rs_number *below = malloc((size_t)(nk + 1) * sizeof *below);
    c.bytes = malloc(room);
    c.wide = malloc(room * sizeof *c.wide);
    int64_t open = above && below && c.bytes && c.wide ? 0 : RS_NO_MEMORY;

    for (int64_t j = 0; j < nk && open == 0; j++)
        above[j] = below[j] = rs_integer(1);
    for (int64_t a = 0; a < n && open >= 0; a++) {
        label_list r;
        bool known = true;
        int64_t bad = -1;
        *in_pool = 0;
        if (lists) {
            bad = read_list(lists, a, &c, &r);
            const uint8_t *starts = lists->starts ? lists->starts + lists->offsets[a] : NULL;
            known = bad < 0 && dcg_of(&r, starts, &c, above);
        }
        if (bad < 0 && pools) {
            if (pools != lists) {
                *in_pool = 1;
                bad = read_list(pools, a, &c, &r);
            }
            known = bad < 0 && idcg_of(&r, &c, lists ? below : above) && known;
        }
        if (bad >= 0) {
            *refused = bad;
            open = RS_REFUSED;
            break;
        }
        for (int64_t j = 0; j < nk; j++) {
            int64_t cell = a * nk + j;
            bool decided = known && rs_round_quotient(above[j], below[j], &out[cell]);
            undecided[cell] = !decided;
            open += !decided;
        }
    }
    free(above);
    free(below);
    free(c.bytes);
    free(c.wide);
    return open;
}

/* RS-DCG-2; with starts RS-EXP-2 */
int64_t rs_dcg(const rs_lists *lists, int64_t n, const rs_gain *g, const rs_discount *d,
               const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    int32_t in_pool;
    return quotients(lists, NULL, n, g, d, k, nk, out, undecided, refused, &in_pool);
}

/* RS-DCG-5 */
int64_t rs_idcg(const rs_lists *pools, int64_t n, const rs_gain *g, const rs_discount *d,
                const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused)
{
    int32_t in_pool;
    return quotients(NULL, pools, n, g, d, k, nk, out, undecided, refused, &in_pool);
}

/* RS-DCG-6; with starts RS-EXP-3 */
int64_t rs_ndcg(const rs_lists *lists, const rs_lists *pools, int64_t n, const rs_gain *g,
                const rs_discount *d, const int64_t *k, int64_t nk, double *out,
                uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    return quotients(lists, pools, n, g, d, k, nk, out, undecided, refused, in_pool);
}
