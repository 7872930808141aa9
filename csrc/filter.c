/* Quotients of sums of small gains, in doubles first. Spec: RS-NUM-29.
 *
 * Discounts are cut to two whole numbers of 36 bits, whose sums of gains times discounts are exact in
 * doubles and go well into vectors. A quotient of two such sums is known to about 2^-68 of itself;
 * where that does not decide how it is rounded, the exact kernel takes the list.
 */
#include "filter.h"

#include <math.h> /* NAN, ldexp */

enum { PART = 36, LEFT_OUT = 24, MOST_GAIN = 1 << 16, DEEPEST = 4096 };

static const double OF_HIGH = 0x1p36; /* a unit of the high parts, in those of the low ones */

/* ---- discounts in two parts --------------------------------------------------------------- */

/* floor(D / 2^24) = 2^36 high + low, for the ranks 1 to depth; false where it is too small, or D is
 * not known so well. */
static bool cut_discounts(rs_filter *f, const rs_discount *d, int64_t depth)
{
    double least = OF_HIGH, high = 0, low = 0;
    f->sums[0] = (rs_two){0};
    for (int64_t i = 0; i < depth; i++) {
        u128 D = rs_discount_at(d, i + 1) >> LEFT_OUT;
        f->high[i] = (double)(int64_t)(D >> PART);
        f->low[i] = (double)(int64_t)((uint64_t)D & ((1ull << PART) - 1));
        least = f->high[i] < least ? f->high[i] : least;
        high += f->high[i];
        low += f->low[i];
        f->sums[i + 1] = (rs_two){high, low};
    }
    f->depth = depth;
    f->error = 8 / (least * OF_HIGH);
    return d->unit >> LEFT_OUT == 0 && f->error < 0x1p-60;
}

/* Whether a batch can go through the filter, which is then made: DCG, IDCG or their quotient, of
 * settled lists; of so many that the tables are worth while. */
bool rs_filter_for(rs_filter *f, const rs_batch *b, const rs_lists *lists, const rs_lists *pools,
                   int64_t n, int64_t longest, rs_rooms *rooms)
{
    enum { FEWEST = 16, ROOM = 1 << 14 };
    if (n < FEWEST || b->nk < 1 || b->nk > RS_CELLS || b->value || b->ideal || b->one_group ||
        (lists && lists->starts) || b->d->exponent < -200 || b->d->exponent > 0)
        return false;
    int64_t deepest = lists ? b->k[b->nk - 1] : 0;
    if (pools && b->k_ideal[b->nk - 1] > deepest)
        deepest = b->k_ideal[b->nk - 1];
    deepest = rs_min(rs_min(deepest, longest), rs_min(b->d->depth, DEEPEST));
    f->b = b;
    f->shown = lists;
    f->pooled = pools;
    f->own = lists == pools;
    f->below = ldexp(1, -(b->d->exponent + LEFT_OUT) - PART);
    f->size = 2 * longest > ROOM ? 2 * longest : ROOM;
    f->bytes = rs_room(rooms, f->size, 1);
    f->gains = rs_room(rooms, longest, 1);
    f->high = rs_room(rooms, deepest, sizeof *f->high);
    f->low = rs_room(rooms, deepest, sizeof *f->low);
    f->sums = rs_room(rooms, deepest, sizeof *f->sums);
    for (int label = 0; label < SMALL_LABELS; label++) {
        uint64_t below = label ? b->g->small[label - 1] : 0;
        f->gain[label] = (uint8_t)b->g->small[label];
        f->step[label] = (double)(int64_t)(b->g->small[label] - below);
    }
    return !rooms->lacking && deepest > 0 && cut_discounts(f, b->d, deepest);
}

/* ---- vectors ------------------------------------------------------------------------------- */

typedef double four __attribute__((vector_size(32)));
typedef int32_t ints_of_four __attribute__((vector_size(16)));
typedef uint8_t thirty_two __attribute__((vector_size(32)));

