/* Data-driven relevance: from the scores of a query's items to a relevance from 0 to 1. Spec:
 * chapter "relevance".
 *
 * Control points are exact: scores are whole numbers of a unit that is 2^-115 of a power of two
 * above them all, and control points are whole numbers of 24ths of it. From the widths of the
 * intervals on, everything is in floating point of 128 bits, and positive. RS-NUM-14
 */

#include "bounds.h"
#include "dcg.h"
#include "stopping.h"

enum { GRID_BITS = 115, PARTS = 24, MADE_POINTS = 4 };

/* A control point, and φ from there to the next one, of which t = (s - x) inverse, u = 1 - t:
 * φ(s) = y + rise (begin t u^2 + t^2 (end u + t)). begin is the slope at the point by that of the
 * chord, end is 3 less that at the next point.
 * vague: begin is off by up to 2^-120, and may be little more */
typedef struct {
    i128 x;
    rs_float y, rise, inverse, begin, end;
    bool vague;
} control_point;

/* φ of a pool. n: how many points there are; type: of the pool's scores; unit: 2^unit is that of
 * the grid; known: whether the points could be had */
typedef struct {
    const rs_points *given;
    control_point *points;
    int64_t n;
    int32_t type, unit;
    bool known;
} function;

/* ---- scores ------------------------------------------------------------------------- */

/* magnitude 2^exponent, or that below 0 */
typedef struct {
    uint64_t magnitude;
    int32_t exponent;
    bool negative;
} parts;

static parts parts_of(uint64_t key, int32_t type)
{
    const uint64_t top = 1ull << 63, hidden = 1ull << 52;
    if (type == RS_I64) {
        uint64_t bits = key ^ top;
        return (parts){bits & top ? -bits : bits, 0, bits >> 63};
    }
    uint64_t bits = key & top ? key ^ top : ~key, fraction = bits & (hidden - 1);
    int exponent = (int)(bits >> 52 & 2047);
    return (parts){exponent ? fraction | hidden : fraction, (exponent ? exponent : 1) - 1075,
                   bits >> 63};
}

/* 24 times the whole units of a score, rounded down; exact is cleared where that is less than 24
 * times the score. What is beyond the grid stays beyond it. */
static i128 on_grid(uint64_t key, int32_t type, int32_t unit, bool *exact)
{
    const i128 beyond = (i128)1 << 121;
    parts s = parts_of(key, type);
    if (s.magnitude == 0)
        return 0;
    int shift = s.exponent - unit;
    if (rs_bits(s.magnitude) + shift > GRID_BITS)
        return s.negative ? -beyond : beyond;
    i128 units = shift > -64 ? (i128)(s.magnitude >> (shift < 0 ? -shift : 0)) : 0;
    bool whole = shift >= 0 || (shift > -64 && s.magnitude << (64 + shift) == 0);
    units <<= shift > 0 ? shift : 0;
    *exact = *exact && whole;
    return PARTS * (s.negative ? -units - !whole : units);
}

/* The number of bits of a score before the point. */
static int32_t bits_of_score(uint64_t key, int32_t type)
{
    parts s = parts_of(key, type);
    return s.magnitude ? rs_bits(s.magnitude) + s.exponent : -1100;
}

/* A grid for scores between two of them. */
static void choose_grid(function *f, uint64_t lowest, uint64_t highest)
{
    int32_t low = bits_of_score(lowest, f->type), high = bits_of_score(highest, f->type);
    f->unit = (low > high ? low : high) - GRID_BITS;
}

static i128 value_of(function *f, uint64_t key)
{
    return on_grid(key, f->type, f->unit, &f->known);
}

/* Sorts four keys. */
static void sort_four(uint64_t *x)
{
#define ORDER(a, b)                          \
    do {                                     \
        uint64_t p = x[a], q = x[b];         \
        x[a] = p < q ? p : q;                \
        x[b] = p < q ? q : p;                \
    } while (0)
    ORDER(0, 1);
    ORDER(2, 3);
    ORDER(0, 2);
    ORDER(1, 3);
    ORDER(1, 2);
#undef ORDER
}

/* Merges two sorted runs: as many from either end as the shorter one has, for which no end of a
 * run need be looked for, and then what remains. */
