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
    f->error = 8 / (least * OF_HIGH);
    return d->unit >> LEFT_OUT == 0 && f->error < 0x1p-60;
}

/* What is known of the gains of labels that are bytes. */
static void take_small_gains(rs_filter *f, const gain_table *g)
{
    f->any = g->linear;
    f->highest = rs_highest_admitted(g, UINT8_MAX);
    for (int label = 0; label < SMALL_LABELS; label++) {
        uint64_t below = label ? g->small[label - 1] : 0;
        f->gain[label] = (uint8_t)g->small[label];
        f->step[label] = (double)(int64_t)(g->small[label] - below);
        f->most_ranks[label] = (int32_t)rs_min(f->depth, (MOST_GAIN - 1) / (label ? label : 1));
    }
    for (int label = 0; label < 5; label++)
        memset(f->each[label], label, sizeof f->each[label]);
}

/* Whether a batch can go through the filter, which is then made: DCG, IDCG or their quotient, of
 * settled lists; of so many that the tables are worth while. */
bool rs_filter_for(rs_filter *f, const rs_batch *b, const rs_lists *lists, const rs_lists *pools,
                   int64_t n, int64_t longest, rs_rooms *rooms)
{
    enum { FEWEST = 16 };
    if (n < FEWEST || b->nk < 1 || b->nk > RS_CELLS || b->value || b->ideal || b->one_group ||
        (lists && lists->starts) || b->d->exponent < -200 || b->d->exponent > 0)
        return false;
    int64_t deepest = lists ? b->k[b->nk - 1] : 0;
    if (pools && b->k_ideal[b->nk - 1] > deepest)
        deepest = b->k_ideal[b->nk - 1];
    deepest = rs_min(rs_min(deepest, longest), rs_min(b->d->depth, DEEPEST));
    f->b = b;
    f->lists = lists;
    f->pools = pools;
    f->own = lists == pools;
    f->below = ldexp(1, -(b->d->exponent + LEFT_OUT) - PART);
    f->bytes = b->bytes;
    f->pool_bytes = rs_room(rooms, longest, 1);
    f->gains = rs_room(rooms, longest, 1);
    f->high = rs_room(rooms, deepest, sizeof *f->high);
    f->low = rs_room(rooms, deepest, sizeof *f->low);
    f->sums = rs_room(rooms, deepest, sizeof *f->sums);
    f->depth = deepest;
    take_small_gains(f, b->g);
    return !rooms->lacking && deepest > 0 && cut_discounts(f, b->d, deepest);
}

/* ---- vectors ------------------------------------------------------------------------------- */

typedef double four __attribute__((vector_size(32)));
typedef int32_t ints_of_four __attribute__((vector_size(16)));
typedef uint8_t thirty_two __attribute__((vector_size(32)));
enum { WIDTH = sizeof(thirty_two) };