static const uint8_t none_then_all[64] = {
    [32] = 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* The bytes begin to end, fewer than 32, and 0 before them. No byte is read but r[0] to r[end - 1]. */
RS_TEMPLATE void load_last(const uint8_t *r, int64_t begin, int64_t end, thirty_two *to)
{
    enum { WIDTH = sizeof *to };
    if (end < WIDTH) {
        uint8_t few[WIDTH] = {0};
        for (int64_t i = begin; i < end; i++)
            few[i] = r[i];
        memcpy(to, few, sizeof *to);
        return;
    }
    thirty_two keep;
    memcpy(&keep, none_then_all + (end - begin), sizeof keep);
    memcpy(to, r + end - WIDTH, sizeof *to);
    *to &= keep;
}

RS_TEMPLATE int64_t sum_of_thirty_two(const thirty_two *x)
{
    sixteen halves[2];
    memcpy(halves, x, sizeof halves);
    return sum_of_bytes(halves[0] + halves[1]);
}

/* How often the labels 1 to 4 occur; false where a label is above 4. */
RS_TEMPLATE bool count_four(const label_list *J, int64_t *count)
{
    enum { WIDTH = 32, MOST = 63 }; /* twice as many vectors fill no byte of a counter */
    thirty_two above_four = {0};
    memset(count, 0, 5 * sizeof *count);
    for (int64_t i = 0; i < J->n;) {
        int64_t end = rs_min(J->n, i + WIDTH * MOST);
        thirty_two ones = {0}, twos = {0}, threes = {0}, fours = {0};
        for (; i < end; i += WIDTH) {
            thirty_two labels;
            if (end - i >= WIDTH)
                memcpy(&labels, J->small + i, WIDTH);
            else
                load_last(J->small, i, end, &labels);
            ones -= labels == 1;
            twos -= labels == 2;
            threes -= labels == 3;
            fours -= labels == 4;
            above_four |= labels > 4;
        }
        count[1] += sum_of_thirty_two(&ones);
        count[2] += sum_of_thirty_two(&twos);
        count[3] += sum_of_thirty_two(&threes);
        count[4] += sum_of_thirty_two(&fours);
        i = end;
    }
    sixteen halves[2];
    memcpy(halves, &above_four, sizeof halves);
    return all_zero(halves[0] | halves[1]);
}

/* The sums of eight gains times the discounts at `at` and behind it. */
typedef struct {
    four high, low;
} four_sums;

RS_TEMPLATE void add_eight(const uint8_t *gains, const rs_filter *f, int64_t at, four_sums *sums)
{
    for (int half = 0; half < 2; half++) {
        int32_t wide[4]; /* gcc makes one instruction of this loop, but many of a conversion of vectors */
        ints_of_four ints;
        four high, low;
        for (int i = 0; i < 4; i++)
            wide[i] = gains[4 * half + i];
        memcpy(&ints, wide, sizeof ints);
        const four gain = __builtin_convertvector(ints, four);
        memcpy(&high, f->high + at + 4 * half, sizeof high);
        memcpy(&low, f->low + at + 4 * half, sizeof low);
        sums->high += gain * high;
        sums->low += gain * low;
    }
}

/* ---- sums of a list ------------------------------------------------------------------------ */

/* Numerators and denominators, in two parts. */
typedef struct {
    double above_high[RS_CELLS], above_low[RS_CELLS], below_high[RS_CELLS], below_low[RS_CELLS];
} quotients_of_parts;

/* Whether the sums of so many gains are exact. */
RS_TEMPLATE bool is_exact(const rs_filter *f, uint64_t gain, int64_t ranks)
{
    return ranks <= f->depth && gain < MOST_GAIN && gain * (uint64_t)ranks < MOST_GAIN;
}

/* The gains of the first labels, which are bytes. */
RS_TEMPLATE const uint8_t *byte_gains(const rs_filter *f, const label_list *r, int64_t shown)
{
    if (f->b->g->linear)
        return r->small;
    for (int64_t i = 0; i < shown; i++)
        f->gains[i] = f->gain[r->small[i]];
    return f->gains;
}

/* DCG at each cut-off; false where it is left to the exact kernel. top: no label is above it. */
RS_TEMPLATE bool dcg_in_parts(const rs_filter *f, const label_list *r, int top, double *high,
                              double *low)
{
    enum { WIDTH = 8 };
    int64_t shown = rs_min(r->n, f->b->k[f->b->nk - 1]);
    uint64_t most = f->b->g->small[top];
    if (!r->small || most > UINT8_MAX || !is_exact(f, most, shown))
        return false;
    const uint8_t *gains = byte_gains(f, r, shown);
    four_sums sums = {0};
    double few_high = 0, few_low = 0; /* what fewer than eight labels add */
    int64_t i = 0;
    for (int64_t j = 0; j < f->b->nk; j++) {
        int64_t end = rs_min(shown, f->b->k[j]);
        for (; end - i >= WIDTH; i += WIDTH)
            add_eight(gains + i, f, i, &sums);
        if (i < end && end >= WIDTH) { /* the last eight, of which those that were added are made 0 */
            uint64_t last, keep;
            memcpy(&last, gains + end - WIDTH, sizeof last);
            memcpy(&keep, none_then_all + 32 - WIDTH + (end - i), sizeof keep);
            last &= keep;
            add_eight((const uint8_t *)&last, f, end - WIDTH, &sums);
            i = end;
        }
        for (; i < end; i++) {
            few_high += gains[i] * f->high[i];
            few_low += gains[i] * f->low[i];
        }
        high[j] = (sums.high[0] + sums.high[1]) + (sums.high[2] + sums.high[3]) + few_high;
        low[j] = (sums.low[0] + sums.low[1]) + (sums.low[2] + sums.low[3]) + few_low;
    }
    return true;
}

/* IDCG at each cut-off, by counting as rs_idcg_of_counts() does. */
RS_TEMPLATE bool idcg_in_parts(const rs_filter *f, const int64_t *count, int top, int64_t n,
                               double *high, double *low)
{
    for (int64_t j = 0; j < f->b->nk; j++) {
        int64_t ranks = rs_min(n, f->b->k_ideal[j]), at_least = 0;
        if (!is_exact(f, f->b->g->small[top], ranks))
            return false;
        rs_two sums = f->step[0] * f->sums[ranks];
        for (int label = top; label > 0; label--) {
            at_least += count[label];
            sums += f->step[label] * f->sums[rs_min(at_least, ranks)];
        }
        high[j] = sums[0];
        low[j] = sums[1];
    }
    return true;
}

/* The sums of the list at hand; false where one of them is left to the exact kernel. */
RS_TEMPLATE bool sums_of_list(const rs_filter *f, int64_t a, int64_t cell, quotients_of_parts *x)
{
    const label_list *r = &f->lists[a];
    int top = r->top;
    if (f->pooled) {
        const label_list *J = f->own ? r : &f->pools[a];
        int64_t count[SMALL_LABELS];
        if (!J->small)
            return false;
        int top_of_pool = count_four(J, count) ? 4 : rs_count_labels(J, count);
        top = f->own ? top_of_pool : top;
        if (!idcg_in_parts(f, count, top_of_pool, J->n,
                           (f->shown ? x->below_high : x->above_high) + cell,
                           (f->shown ? x->below_low : x->above_low) + cell))
            return false;
    }
    return !f->shown || dcg_in_parts(f, r, top, x->above_high + cell, x->above_low + cell);
}

/* ---- quotients ----------------------------------------------------------------------------- */

/* The first 26 bits of x. */
RS_TEMPLATE double first_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~0ull << 27;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The quotients, correctly rounded, or NaN where that is not sure; no intermediate value needs to be
 * rounded in a certain way. A sum is 0 where its high part is. */
RS_TEMPLATE void round_quotients(const quotients_of_parts *x, double error, double *restrict out)
{
    for (int i = 0; i < RS_CELLS; i++) {
        const double nothing = x->above_high[i] == 0 || x->below_high[i] == 0 ? 1.0 : 0.0;
        const double a_high = x->above_high[i] * OF_HIGH, a_low = x->above_low[i];
        const double b_high = x->below_high[i] * OF_HIGH + nothing, b_low = x->below_low[i];
        const double a = a_high + a_low, a_rest = a_low - (a - a_high);
        const double b = b_high + b_low, b_rest = b_low - (b - b_high);
        const double inverse = 1 / b, q = a * inverse;
        const double q1 = first_bits(q), q2 = q - q1, b1 = first_bits(b), b2 = b - b1;
        const double rest = (((a - q1 * b1) - q1 * b2) - q2 * b1) - q2 * b2;
        const double more = (rest + (a_rest - q * b_rest)) * inverse, e = q * error;
        const double low = q + (more - e), high = q + (more + e);
        const double rounded = low == high ? low : (double)NAN;
        out[i] = nothing != 0 ? 0.0 : rounded;
    }
}

/* The values of the n lists of the chunk at each cut-off; NaN: left to the exact kernel. */
RS_CLONES void rs_filtered(rs_filter *f, int64_t n, double *out)
{
    quotients_of_parts x;
    int64_t nk = f->b->nk;
    for (int64_t i = 0; i < RS_CELLS; i++) {
        x.above_high[i] = x.above_low[i] = x.below_low[i] = 0;
        x.below_high[i] = f->below;
    }
    for (int64_t a = 0; a < n; a++)
        if (!sums_of_list(f, a, a * nk, &x))
            for (int64_t j = 0; j < nk; j++)
                x.above_high[a * nk + j] = NAN;
    round_quotients(&x, f->error, out);
}