static void merge(const uint64_t *left, const uint64_t *right, const uint64_t *end, uint64_t *to)
{
    const uint64_t *left_end = right, *right_end = end;
    uint64_t *to_end = to + (end - left);
    for (int64_t steps = rs_min(right - left, end - right); steps > 0; steps--) {
        uint64_t a = *left, b = *right, c = left_end[-1], d = right_end[-1];
        *to++ = b < a ? b : a;
        right += b < a;
        left += b >= a;
        *--to_end = d < c ? c : d;
        left_end -= d < c;
        right_end -= d >= c;
    }
    while (to < to_end) {
        bool from_left = right == right_end || (left < left_end && *left <= *right);
        *to++ = from_left ? *left++ : *right++;
    }
}

/* Sorts n keys; room holds n more. */
static void sort_keys(uint64_t *keys, int64_t n, uint64_t *room)
{
    int64_t whole = n - n % 4;
    for (int64_t i = 0; i < whole; i += 4)
        sort_four(keys + i);
    for (int64_t i = whole; i < n; i++) { /* the last run is shorter */
        uint64_t key = keys[i];
        int64_t j = i;
        for (; j > whole && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
    uint64_t *from = keys, *to = room;
    for (int64_t run = 4; run < n; run *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * run) {
            int64_t middle = rs_min(begin + run, n), end = rs_min(begin + 2 * run, n);
            merge(from + begin, from + middle, from + end, to + begin);
            rs_pause_over(end - begin, 4);
        }
        uint64_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)n * sizeof *keys);
}

/* ---- control points ----------------------------------------------------------------- */

/* Q for a position in 12ths, of sorted scores. RS-REL-1 */
static i128 quantile(function *f, const uint64_t *x, int64_t n, int64_t position)
{
    position = rs_min(position > 12 ? position : 12, 12 * n);
    int64_t j = position / 12, rest = position % 12;
    i128 lower = value_of(f, x[j - 1]);
    return rest ? lower + rest * ((value_of(f, x[j]) - lower) / 12) : lower;
}

/* Where in n scores the quartile number p stands, in 12ths; the median is number 2. RS-REL-1 */
static int64_t position(int p, int64_t n, int32_t quartiles)
{
    int64_t depth = (n + 3) / 2 * 6;
    switch ((enum rs_quartiles)quartiles) {
    case RS_HINGES:
        return p == 1 ? depth : p == 3 ? 12 * (n + 1) - depth : 6 * (n + 1);
    case RS_WEIBULL:
        return 3 * p * (n + 1);
    case RS_MEDIAN_UNBIASED:
        return 3 * p * n + p + 4;
    case RS_QUARTILES_LINEAR:
        break;
    }
    return 12 + 3 * p * (n - 1);
}

/* Q3 + 1.5 IQR. RS-REL-2 */
static i128 upper_whisker(function *f, const uint64_t *x, int64_t n, int32_t quartiles)
{
    i128 Q1 = quantile(f, x, n, position(1, n, quartiles));
    i128 Q3 = quantile(f, x, n, position(3, n, quartiles));
    return Q3 + 3 * (Q3 - Q1) / 2;
}

/* (high - low) / (max - min), of which α and 1 - α are cases. RS-REL-3 */
static rs_float share(i128 low, i128 high, i128 min, i128 max)
{
    return rs_times(rs_float_of((u128)(high - low), 0), rs_inverse(rs_float_of((u128)(max - min), 0)));
}

/* Of control points of the same score the last counts. RS-REL-6 */
static void add_point(function *f, i128 x, rs_float y)
{
    if (f->n == 0 || f->points[f->n - 1].x != x)
        f->n++;
    f->points[f->n - 1] = (control_point){.x = x, .y = y};
}

/* (first, 0), (median, 0), (whisker, 1 - α) where a score is above it, (max, 1). RS-REL-4 */
static void add_points(function *f, i128 first, i128 median, i128 whisker, i128 min, i128 max)
{
    f->n = 0;
    add_point(f, first, RS_ZERO);
    add_point(f, median, RS_ZERO);
    if (max > whisker)
        add_point(f, whisker, share(min, whisker, min, max));
    add_point(f, max, rs_float_of(1, 0));
    for (control_point *p = f->points; p < f->points + f->n - 1; p++)
        p->rise = p->y.mantissa ? share(whisker, max, min, max) : p[1].y;
}