static const uint8_t none_then_all[64] = {
    [32] = 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* The bytes begin to end, fewer than 32, and 0 before them. No byte is read but r[0] to r[end - 1]. */
RS_TEMPLATE void load_last(const uint8_t *r, int64_t begin, int64_t end, thirty_two *to)
{
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

/* One by one: gcc takes a slow instruction for all at once. */
RS_TEMPLATE void begin_to_count(thirty_two *found)
{
    for (int label = 0; label < 5; label++)
        found[label] = (thirty_two){0};
}

/* Counts the labels 0 to 4. */
RS_TEMPLATE void count_each(const rs_filter *f, const thirty_two *labels, thirty_two *found)
{
    for (int label = 0; label < 5; label++) {
        thirty_two own;
        memcpy(&own, f->each[label], sizeof own);
        found[label] -= *labels == own;
    }
}

/* How many labels are at least 0, 1, 2, 3 and 4, in 12 bits each, from the highest down. */
typedef uint64_t five_counts;
enum { BITS_OF_A_COUNT = 12, MOST_COUNT = (1 << BITS_OF_A_COUNT) - 1, COUNTABLE = 63 * WIDTH };

/* The sums of the bytes of both halves, none of which is above 63. */
RS_TEMPLATE two_words sums_of_thirty_two(const thirty_two *x)
{
    sixteen halves[2];
    memcpy(halves, x, sizeof halves);
    return sums_of_eight_bytes(halves[0] + halves[1]);
}

/* What was counted of n labels; false where one of them is above 4. */
RS_TEMPLATE bool is_all(const thirty_two *found, int64_t n, five_counts *at_least)
{
    two_words counts = sums_of_thirty_two(&found[4]);
    for (int label = 0; label < 4; label++)
        counts |= sums_of_thirty_two(&found[label]) << BITS_OF_A_COUNT * (4 - label);
    /* Each count and those of the labels above it. */
    *at_least = (counts[0] + counts[1]) * 0x0001001001001001;
    int64_t all = (int64_t)(*at_least >> 4 * BITS_OF_A_COUNT & MOST_COUNT);
    return all == ((n + WIDTH - 1) & -WIDTH); /* with the zeros that fill the last vector */
}

/* Counts up to COUNTABLE labels; false where one of them is above 4. */
RS_TEMPLATE bool count_four(const rs_filter *f, const uint8_t *r, int64_t n, five_counts *at_least)
{
    thirty_two found[5], labels;
    int64_t i = 0;
    begin_to_count(found);
    for (; n - i >= WIDTH; i += WIDTH) {
        memcpy(&labels, r + i, sizeof labels);
        count_each(f, &labels, found);
    }
    if (i < n) {
        load_last(r, i, n, &labels);
        count_each(f, &labels, found);
    }
    return is_all(found, n, at_least);
}

/* Sums of gains times the discounts at `at` and behind it. */
typedef struct {
    four high, low;
} four_sums;

RS_TEMPLATE void add_four(const four *gains, const rs_filter *f, int64_t at, four_sums *sums)
{
    four high, low;
    memcpy(&high, f->high + at, sizeof high);
    memcpy(&low, f->low + at, sizeof low);
    sums->high += *gains * high;
    sums->low += *gains * low;
}

RS_TEMPLATE void add_eight(const uint8_t *gains, const rs_filter *f, int64_t at, four_sums *sums)
{
    int32_t wide[8]; /* gcc makes one instruction of this loop, but many of a conversion of vectors */
    for (int i = 0; i < 8; i++)
        wide[i] = gains[i];
    for (int half = 0; half < 2; half++) {
        ints_of_four ints;
        memcpy(&ints, wide + 4 * half, sizeof ints);
        const four own = __builtin_convertvector(ints, four);
        add_four(&own, f, at + 4 * half, sums);
    }
}

/* Both sums, whose parts are added. */
RS_TEMPLATE rs_two both_parts(const four_sums *sums)
{
    const four high = sums->high, low = sums->low;
    const four even = {high[0], low[0], high[2], low[2]}, odd = {high[1], low[1], high[3], low[3]};
    rs_two halves[2];
    const four both = even + odd;
    memcpy(halves, &both, sizeof halves);
    return halves[0] + halves[1];
}

/* ---- labels that are no bytes -------------------------------------------------------------- */

typedef uint32_t eight_words __attribute__((vector_size(32)));
typedef uint64_t four_words __attribute__((vector_size(32)));
typedef float eight_floats __attribute__((vector_size(32)));

/* Adds labels as words, as gain.c has them one by one: above 255 where they are no whole numbers from 0
 * to 255. */
#define WORDS_OF_WHOLE(T, words)                                                                  \
    RS_TEMPLATE void add_words_of_##T(const words *labels, int shift, words *packed, words *any)  \
    {                                                                                             \
        *any |= *labels;                                                                          \
        *packed |= *labels << shift;                                                              \
    }
#define WORDS_OF_REAL(T, words, reals, power, bits_of_power)                                      \
    RS_TEMPLATE void add_words_of_##T(const words *labels, int shift, words *packed, words *any)  \
    {                                                                                             \
        const reals x = (reals)*labels, sum = x + power;                                          \
        const words own = (words)sum - bits_of_power;                                             \
        *any |= own | (words)(sum - power != x);                                                  \
        *packed |= own << shift;                                                                  \
    }
WORDS_OF_WHOLE(int32_t, eight_words)
WORDS_OF_WHOLE(int64_t, four_words)
WORDS_OF_REAL(float, eight_words, eight_floats, 0x1p23f, 0x4b000000u)
WORDS_OF_REAL(double, four_words, four, 0x1p52, 0x4330000000000000u)

/* Has the processor fetch so many bytes of the lists that follow. */
RS_TEMPLATE void prefetch_ahead(const void *at, int64_t bytes)
{
    enum { LINE = 64, AHEAD = 4096 };
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch((const char *)at + AHEAD + i);
}

/* The labels at to n, fewer than a vector has, and 0 for the others. None is read but x[0] to x[n - 1]. */
#define LOAD_FEW(T, words)                                                                       \
    RS_TEMPLATE void load_few_##T(const T *x, int64_t at, int64_t n, words *to)                  \
    {                                                                                            \
        enum { LANES = WIDTH / sizeof(T) };                                                      \
        if (n < LANES) {                                                                         \
            T few[LANES] = {0};                                                                  \
            for (int64_t i = 0; i < LANES; i++)                                                  \
                few[i] = i < n ? x[i] : 0;                                                       \
            memcpy(to, few, sizeof few);                                                         \
            return;                                                                              \
        }                                                                                        \
        words keep;                                                                              \
        memcpy(&keep, none_then_all + (size_t)(n - at) * sizeof(T), sizeof keep);                \
        memcpy(to, x + n - LANES, sizeof *to);                                                   \
        *to &= keep;                                                                             \
    }

/* Counts up to COUNTABLE labels, and bounds them; false where one of them is no whole number from 0 to
 * 4. The labels of SIZE vectors are bytes of one, in whatever order. */
#define COUNT_WIDE(T, words)                                                                     \
    RS_CLONES static bool count_##T(const rs_filter *f, const T *x, int64_t n,                   \
                                    five_counts *at_least, int32_t *top)                         \
    {                                                                                            \
        enum { SIZE = sizeof(T), LANES = WIDTH / SIZE };                                         \
        thirty_two found[5], bytes;                                                              \
        words any = {0}, packed, own;                                                            \
        int64_t i = 0;                                                                           \
        begin_to_count(found);                                                                   \
        for (; n - i >= WIDTH; i += WIDTH) {                                                     \
            prefetch_ahead(x + i, SIZE * WIDTH);                                                 \
            packed = (words){0};                                                                 \
            for (int v = 0; v < SIZE; v++) {                                                     \
                memcpy(&own, x + i + v * LANES, sizeof own);                                     \
                add_words_of_##T(&own, 8 * v, &packed, &any);                                    \
            }                                                                                    \
            memcpy(&bytes, &packed, sizeof bytes);                                               \
            count_each(f, &bytes, found);                                                        \
        }                                                                                        \
        if (i < n) {                                                                             \
            int shift = 0;                                                                       \
            packed = (words){0};                                                                 \
            for (; n - i >= LANES; i += LANES, shift += 8) {                                     \
                memcpy(&own, x + i, sizeof own);                                                 \
                add_words_of_##T(&own, shift, &packed, &any);                                    \
            }                                                                                    \
            if (i < n) {                                                                         \
                load_few_##T(x, i, n, &own);                                                     \
                add_words_of_##T(&own, shift, &packed, &any);                                    \
            }                                                                                    \
            memcpy(&bytes, &packed, sizeof bytes);                                               \
            count_each(f, &bytes, found);                                                        \
        }                                                                                        \
        __typeof__(any[0]) all = 0;                                                              \
        for (int lane = 0; lane < LANES; lane++)                                                 \
            all |= any[lane];                                                                    \
        *top = (uint8_t)all;                                                                     \
        return all < SMALL_LABELS && is_all(found, n, at_least);                                 \
    }

/* DCG at each cut-off, of labels that were counted. */
#define DCG_WIDE(T, words)                                                                       \
    RS_CLONES static void dcg_of_##T(const rs_filter *f, const T *x, int64_t shown, double *high, \
                                     double *low)                                                \
    {                                                                                            \
        four_sums sums = {0};                                                                    \
        rs_two few = {0};                                                                        \
        int64_t i = 0;                                                                           \
        for (int64_t j = 0; j < f->b->nk; j++) {                                                 \
            int64_t end = rs_min(shown, f->b->k[j]);                                             \
            for (; end - i >= 4; i += 4) {                                                       \
                const four gains = {(double)x[i], (double)x[i + 1], (double)x[i + 2],            \
                                    (double)x[i + 3]};                                           \
                add_four(&gains, f, i, &sums);                                                   \
            }                                                                                    \
            for (; i < end; i++)                                                                 \
                few += (double)x[i] * (rs_two){f->high[i], f->low[i]};                           \
            const rs_two parts = both_parts(&sums) + few;                                        \
            high[j] = parts[0];                                                                  \
            low[j] = parts[1];                                                                   \
        }                                                                                        \
    }

