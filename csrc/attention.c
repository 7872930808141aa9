/* What a user gains on average of the ranks that are seen: NERR8 to NERR11, INSQ, INST, BPM, and iRBU,
 * which is not divided. Spec: chapters "users" and "utility".
 *
 * Nothing is subtracted but where that is exact, so all is floating point of 128 bits with a bound on
 * the relative error: so many times 2^-126 (RS-NUM-66).
 */
#include "cascade.h"
#include "dcg.h"
#include "floating.h"

/* A batch at work, and the list at hand.
 * metric, p, T: of the measure; inverse: 1 / i, of NERR9
 * fill: makes of a list what stands above and below the line; false: that takes too many bits
 * top, per_top: the highest label of the scale, and 1 over it; by_pool: whether it is that of the pool
 * weights: of INSQ: what its ranks weigh up to each cut-off */
typedef struct seen_batch seen_batch;
struct seen_batch {
    const rs_lists *lists, *pools;
    gain_table g;
    int32_t metric;
    double p;
    const rs_discount *inverse;
    bool (*fill)(seen_batch *x, const label_list *r, const uint8_t *starts);
    bool by_pool;
    rs_float top, per_top, twice_T;
    const int64_t *k;
    int64_t nk;
    uint8_t *shown, *pooled;
    rs_number *above, *below, *weights;
};

enum { LONGEST_SEEN = 1 << 19 };

/* An input: of at most 64 bits, so that the last 64 of its mantissa are 0. */
static rs_number number_of_input(rs_float x)
{
    return (rs_number){.low = x.mantissa >> 64, .exponent = x.exponent + 64};
}

/* x - y in *to; false where y is above x, or the difference takes too many bits. */
static bool exact_difference(rs_float x, rs_float y, rs_float *to)
{
    int64_t shift = (int64_t)x.exponent - y.exponent;
    *to = x;
    if (y.mantissa == 0)
        return true;
    if (shift < 0 || shift > 127 || y.mantissa >> shift << shift != y.mantissa ||
        y.mantissa >> shift > x.mantissa)
        return false;
    *to = rs_float_of(x.mantissa - (y.mantissa >> shift), x.exponent);
    return true;
}

/* ---- sums of inverse squares -------------------------------------------------------------- */

enum { BERNOULLI_NUMBERS = 12, FIRST_OF_SERIES = 16 };
static const int64_t bernoulli[BERNOULLI_NUMBERS][2] = {
    {1, 6}, {1, 30}, {1, 42}, {1, 30}, {5, 66}, {691, 2730}, {7, 6}, {3617, 510}, {43867, 798},
    {174611, 330}, {854513, 138}, {236364091, 2730},
};

/* 1 / x^2 */
static rs_float inverse_square(rs_float x)
{
    rs_float inverse = rs_inverse(x);
    return rs_times(inverse, inverse);
}

/* 1/x^2 + 1/(x + 1)^2 + ..., without end: the first terms, and of the rest, from y on, the series of
 * Euler and Maclaurin, whose terms beyond the first two have both signs in turn. RS-NUM-66 */
static rs_float endless_inverse_squares(rs_float x)
{
    rs_float sum = RS_ZERO, y = x;
    const rs_float first = rs_float_of(FIRST_OF_SERIES, 0), one = rs_float_of(1, 0);
    for (; rs_less(y, first); y = rs_plus(y, one))
        sum = rs_plus(sum, inverse_square(y));
    rs_float power = rs_inverse(y), square = rs_times(power, power), half = square;
    half.exponent--;
    rs_float more = rs_plus(power, half), less = RS_ZERO;
    for (int m = 0; m < BERNOULLI_NUMBERS; m++) {
        rs_float *to = m % 2 ? &less : &more;
        rs_float over = rs_float_of((u128)bernoulli[m][0], 0);
        power = rs_times(power, square);
        over = rs_times(over, rs_inverse(rs_float_of((u128)bernoulli[m][1], 0)));
        *to = rs_plus(*to, rs_times(power, over));
    }
    return rs_plus(sum, rs_minus(more, less));
}