/* The control points of sorted scores. RS-REL-4 */
static void control_points(function *f, const uint64_t *x, int64_t n)
{
    int32_t quartiles = f->given->quartiles;
    choose_grid(f, x[0], x[n - 1]);
    i128 whisker = upper_whisker(f, x, n, quartiles);
    i128 median = quantile(f, x, n, position(2, n, quartiles));
    i128 min = value_of(f, x[0]), max = value_of(f, x[n - 1]);
    if (f->known)
        add_points(f, min, median, whisker, min, max);
}

/* The same of scores above 0, as the authors' program makes them. RS-REL-5 */
static void control_points_of_program(function *f, const uint64_t *x, int64_t n)
{
    int32_t quartiles = f->given->quartiles;
    choose_grid(f, x[0], x[n - 1]);
    i128 fence = upper_whisker(f, x, n, quartiles);
    i128 median = quantile(f, x, n, position(2, n, quartiles));
    i128 min = value_of(f, x[0]), max = value_of(f, x[n - 1]), whisker = max;
    for (int64_t i = n - 1; whisker > fence; i--)
        whisker = value_of(f, x[i - 1]);
    if (f->known)
        add_points(f, 0, median, whisker, min, max);
}

/* ---- slopes ------------------------------------------------------------------------- */

static u128 width(const control_point *p)
{
    return (u128)(p[1].x - p->x);
}

/* D of one interval by D of the other, whose chord is not flat. */
static rs_float quotient_of_chords(const control_point *p, const control_point *q)
{
    rs_float above = rs_times(p->rise, rs_float_of(width(q), 0));
    rs_float below = rs_times(q->rise, rs_float_of(width(p), 0));
    return rs_times(above, rs_inverse(below));
}

/* The slope where the interval of p ends and that of q begins. With r = D0/D1 and
 * W = w0 + w1 r it is 3 (h0 + h1) / W of D0, and 3 (h0 + h1) r / W of D1. RS-REL-7 */
static void interior_slope(control_point *p, control_point *q)
{
    p->end = rs_float_of(3, 0);
    q->begin = RS_ZERO;
    if (p->rise.mantissa == 0 || q->rise.mantissa == 0)
        return;
    u128 h0 = width(p), h1 = width(q), w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    rs_float r = quotient_of_chords(p, q);
    rs_float W = rs_plus(rs_float_of(w0, 0), rs_times(rs_float_of(w1, 0), r));
    rs_float rest = rs_plus(rs_float_of(3 * h1, 0), rs_times(rs_float_of(3 * w1, 0), r));
    rs_float inverse = rs_inverse(W);
    p->end = rs_times(rest, inverse); /* 3 (W - h0 - h1) / W */
    q->begin = rs_times(rs_times(rs_float_of(3 * (h0 + h1), 0), r), inverse);
}

/* The slope at the end of the interval of p, beyond which there is none, the next one being that
 * of q. With r = D1/D0 it is (2 h0 + h1 - h0 r) / (h0 + h1) of D0, and 0 if that is negative. As
 * relevance does not fall, it is never above 2, and no third case is needed. RS-REL-7 */
static void end_slope(control_point *p, const control_point *q, bool last)
{
    if (p->rise.mantissa == 0)
        return;
    u128 h0 = width(p), h1 = width(q);
    rs_float taken = rs_times(rs_float_of(h0, 0), quotient_of_chords(q, p));
    rs_float from = rs_float_of(2 * h0 + h1, 0), inverse = rs_inverse(rs_float_of(h0 + h1, 0));
    if (last) {
        p->end = rs_times(rs_plus(rs_float_of(h0 + 2 * h1, 0), taken), inverse);
        if (rs_less(rs_float_of(3, 0), p->end))
            p->end = rs_float_of(3, 0);
        return;
    }
    rs_float half = from, twice = from;
    half.exponent--;
    twice.exponent++;
    p->vague = rs_less(half, taken) && rs_less(taken, twice);
    p->begin = rs_less(taken, from) ? rs_times(rs_minus(from, taken), inverse) : RS_ZERO;
}