#define FOR_EACH_COUNTED_TYPE(CASE) \
    CASE(int32_t, eight_words)      \
    CASE(int64_t, four_words)       \
    CASE(float, eight_words)        \
    CASE(double, four_words)
FOR_EACH_COUNTED_TYPE(LOAD_FEW)
FOR_EACH_COUNTED_TYPE(COUNT_WIDE)
FOR_EACH_COUNTED_TYPE(DCG_WIDE)

/* ---- sums of a list ------------------------------------------------------------------------ */

/* Numerators and denominators, in two parts. */
typedef struct {
    double above_high[RS_CELLS], above_low[RS_CELLS], below_high[RS_CELLS], below_low[RS_CELLS];
} quotients_of_parts;

/* Whether the sums of so many gains are exact. */
RS_TEMPLATE bool is_exact(const rs_filter *f, int top, int64_t ranks)
{
    return ranks <= f->most_ranks[f->gain[top]];
}

/* A list or pool. small: its labels as bytes, or NULL where those at `at` are counted; at_least: what is
 * known of them then. No label is above `top`. */
typedef struct {
    const void *at;
    const uint8_t *small;
    int64_t n;
    five_counts at_least;
    int32_t top;
    bool counted;
} taken_list;

/* Counts labels of the wider types, which their gains are. */
RS_TEMPLATE bool count_wide(const rs_filter *f, int32_t type, taken_list *r)
{
    if (!f->any || r->n > COUNTABLE)
        return false;
    switch (type) {
    case RS_I32:
        return count_int32_t(f, r->at, r->n, &r->at_least, &r->top);
    case RS_I64:
        return count_int64_t(f, r->at, r->n, &r->at_least, &r->top);
    case RS_F32:
        return count_float(f, r->at, r->n, &r->at_least, &r->top);
    case RS_F64:
        return count_double(f, r->at, r->n, &r->at_least, &r->top);
    }
    return false;
}