/* So many terms of 1/x^2 + 1/(x + 1)^2 + ...; RS_WHOLE: all. RS-NUM-66 */
static rs_number inverse_squares(rs_float x, int64_t terms)
{
    enum { FEW = 32, ERROR = 30 };
    const int64_t of_series = (int64_t)1 << 44;
    const rs_float one = rs_float_of(1, 0);
    if (terms <= FEW) {
        rs_float sum = RS_ZERO;
        for (int64_t i = 0; i < terms; i++) {
            sum = rs_plus(sum, inverse_square(x));
            x = rs_plus(x, one);
        }
        return rs_number_within(sum, 3 * FEW + ERROR);
    }
    rs_number all = rs_number_within(endless_inverse_squares(x), of_series), found;
    if (terms == RS_WHOLE)
        return all;
    x = rs_plus(x, rs_float_of((u128)terms, 0));
    rs_number rest = rs_number_within(endless_inverse_squares(x), of_series);
    if (rs_difference(&all, &rest, &found) == RS_POSITIVE_DIFFERENCE)
        return found;
    return (rs_number){.slack = (u128)1 << 126};
}

/* ---- users whom each gain may stop -------------------------------------------------------- */

/* a_i of the metric, from that of the rank before; that of rank 1, where i is 1. */
static rs_float reached(const seen_batch *x, rs_float before, int64_t i)
{
    switch (x->metric) {
    case RS_NERR9:
        return rs_inverse(rs_float_of((u128)i, 0));
    case RS_NERR10:
        return i == 1 ? before : rs_times(before, rs_float_of_double(x->p));
    case RS_NERR11:
        return inverse_square(rs_plus(x->twice_T, rs_float_of((u128)(i - 1), 0)));
    case RS_IRBU:
        return rs_times(before, rs_float_of_double(x->p));
    }
    return before;
}

/* 1 + p + ... + p^(m - 1), and p^m in *power, of whose bits each gives two steps. RS-NUM-66 */
static rs_float sum_of_powers(rs_float p, int64_t m, rs_float *power)
{
    const rs_float one = rs_float_of(1, 0);
    rs_float sum = RS_ZERO;
    *power = one;
    for (int64_t bit = (int64_t)1 << 62; bit; bit >>= 1) {
        if (bit > m)
            continue;
        sum = rs_times(sum, rs_plus(one, *power));
        *power = rs_times(*power, *power);
        if (!(m & bit))
            continue;
        sum = rs_plus(one, rs_times(p, sum));
        *power = rs_times(*power, p);
    }
    return sum;
}

/* The sum of a_i over the ranks from n + 1 to k, which the list does not have; next: a_(n+1), of
 * NERR10. */
static rs_number reached_below(const seen_batch *x, int64_t n, int64_t k, rs_float next)
{
    bool whole = k == RS_WHOLE;
    int64_t ranks = whole ? 0 : k - n;
    if (ranks <= 0 && !whole)
        return rs_integer(0);
    switch (x->metric) {
    case RS_NERR8:
        return rs_integer((uint64_t)ranks);
    case RS_NERR9: {
        u128 sums = whole ? 0 : rs_discount_sum(x->inverse, k) - rs_discount_sum(x->inverse, n);
        return (rs_number){.low = sums, .slack = (u128)ranks * x->inverse->unit,
                           .exponent = x->inverse->exponent};
    }
    case RS_NERR11:
        return inverse_squares(rs_plus(x->twice_T, rs_float_of((u128)n, 0)),
                               whole ? RS_WHOLE : ranks);
    }
    rs_float p = rs_float_of_double(x->p), q, power;
    if (!whole)
        return rs_number_within(rs_times(next, sum_of_powers(p, ranks, &power)), n + 4 * ranks + 16);
    if (!exact_difference(rs_float_of(1, 0), p, &q))
        return (rs_number){.slack = (u128)1 << 126};
    return rs_number_within(rs_times(next, rs_inverse(q)), n + 8);
}