/* The slopes at all control points, each by those of the chords beside it. RS-REL-7 */
static void slopes(function *f)
{
    control_point *first = f->points, *last = f->points + f->n - 2;
    for (control_point *p = first; p <= last; p++)
        p->inverse = rs_inverse(rs_float_of(width(p), 0));
    if (first == last) {
        first->begin = rs_float_of(1, 0);
        first->end = rs_float_of(2, 0);
        return;
    }
    for (control_point *p = first; p < last; p++)
        interior_slope(p, p + 1);
    end_slope(first, first + 1, false);
    end_slope(last, last - 1, true);
}

/* y + rise (begin t u^2 + t^2 (end u + t)). RS-REL-8 */
static rs_float hermite(const control_point *p, rs_float t, rs_float u)
{
    rs_float bent = rs_plus(rs_times(p->end, u), t);
    rs_float sum = rs_times(rs_times(t, t), bent);
    if (p->begin.mantissa)
        sum = rs_plus(sum, rs_times(rs_times(p->begin, t), rs_times(u, u)));
    return rs_plus(p->y, rs_times(p->rise, sum));
}

/* φ(s) of the score of a key; false where it is not known well enough. level: whether φ is the
 * same as at a control point beside it. RS-REL-8, RS-NUM-14 */
static bool phi(const function *f, uint64_t key, int32_t type, rs_float *y, bool *level)
{
    bool exact = true;
    *y = RS_ZERO;
    *level = true;
    if (f->n == 0)
        return f->known;
    i128 s = on_grid(key, type, f->unit, &exact), rest = exact ? 0 : PARTS - 1;
    const control_point *p = f->points, *last = f->points + f->n - 1;
    if (s < p->x || s >= last->x) {
        *y = s < p->x ? p->y : last->y;
        return f->known && (s >= last->x || s + rest < p->x);
    }
    for (int64_t n = last - p; n > 1; n -= n / 2)
        p += p[n / 2].x <= s ? n / 2 : 0;
    *y = p->y;
    if (p->rise.mantissa == 0 || (exact && s == p->x))
        return f->known && s + rest < p[1].x;
    *level = false;
    u128 begun = (u128)(s - p->x);
    rs_float t = rs_times(rs_float_of(begun, 0), p->inverse);
    rs_float u = rs_times(rs_float_of(width(p) - begun, 0), p->inverse);
    *y = hermite(p, t, u);
    return f->known && exact && !(p->vague && begun < width(p) >> 8);
}

/* The control points of a pool of sorted scores. RS-REL-9 */
static void points_of(function *f, const uint64_t *x, int64_t n)
{
    const uint64_t zero = 1ull << 63; /* its key in each type */
    f->known = true;
    f->n = 0;
    if (f->given->variant == RS_TEXT) {
        if (n > 0)
            control_points(f, x, n);
        return;
    }
    while (n > 0 && *x <= zero) {
        x++;
        n--;
    }
    if (n > 0)
        control_points_of_program(f, x, n);
}

/* The control points that are given. */
static void given_points(function *f)
{
    const rs_points *given = f->given;
    f->type = RS_F64;
    f->known = true;
    f->n = given->n;
    choose_grid(f, rs_label_key(given->scores, RS_F64, 0),
                rs_label_key(given->scores, RS_F64, f->n - 1));
    for (int64_t i = 0; i < f->n; i++) {
        control_point *p = &f->points[i];
        *p = (control_point){.x = value_of(f, rs_label_key(given->scores, RS_F64, i)),
                             .y = rs_float_of_double(given->relevance[i])};
        if (i)
            p[-1].rise = rs_minus(p->y, p[-1].y);
    }
}

/* What φ is made of, from its control points. RS-REL-9 */
static void through(function *f)
{
    if (f->known && f->n > 1)
        slopes(f);
}

/* ---- one list ----------------------------------------------------------------------- */

/* φ, and room for the keys of a list, those of its pool in rising order, and gains. */
typedef struct {
    function f;
    uint64_t *keys, *sorted, *room;
    rs_float *gains;
    wide_gain *wide;
} workspace;

static void make_workspace(workspace *w, const rs_points *points, int64_t most, rs_rooms *rooms)
{
    int64_t n = points->n > MADE_POINTS ? points->n : MADE_POINTS;
    w->f = (function){.given = points};
    w->f.points = rs_room(rooms, n, sizeof *w->f.points);
    w->keys = rs_room(rooms, most, sizeof *w->keys);
    w->sorted = rs_room(rooms, most, sizeof *w->sorted);
    w->room = rs_room(rooms, most, sizeof *w->room);
    w->gains = rs_room(rooms, most, sizeof *w->gains);
    w->wide = rs_room(rooms, most, sizeof *w->wide);
    if (points->n && !rooms->lacking) {
        given_points(&w->f);
        through(&w->f);
    }
}