/* Takes the labels of a list or pool in; false where not all of them are bytes, or where the gain does
 * not take one of them. */
RS_TEMPLATE bool take_list(const rs_filter *f, const rs_lists *lists, int64_t a, uint8_t *room,
                           taken_list *r)
{
    int64_t begin = lists->offsets[a];
    *r = (taken_list){.n = lists->offsets[a + 1] - begin, .top = UINT8_MAX};
    if (lists->type == RS_U8) {
        r->small = (const uint8_t *)lists->labels + begin;
    } else {
        r->at = rs_label_at(lists->labels, lists->type, begin);
        if ((r->counted = count_wide(f, lists->type, r)))
            return true;
        if (!rs_labels_as_bytes(r->at, lists->type, r->n, room, &r->top))
            return false;
        r->small = room;
    }
    if (!f->any)
        r->top = rs_highest_byte(r->small, r->n);
    return r->top <= f->highest;
}

/* The gains of the first labels, which are bytes. */
RS_TEMPLATE const uint8_t *byte_gains(const rs_filter *f, const taken_list *r, int64_t shown)
{
    if (f->any)
        return r->small;
    for (int64_t i = 0; i < shown; i++)
        f->gains[i] = f->gain[r->small[i]];
    return f->gains;
}

/* DCG at each cut-off, of bytes. */
RS_TEMPLATE void dcg_of_bytes(const rs_filter *f, const taken_list *r, int64_t nk, int64_t shown,
                              double *high, double *low)
{
    enum { EIGHT = 8 };
    const uint8_t *gains = byte_gains(f, r, shown);
    four_sums sums = {0};
    rs_two few = {0}; /* what fewer than eight labels add */
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t end = rs_min(shown, f->b->k[j]);
        for (; end - i >= EIGHT; i += EIGHT)
            add_eight(gains + i, f, i, &sums);
        if (i < end && end >= EIGHT) { /* the last eight, of which those that were added are made 0 */
            uint64_t last, keep;
            memcpy(&last, gains + end - EIGHT, sizeof last);
            memcpy(&keep, none_then_all + WIDTH - EIGHT + (end - i), sizeof keep);
            last &= keep;
            add_eight((const uint8_t *)&last, f, end - EIGHT, &sums);
            i = end;
        }
        for (; i < end; i++)
            few += (double)gains[i] * (rs_two){f->high[i], f->low[i]};
        const rs_two parts = both_parts(&sums) + few;
        high[j] = parts[0];
        low[j] = parts[1];
    }
}

/* DCG at each cut-off; false where it is left to the exact kernel. */
RS_TEMPLATE bool dcg_in_parts(const rs_filter *f, const taken_list *r, int64_t nk, double *high,
                              double *low)
{
    int64_t shown = rs_min(r->n, f->b->k[nk - 1]);
    if (!is_exact(f, r->top, shown))
        return false;
    if (r->small)
        dcg_of_bytes(f, r, nk, shown, high, low);
    else if (f->lists->type == RS_I32)
        dcg_of_int32_t(f, r->at, shown, high, low);
    else if (f->lists->type == RS_I64)
        dcg_of_int64_t(f, r->at, shown, high, low);
    else if (f->lists->type == RS_F32)
        dcg_of_float(f, r->at, shown, high, low);
    else
        dcg_of_double(f, r->at, shown, high, low);
    return true;
}