/* The sums of a_i g_i Q_(i-1) and a_i Q_(i-1) up to each cut-off, the gains in labels. RS-USR-30,
 * RS-USR-31, RS-USR-32, RS-USR-33; the first alone RS-UTL-10 */
static bool nerr(seen_batch *x, const label_list *r, const uint8_t *starts)
{
    const rs_float one = rs_float_of(1, 0);
    bool of_stops = x->metric == RS_IRBU;
    rs_float a = one, Q = one, gained = RS_ZERO, seen = RS_ZERO, rest;
    rs_number top = number_of_input(x->top);
    int64_t i = 0;
    if (starts)
        return false;
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < r->n && i < x->k[j]; i++) {
            rs_float label = rs_gain_of(r, i, &x->g);
            if (!exact_difference(x->top, label, &rest))
                return false;
            a = reached(x, a, i + 1);
            rs_float here = rs_times(a, Q);
            gained = rs_plus(gained, rs_times(here, label));
            seen = rs_plus(seen, here);
            if (label.mantissa)
                Q = of_stops ? rs_times(Q, rest) : rs_times(Q, rs_times(rest, x->per_top));
        }
        int64_t error = 10 * (i + 3);
        x->above[j] = rs_number_within(gained, error);
        if (of_stops)
            continue;
        /* of no rank it is p, which a gain of 0 hides */
        rs_float next = x->metric == RS_NERR10 ? rs_times(a, rs_float_of_double(x->p)) : one;
        rs_number going_on = rs_number_within(Q, error), below = reached_below(x, i, x->k[j], next);
        rs_number of_ranks = rs_number_within(seen, error);
        below = rs_product(&going_on, &below);
        of_ranks = rs_sum(&of_ranks, &below);
        x->below[j] = rs_product(&of_ranks, &top);
    }
    return true;
}

/* ---- users with a goal -------------------------------------------------------------------- */

/* The sum of the labels from s to end. */
static rs_float labels_from_to(const seen_batch *x, const label_list *r, int64_t s, int64_t end)
{
    rs_float sum = RS_ZERO;
    for (int64_t i = s; i < end; i++)
        sum = rs_plus(sum, rs_gain_of(r, i, &x->g));
    return sum;
}

/* The label at the rank after s items, or the mean of its tie group, which ends at *end. */
static rs_float mean_label(const seen_batch *x, const label_list *r, const uint8_t *starts,
                           int64_t s, int64_t *end)
{
    *end = starts ? rs_group_end(starts, s, r->n) : s + 1;
    if (*end == s + 1)
        return rs_gain_of(r, s, &x->g);
    rs_float size = rs_inverse(rs_float_of((u128)(*end - s), 0));
    return rs_times(labels_from_to(x, r, s, *end), size);
}

/* The sum of g_i / (i + 2T - 1)^2 up to each cut-off. RS-USR-5; with starts RS-EXP-48 */
static bool insq(seen_batch *x, const label_list *r, const uint8_t *starts)
{
    rs_float gained = RS_ZERO, label = RS_ZERO;
    rs_number top = number_of_input(x->top);
    int64_t i = 0, end = 0;
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < r->n && i < x->k[j]; i++) {
            if (i == end)
                label = mean_label(x, r, starts, i, &end);
            rs_float at = rs_plus(x->twice_T, rs_float_of((u128)i, 0));
            if (label.mantissa)
                gained = rs_plus(gained, rs_times(inverse_square(at), label));
        }
        x->above[j] = rs_number_within(gained, 2 * r->n + 40);
        x->below[j] = rs_product(&x->weights[j], &top);
    }
    return true;
}

/* x in units of 2^-20, where it is a whole number of these below 2^50; -1: it is not. */
static int64_t in_units(rs_float x)
{
    enum { UNIT = 20, MOST = 50 };
    int32_t shift = -(x.exponent + UNIT);
    if (x.mantissa == 0)
        return 0;
    if (shift < 128 - MOST || shift > 127 || x.mantissa >> shift << shift != x.mantissa)
        return -1;
    return (int64_t)(x.mantissa >> shift);
}