/* The keys of list a; returns the position of the first score that is refused, or -1. */
static int64_t read_keys(const rs_lists *lists, int64_t a, uint64_t *keys, int64_t *n)
{
    int64_t begin = lists->offsets[a];
    *n = lists->offsets[a + 1] - begin;
    int64_t refused =
        rs_label_keys(rs_label_at(lists->labels, lists->type, begin), lists->type, *n, keys);
    return refused < 0 ? -1 : begin + refused;
}

/* Sorts a pool of scores of a type, and makes φ of it where no points are given. */
static void take_in_pool(workspace *w, int64_t n, int32_t type)
{
    sort_keys(w->sorted, n, w->room);
    if (w->f.given->n)
        return;
    w->f.type = type;
    points_of(&w->f, w->sorted, n);
    through(&w->f);
}

/* A double from a relevance that is off by less than 2^-112 of itself. RS-NUM-14 */
static bool round_relevance(rs_float y, double *out)
{
    rs_number one = rs_integer(1);
    rs_number x = {.low = y.mantissa - (y.mantissa >> 111), .slack = y.mantissa >> 109,
                   .exponent = y.exponent};
    return rs_round_quotient(&x, &one, out);
}

/* <φ(s) of each score s of S>; returns how many are undecided. RS-REL-9 */
static int64_t relevance(const workspace *w, int64_t n, int32_t type, double *out,
                         uint8_t *undecided)
{
    int64_t open = 0;
    for (int64_t i = 0; i < n; i++) {
        rs_pause_at(i, i + 1, 100);
        rs_float y;
        bool level;
        bool decided = phi(&w->f, w->keys[i], type, &y, &level) && round_relevance(y, &out[i]);
        undecided[i] = !decided;
        open += !decided;
    }
    return open;
}

/* 2^φ - 1, of which it lacks less than 2^-109; φ is off by less than 2^-112 of itself. RS-REL-10,
 * RS-NUM-14 */
static rs_float gain_phi(rs_float y)
{
    rs_float gain = rs_exp2_minus_1(y);
    gain.mantissa -= gain.mantissa >> 111;
    return gain;
}

/* The gains of n scores, from one key to the next by steps; false where one is not known. */
static bool gains_of(workspace *w, const uint64_t *key, int64_t step, int64_t n, int32_t type,
                     int32_t *top)
{
    *top = INT32_MIN;
    for (int64_t i = 0; i < n; i++, key += step) {
        rs_pause_at(i, i + 1, 200);
        rs_float y;
        bool level;
        if (i && key[0] == key[-step]) {
            w->gains[i] = w->gains[i - 1];
            continue;
        }
        if (!phi(&w->f, *key, type, &y, &level))
            return false;
        w->gains[i] = gain_phi(y);
        if (w->gains[i].mantissa && rs_top_of(w->gains[i]) > *top)
            *top = rs_top_of(w->gains[i]);
    }
    *top = *top == INT32_MIN ? 0 : *top; /* every gain is 0 */
    for (int64_t i = 0; i < n; i++) {
        w->wide[i] = rs_wide_gain(w->gains[i], *top);
        if (w->gains[i].mantissa && w->wide[i] == 0)
            return false;
    }
    return true;
}

/* DCG@k of the list, or its expectation over the orders of the tie groups. RS-REL-11 */
static bool dcg_of_scores(workspace *w, int64_t n, int32_t type, const uint8_t *starts,
                          const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg)
{
    int64_t shown = nk ? rs_min(n, k[nk - 1]) : 0;
    while (starts && shown > 0 && shown < n && !starts[shown])
        shown++; /* the whole of a group that is cut */
    int32_t top;
    if (!gains_of(w, w->keys, 1, shown, type, &top))
        return false;
    if (starts)
        rs_expected_dcg_wide(w->wide, shown, top, starts, d, k, nk, dcg);
    else
        rs_dcg_wide(w->wide, shown, top, d, k, nk, dcg);
    return true;
}