/* IDCG of labels up to 4, by counting as rs_idcg_of_counts() does. */
RS_TEMPLATE void idcg_of_four(const rs_filter *f, five_counts at_least, int64_t ranks, rs_two *idcg)
{
    rs_two sums = {0};
    if (!f->any)
        sums = f->step[0] * f->sums[ranks];
    for (int label = 4; label > 0; label--, at_least >>= BITS_OF_A_COUNT) {
        const rs_two own = f->sums[rs_min(at_least & MOST_COUNT, ranks)];
        sums += f->any ? own : f->step[label] * own;
    }
    *idcg = sums;
}

/* The same of any labels. */
RS_TEMPLATE void idcg_of_any(const rs_filter *f, const int64_t *count, int top, int64_t ranks,
                             rs_two *idcg)
{
    int64_t at_least = 0;
    *idcg = f->step[0] * f->sums[ranks];
    for (int label = top; label > 0; label--) {
        at_least += count[label];
        *idcg += f->step[label] * f->sums[rs_min(at_least, ranks)];
    }
}

/* IDCG at each cut-off, and a bound of the labels; false where it is left to the exact kernel. */
RS_TEMPLATE bool idcg_in_parts(const rs_filter *f, taken_list *J, int64_t nk, double *high,
                               double *low)
{
    int64_t count[SMALL_LABELS];
    bool four = J->counted ||
                (J->n <= COUNTABLE && count_four(f, J->small, J->n, &J->at_least));
    J->top = (int32_t)rs_min(J->top, four ? 4 : rs_count_labels(J->small, J->n, count));
    for (int64_t j = 0; j < nk; j++) {
        int64_t ranks = rs_min(J->n, f->b->k_ideal[j]);
        if (!is_exact(f, J->top, ranks))
            return false;
        rs_two sums;
        if (four)
            idcg_of_four(f, J->at_least, ranks, &sums);
        else
            idcg_of_any(f, count, J->top, ranks, &sums);
        high[j] = sums[0];
        low[j] = sums[1];
    }
    return true;
}

/* The sums of list a; false where one of them is left to the exact kernel. */
RS_TEMPLATE bool sums_of_list(const rs_filter *f, int64_t a, int64_t nk, int64_t cell,
                              quotients_of_parts *x)
{
    taken_list r, J;
    if (f->lists && !take_list(f, f->lists, a, f->bytes, &r))
        return false;
    if (f->pools && !f->own && !take_list(f, f->pools, a, f->pool_bytes, &J))
        return false;
    if (f->pools && !idcg_in_parts(f, f->own ? &r : &J, nk,
                                   (f->lists ? x->below_high : x->above_high) + cell,
                                   (f->lists ? x->below_low : x->above_low) + cell))
        return false;
    return !f->lists || dcg_in_parts(f, &r, nk, x->above_high + cell, x->above_low + cell);
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

/* The quotients, correctly rounded, or NaN where that is not sure: then false. No intermediate value
 * needs to be rounded in a certain way. A sum is 0 where its high part is. */
RS_TEMPLATE bool round_quotients(const quotients_of_parts *x, double error, double *restrict out)
{
    int64_t unsure = 0;
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
        const double value = nothing != 0 ? 0.0 : rounded;
        out[i] = value;
        unsure |= value != value;
    }
    return !unsure;
}

/* The values of n lists from `begin` on at each cut-off; where not all are sure, false, and of those
 * that are left to the exact kernel NaN. */
RS_CLONES bool rs_filtered(const rs_filter *f, int64_t begin, int64_t n, double *out)
{
    quotients_of_parts x;
    int64_t nk = f->b->nk;
    for (int64_t i = 0; i < RS_CELLS; i++) {
        x.above_high[i] = x.above_low[i] = x.below_low[i] = 0;
        x.below_high[i] = f->below;
    }
    for (int64_t a = 0; a < n; a++)
        if (!(nk == 1 ? sums_of_list(f, begin + a, 1, a, &x)
                      : sums_of_list(f, begin + a, nk, a * nk, &x)))
            for (int64_t j = 0; j < nk; j++)
                x.above_high[a * nk + j] = NAN;
    return round_quotients(&x, f->error, out);
}