/* The gains and weights of INST up to each cut-off: with c = 2T - g_1 - ... - g_i what the user goes on
 * with from rank i is the square of low / high, which are (i + c - 1) t and (i + c) t, whole numbers of
 * units. RS-USR-6 */
static bool inst(seen_batch *x, const label_list *r, const uint8_t *starts)
{
    enum { TWO_UNITS = 40 };
    int64_t top = in_units(x->top), twice_T = in_units(x->twice_T), i = 0;
    if (starts || top < 0 || twice_T < 0)
        return false;
    const rs_number of_top = number_of_input(x->top);
    rs_float V = rs_float_of(1, 0), gained = RS_ZERO, seen = RS_ZERO;
    u128 high = (u128)twice_T * (u128)top; /* (i + c) t */
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < r->n && i < x->k[j]; i++) {
            rs_float label = rs_gain_of(r, i, &x->g);
            int64_t units = in_units(label);
            if (units < 0 || (u128)units << TWO_UNITS / 2 > high)
                return false;
            gained = rs_plus(gained, rs_times(V, label));
            seen = rs_plus(seen, V);
            u128 low = high - ((u128)units << TWO_UNITS / 2);
            high = low + ((u128)top << TWO_UNITS / 2);
            rs_float share = rs_times(rs_float_of(low, 0), rs_inverse(rs_float_of(high, 0)));
            V = rs_times(V, rs_times(share, share));
        }
        int64_t error = 16 * (i + 4);
        x->above[j] = rs_number_within(gained, error);
        rs_number weights = rs_number_within(seen, error);
        int64_t ranks = x->k[j] == RS_WHOLE ? RS_WHOLE : x->k[j] - i;
        if (ranks && V.mantissa) {
            rs_float at = rs_times(rs_float_of(high, -TWO_UNITS), x->per_top);
            rs_number after = rs_number_within(rs_times(V, rs_times(at, at)), error);
            rs_number below = inverse_squares(at, ranks);
            below = rs_product(&after, &below);
            weights = rs_sum(&weights, &below);
        }
        x->below[j] = rs_product(&weights, &of_top);
    }
    return true;
}

/* The sum of the gains that the user of the static BPM sees, and of how many ranks. RS-USR-7 */
static bool bpm(seen_batch *x, const label_list *r, const uint8_t *starts)
{
    int64_t top = in_units(x->top), twice_T = in_units(x->twice_T), i = 0;
    if (starts || top < 0 || twice_T < 0)
        return false;
    const u128 wanted = (u128)twice_T * (u128)top; /* of twice the gains, in units of 2^-40 */
    u128 found = 0;
    bool stopped = false;
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < r->n && i < x->k[j] && !stopped; i++) {
            int64_t units = in_units(rs_gain_of(r, i, &x->g));
            if (units < 0)
                return false;
            found += (u128)units;
            stopped = found << 21 >= wanted;
        }
        bool endless = x->k[j] == RS_WHOLE && !stopped;
        x->above[j] = (rs_number){.low = endless ? 0 : found};
        x->below[j] = (rs_number){.low = (u128)top * (u128)(stopped || endless ? i : x->k[j])};
    }
    return true;
}

/* ---- batches ------------------------------------------------------------------------------ */

/* Whether a label is above the highest of the scale, which a pool that does not cover its list leaves:
 * the reference has the words for it. */
static bool is_above(const seen_batch *x, const label_list *r)
{
    for (int64_t i = 0; i < r->n; i++)
        if (rs_less(x->top, rs_gain_of(r, i, &x->g)))
            return true;
    return false;
}

static int64_t read_gains(const seen_batch *x, const rs_lists *lists, int64_t a, uint8_t *bytes,
                          label_list *r, const rs_results *to)
{
    int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
    int64_t bad = rs_read_labels(rs_label_at(lists->labels, lists->type, begin), lists->type, n,
                                 &x->g, bytes, r);
    return bad < 0 ? RS_KNOWN : rs_refuse(to, begin + bad, lists != x->lists);
}