/* The same of the ideal list: φ does not fall, so its order is that of the scores. RS-REL-12 */
static bool idcg_of_scores(workspace *w, int64_t n, int32_t type, const rs_discount *d,
                           const int64_t *k, int64_t nk, rs_number *idcg)
{
    int64_t shown = nk ? rs_min(n, k[nk - 1]) : 0;
    int32_t top;
    if (!gains_of(w, w->sorted + n - 1, -1, shown, type, &top))
        return false;
    rs_dcg_wide(w->wide, shown, top, d, k, nk, idcg);
    return true;
}

/* ---- batches ------------------------------------------------------------------------ */

/* The lists of rs_relevance(), and how many scores the one at hand has. */
typedef struct {
    workspace w;
    const rs_lists *lists;
    int64_t n;
} relevance_batch;

RS_TEMPLATE int64_t take_in_for_relevance(void *kernel, int64_t a, const rs_results *to)
{
    relevance_batch *x = kernel;
    workspace *w = &x->w;
    int64_t bad = read_keys(x->lists, a, w->keys, &x->n);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (w->f.given->n == 0) {
        memcpy(w->sorted, w->keys, (size_t)x->n * sizeof *w->keys);
        take_in_pool(w, x->n, x->lists->type);
    }
    return RS_KNOWN;
}

RS_TEMPLATE int64_t write_relevance(void *kernel, int64_t a, bool known, const rs_results *to)
{
    (void)known;
    const relevance_batch *x = kernel;
    int64_t begin = x->lists->offsets[a];
    return relevance(&x->w, x->n, x->lists->type, to->out + begin, to->undecided + begin);
}

int64_t rs_relevance(const rs_lists *lists, int64_t n, const rs_points *points, double *out,
                     uint8_t *undecided, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    int32_t in_pool;
    const rs_results to = {out, undecided, refused, &in_pool};
    rs_rooms rooms = {0};
    relevance_batch x = {.lists = lists};
    make_workspace(&x.w, points, rs_longest(lists, n), &rooms);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, n, take_in_for_relevance, write_relevance, &to);
    rs_leave(&rooms);
    return open;
}

/* Reads list a and its pool, and takes that in. lists: NULL where only the pool matters. */
static int64_t read_scores(workspace *w, const rs_lists *lists, const rs_lists *pools, int64_t a,
                           int64_t *size, int64_t *pooled, const rs_results *to)
{
    int64_t bad = -1;
    *size = 0;
    if (lists)
        bad = read_keys(lists, a, w->keys, size);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (pools != lists) {
        bad = read_keys(pools, a, w->sorted, pooled);
        if (bad >= 0)
            return rs_refuse(to, bad, true);
    } else {
        *pooled = *size;
        memcpy(w->sorted, w->keys, (size_t)*size * sizeof *w->keys);
    }
    take_in_pool(w, *pooled, pools->type);
    return RS_KNOWN;
}

/* DCG_phi and nDCG_phi at work. */
typedef struct {
    workspace w;
    const rs_lists *lists, *pools;
    const rs_discount *d;
    const int64_t *k;
    int64_t nk;
    rs_number *above, *below;
    bool normalised;
} dcg_phi_batch;

RS_TEMPLATE int64_t take_in_for_dcg_phi(void *kernel, int64_t a, const rs_results *to)
{
    dcg_phi_batch *x = kernel;
    int64_t n, pooled, read = read_scores(&x->w, x->lists, x->pools, a, &n, &pooled, to);
    if (read != RS_KNOWN)
        return read;
    bool known = dcg_of_scores(&x->w, n, x->lists->type, rs_starts_of(x->lists, a), x->d, x->k,
                               x->nk, x->above) &&
                 (!x->normalised || idcg_of_scores(&x->w, pooled, x->pools->type, x->d, x->k,
                                                   x->nk, x->below));
    return known ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE int64_t write_dcg_phi(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const dcg_phi_batch *x = kernel;
    return rs_write_quotients(a, x->nk, known, x->above, x->below, to);
}

/* DCG of the lists, divided by that of the ideal of the pools where it is normalised. */
static int64_t values_of_scores(const rs_measure *m, bool normalised, const rs_block *b,
                                const rs_results *to)
{
    rs_rooms rooms = {0};
    dcg_phi_batch x = {.lists = b->lists, .pools = b->pools, .d = m->discount, .k = m->k,
                       .nk = m->nk, .normalised = normalised};
    make_workspace(&x.w, m->points, rs_longest_of(b->lists, b->pools, b->n), &rooms);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room_of_ones(&rooms, m->nk);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in_for_dcg_phi, write_dcg_phi, to);
    rs_leave(&rooms);
    return open;
}

/* RS-REL-11; with starts RS-EXP-2 */
static int64_t values_of_dcg_phi(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_scores(m, false, b, to);
}

/* RS-REL-12; with starts RS-EXP-3 */
static int64_t values_of_ndcg_phi(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return values_of_scores(m, true, b, to);
}

/* ---- bounds ------------------------------------------------------------------------- */

/* What bounds need more, and the list at hand.
 * own: whether the list is its own pool; uniform: whether all gains of the pool are the same
 * one_group: starts by which any list is one tie group */
typedef struct {
    workspace w;
    const rs_lists *lists, *pools;
    int32_t kind;
    bool worst, normalised, own, uniform;
    const rs_discount *d;
    const int64_t *k;
    int64_t nk;
    rs_number *A, *ideal, *lower;
    uint8_t *one_group;

    int32_t type, type_of_pool;
    int64_t n, pooled;
    const uint8_t *starts;
} bounds_phi;

/* Whether two scores are known to have the same gain: they are the same, or φ is level at both and
 * as high. RS-NUM-21 */
static bool same_gain_of_scores(const bounds_phi *x, uint64_t score, int32_t type,
                                uint64_t of_pool)
{
    bool alike = (type == RS_I64) == (x->type_of_pool == RS_I64), level, level_of_pool;
    if (alike && score == of_pool)
        return true;
    rs_float y, z;
    return phi(&x->w.f, score, type, &y, &level) &&
           phi(&x->w.f, of_pool, x->type_of_pool, &z, &level_of_pool) && level && level_of_pool &&
           y.mantissa == z.mantissa && (y.mantissa == 0 || y.exponent == z.exponent);
}

/* IUB and LB; false where a gain is lost. RS-BND-1, RS-BND-2, RS-BND-3, RS-NUM-21 */
static bool bounds_of_pool(bounds_phi *x)
{
    workspace *w = &x->w;
    int64_t n = x->pooled;
    int32_t top;
    if (!idcg_of_scores(w, n, x->type_of_pool, x->d, x->k, x->nk, x->ideal))
        return false;
    x->uniform = n == 0 || same_gain_of_scores(x, w->sorted[0], x->type_of_pool, w->sorted[n - 1]);
    if (x->kind == RS_IUB || x->kind == RS_U || x->kind == RS_EXPECTED_VALUE)
        return true;
    int64_t shown = x->worst && x->nk ? rs_min(n, x->k[x->nk - 1]) : n;
    if (!gains_of(w, w->sorted, 1, shown, x->type_of_pool, &top))
        return false;
    if (x->worst)
        rs_dcg_wide(w->wide, shown, top, x->d, x->k, x->nk, x->lower);
    else
        rs_expected_dcg_wide(w->wide, n, top, x->one_group, x->d, x->k, x->nk, x->lower);
    return true;
}

/* The numbers of the list and of its pool. */
static bool take_in_scores(bounds_phi *x)
{
    workspace *w = &x->w;
    if (x->kind == RS_EXPECTED_VALUE)
        return (!x->normalised || bounds_of_pool(x)) &&
               dcg_of_scores(w, x->n, x->type, x->one_group, x->d, x->k, x->nk, x->lower);
    return bounds_of_pool(x) &&
           (rs_is_of_pool(x->kind) ||
            dcg_of_scores(w, x->n, x->type, x->starts, x->d, x->k, x->nk, x->A));
}

/* Whether each item shown, and what is tied with it, gains what the pool does at its rank, worst
 * first; tied items must have one gain. */
static bool scores_show_worst(const bounds_phi *x, int64_t shown)
{
    const uint64_t *sorted = x->w.sorted;
    for (int64_t s = 0; s < shown;) {
        int64_t end = rs_group_end(x->starts, s, x->n);
        for (int64_t i = s; i < end; i++)
            if (!same_gain_of_scores(x, x->w.keys[i], x->type, sorted[s]) ||
                (i < shown && !same_gain_of_scores(x, sorted[i], x->type_of_pool, sorted[s])))
                return false;
        s = end;
    }
    return true;
}