static void take_top(seen_batch *x, rs_float top)
{
    x->top = top;
    x->per_top = rs_inverse(top);
}

RS_TEMPLATE int64_t take_in_seen(void *kernel, int64_t a, const rs_results *to)
{
    seen_batch *x = kernel;
    label_list r, J;
    int64_t read = read_gains(x, x->lists, a, x->shown, &r, to);
    if (read < 0)
        return read;
    J = r;
    if (x->pools && x->pools != x->lists)
        read = read_gains(x, x->pools, a, x->pooled, &J, to);
    if (read < 0)
        return read;
    if (x->by_pool)
        take_top(x, rs_top_of_pool(&J, &x->g));
    if (r.n > LONGEST_SEEN || (x->by_pool && x->pools != x->lists && is_above(x, &r)))
        return RS_TOO_FEW_BITS;
    return x->fill(x, &r, rs_starts_of(x->lists, a)) ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE int64_t write_seen(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const seen_batch *x = kernel;
    return rs_write_quotients(a, x->nk, known, x->above, x->below, to);
}

/* The values of a measure whose labels are scaled, or are probabilities: pools NULL. */
static int64_t values_of_seen(const rs_measure *m, const rs_block *b, const rs_lists *pools,
                              bool (*fill)(seen_batch *, const label_list *, const uint8_t *),
                              const rs_results *to)
{
    rs_rooms rooms = {0};
    seen_batch x = {.lists = b->lists, .pools = pools, .metric = m->metric, .p = m->p,
                    .inverse = m->discount, .fill = fill, .k = m->k, .nk = m->nk};
    rs_gain_table(m->gain, &x.g);
    x.by_pool = pools && m->gain->size == 0;
    x.twice_T = rs_float_of_double(m->p);
    x.twice_T.exponent++;
    take_top(&x, rs_float_of_double(pools && !x.by_pool ? m->gain->table[0] : 1));
    x.shown = rs_room(&rooms, rs_longest(b->lists, b->n), 1);
    x.pooled = rs_room(&rooms, rs_longest(pools, b->n), 1);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room_of_ones(&rooms, m->nk);
    x.weights = rs_room(&rooms, m->nk, sizeof *x.weights);
    for (int64_t j = 0; fill == insq && !rooms.lacking && j < m->nk; j++)
        x.weights[j] = inverse_squares(x.twice_T, m->k[j]);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in_seen, write_seen, to);
    rs_leave(&rooms);
    return open;
}

static int64_t values_of_nearly_err(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_seen(m, b, b->pools, nerr, to);
}

static int64_t values_of_irbu(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_seen(m, b, NULL, nerr, to);
}

static int64_t values_of_insq(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_seen(m, b, b->pools, insq, to);
}

static int64_t values_of_inst(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_seen(m, b, b->pools, inst, to);
}

static int64_t values_of_bpm(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_seen(m, b, b->pools, bpm, to);
}

enum { OF_SCALE = RS_NEEDS_GAIN | RS_NEEDS_POOLS };

const rs_metric rs_metrics_of_attention[] = {
    {.metric = RS_NERR8, .needs = OF_SCALE, .values = values_of_nearly_err},
    {.metric = RS_NERR9,
     .needs = OF_SCALE | RS_NEEDS_DISCOUNT | RS_NEEDS_DISCOUNT_OF_IDEAL,
     .values = values_of_nearly_err},
    {.metric = RS_NERR10, .needs = OF_SCALE, .values = values_of_nearly_err},
    {.metric = RS_NERR11, .needs = OF_SCALE, .values = values_of_nearly_err},
    {.metric = RS_INSQ, .needs = OF_SCALE, .values = values_of_insq},
    {.metric = RS_INST, .needs = OF_SCALE, .values = values_of_inst},
    {.metric = RS_BPM, .needs = OF_SCALE, .values = values_of_bpm},
    {.metric = RS_IRBU, .needs = RS_NEEDS_GAIN, .values = values_of_irbu},
    {0},
};