/* Whether LB is DCG of the list, or that of the ideal. RS-NUM-21 */
static bool equal_dcg_of_scores(const void *given, int64_t j, bool ideal)
{
    const bounds_phi *x = given;
    int64_t k = x->k[j], ranks = rs_min(x->pooled, k), shown = rs_min(x->n, k);
    bool whole = ranks == x->pooled && ranks > 0 && x->d->unit == 0 &&
                 rs_discount_at(x->d, 1) == rs_discount_at(x->d, ranks);
    if (ideal)
        return x->uniform || whole;
    if (x->own && (whole || (!x->worst && rs_group_end(x->starts, 0, x->n) >= x->n)))
        return true;
    return shown == ranks && (x->worst || x->uniform) && scores_show_worst(x, shown);
}

static bool bound_of_scores_at(const bounds_phi *x, int64_t j, double *out)
{
    if (!rs_is_of_pool(x->kind) && x->kind != RS_EXPECTED_VALUE)
        return rs_bound_value(x->kind, &x->A[j], &x->ideal[j], &x->lower[j], equal_dcg_of_scores,
                              x, j, out);
    rs_number by = x->normalised ? x->ideal[j] : rs_integer(1);
    return rs_round_quotient(x->kind == RS_IUB ? &x->ideal[j] : &x->lower[j], &by, out);
}

RS_TEMPLATE int64_t take_in_for_bounds(void *kernel, int64_t a, const rs_results *to)
{
    bounds_phi *x = kernel;
    const rs_lists *lists = rs_is_of_pool(x->kind) && !x->own ? NULL : x->lists;
    int64_t read = read_scores(&x->w, lists, x->pools, a, &x->n, &x->pooled, to);
    if (read != RS_KNOWN)
        return read;
    x->starts = rs_starts_of(x->lists, a);
    return take_in_scores(x) ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE bool bound_of_dcg_phi_at(void *kernel, int64_t j, double *out)
{
    return bound_of_scores_at(kernel, j, out);
}

RS_TEMPLATE int64_t write_bounds(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const bounds_phi *x = kernel;
    return rs_write_values(kernel, a, x->nk, known, bound_of_dcg_phi_at, to);
}

/* RS-BND-1 to RS-BND-8 of DCG_phi, or where it is normalised of nDCG_phi; RS-EXP-1 */
static int64_t bounds_of_scores(const rs_measure *m, bool normalised, const rs_block *b,
                                const rs_results *to)
{
    int64_t most = rs_longest_of(b->lists, b->pools, b->n), open = RS_NO_MEMORY;
    rs_rooms rooms = {0};
    bounds_phi x = {.lists = b->lists, .pools = b->pools, .kind = m->bound, .worst = m->worst,
                    .normalised = normalised, .own = rs_is_own_pool(b), .d = m->discount,
                    .k = m->k, .nk = m->nk, .type = b->lists->type,
                    .type_of_pool = b->pools->type};
    make_workspace(&x.w, m->points, most, &rooms);
    x.A = rs_room(&rooms, m->nk, sizeof *x.A);
    x.ideal = rs_room(&rooms, m->nk, sizeof *x.ideal);
    x.lower = rs_room(&rooms, m->nk, sizeof *x.lower);
    x.one_group = rs_room_of_zeros(&rooms, most, 1);
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in_for_bounds, write_bounds, to);
    rs_leave(&rooms);
    return open;
}

static int64_t bounds_of_dcg_phi(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_scores(m, false, b, to);
}

static int64_t bounds_of_ndcg_phi(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_scores(m, true, b, to);
}

/* ---- the metrics ------------------------------------------------------------------------- */

enum { OF_SCORES = RS_NEEDS_POINTS | RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS };

const rs_metric rs_metrics_of_relevance[] = {
    {.metric = RS_DCG_PHI,
     .needs = OF_SCORES,
     .values = values_of_dcg_phi,
     .bounds = bounds_of_dcg_phi},
    {.metric = RS_NDCG_PHI,
     .needs = OF_SCORES,
     .values = values_of_ndcg_phi,
     .bounds = bounds_of_ndcg_phi},
    {0},
};
