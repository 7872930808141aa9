/* Users who read from the top and stop: ERR, nERR, RBP and its residual, their expectations and
 * bounds. Spec: chapter "cascade".
 *
 * ERR: the probability that the user goes on is a whole number of 2^-126, and what a rank adds is
 * one of 2^-125: each step takes a part off, and a slack says how much rounding takes more.
 * RBP is DCG of relevance indicators with the discount p^(i-1), counted from the first rank that
 * may be relevant, and (1 - p) p^(i-1) of that rank times the sum.
 */
#include "cascade.h"

#include <math.h>
#include <string.h>

#include "bounds.h"
#include "dcg.h"
#include "precision.h"
#include "stopping.h"

/* The probabilities to stop at the labels, as the core needs them. RS-NUM-15
 * stop, go_on: R 2^127 and (1 - R) 2^127, rounded down; lack: 0 for R = 0, 1 where these are exact,
 * 2 where they are not; narrow: whether all of them are exact multiples of 2^64
 * q: 1 - R; whole: q 2^bits, where all of these are whole numbers; bits: at most 60, or -1: they
 * are not */
typedef struct {
    const rs_gain *given;
    u128 stop[SMALL_LABELS], go_on[SMALL_LABELS];
    uint8_t lack[SMALL_LABELS];
    rs_float q[SMALL_LABELS];
    uint64_t whole[SMALL_LABELS];
    bool narrow;
    int32_t bits;
} stop_table;

/* Room for the expectation, which grows as it must; {0} at first. RS-NUM-16
 * size: of each array; a: the mean products of the group at hand, in fixed point
 * inverse: 1/j for j <= known; odd: the inverse of its odd part modulo 2^64
 * per: 1 / C(n, j) for j < n_per
 * e: elementary symmetric sums; factor, product: to multiply them out; words: to make them in
 * whole numbers
 * count: how often each label occurs in the group at hand; 0 between groups */
typedef struct {
    int64_t size, known, n, n_per;
    u128 *a;
    rs_float *inverse, *per, *e, *factor, *product;
    uint64_t *odd, *words;
    int64_t n_words;
    int64_t count[SMALL_LABELS];
} expectation_room;

static const u128 CERTAIN = (u128)1 << 126; /* the probability 1 */

/* 1 - x, for x <= 1: exact, or it lacks less than 2^-128. */
static rs_float complement(rs_float x)
{
    if (x.exponent == -127) /* x = 1 */
        return RS_ZERO;
    if (x.mantissa == 0)
        return rs_float_of(1, 0);
    int shift = -128 - x.exponent;
    u128 whole = shift < 128 ? x.mantissa >> shift : 0;
    bool cut = shift >= 128 || (shift && x.mantissa << (128 - shift));
    return rs_float_of(-(whole + cut), -128);
}

/* Each R 2^bits is a whole number; -1: there are no such bits. */
static int32_t bits_of(const rs_gain *g)
{
    enum { MOST = 60 };
    int32_t bits = 0;
    for (int64_t label = 0; label < g->size; label++)
        while (bits <= MOST && ldexp(g->table[label], bits) != floor(ldexp(g->table[label], bits)))
            bits++;
    return bits <= MOST ? bits : -1;
}

/* RS-CAS-1, RS-NUM-15 */
static void make_stop_table(const rs_gain *g, stop_table *table)
{
    table->given = g;
    table->narrow = true;
    table->bits = bits_of(g);
    /* Labels beyond the table are refused; one that is written later stops nobody. */
    memset(table->stop, 0, sizeof table->stop);
    memset(table->lack, 0, sizeof table->lack);
    memset(table->whole, 0, sizeof table->whole);
    memset(table->q, 0, sizeof table->q);
    for (int64_t label = 0; label < g->size; label++) {
        rs_float R = rs_float_of_double(g->table[label]);
        u128 whole = rs_part_of_float(R, &table->go_on[label]);
        bool exact = whole + table->go_on[label] == (u128)1 << 127;
        table->stop[label] = whole;
        table->lack[label] = R.mantissa == 0 ? 0 : exact ? 1 : 2;
        table->narrow = table->narrow && exact && (uint64_t)whole == 0;
        table->q[label] = complement(R);
        if (table->bits >= 0)
            table->whole[label] =
                (1ull << table->bits) - (uint64_t)ldexp(g->table[label], table->bits);
    }
}

/* ---- ERR of a settled list ---------------------------------------------------------- */

/* floor(x y / 2^126), for x, y <= 2^126 */
static inline u128 of_certain(u128 x, u128 y)
{
    return rs_high_product(x << 1, y << 1);
}

/* floor(x y / 2^127), for x <= 2^126 and y <= 2^127; narrow: y is a multiple of 2^64 */
static inline u128 of_part(u128 x, u128 y, bool narrow)
{
    if (!narrow)
        return rs_high_product(x << 1, y);
    uint64_t y1 = (uint64_t)(y >> 64), x0 = (uint64_t)(x << 1), x1 = (uint64_t)(x >> 63);
    return (u128)x1 * y1 + ((u128)x0 * y1 >> 64);
}

static inline u128 less(u128 x, u128 y)
{
    return x > y ? x - y : 0;
}

/* ERR from what was summed: slack beside what the discounts lack, and how probable it is that the
 * user goes on: no less than that. RS-NUM-15 */
static rs_number number_of_err(u128 low, u128 slack, u128 going_on, const rs_discount *inverse)
{
    u128 stopped = CERTAIN - going_on;
    if (stopped)
        slack += rs_wide_product(inverse->unit, stopped) + 1;
    return (rs_number){.low = low, .slack = slack, .exponent = inverse->exponent - 30};
}

static inline __attribute__((always_inline)) void err(const label_list *r, const stop_table *stop,
                                                      bool narrow, const rs_discount *inverse,
                                                      const int64_t *k, int64_t nk, rs_number *err)
{
    u128 low = 0, going_on = CERTAIN;
    uint64_t stops = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < nk; j++) {
        const int64_t end = rs_min(k[j], r->n);
        while (i < end)
            for (int64_t part = rs_part(i, end, 8); i < part; i++) {
                int label = r->small[i];
                u128 stopped = of_part(going_on, stop->stop[label], narrow);
                going_on = of_part(going_on, stop->go_on[label], narrow);
                low += rs_wide_product(rs_discount_at(inverse, i + 1), stopped);
                stops += stop->lack[label] != 0;
            }
        err[j] = number_of_err(low, 2 * (u128)stops, going_on, inverse);
    }
}

/* ERR@k for each k. RS-CAS-2 */
static void err_of(const label_list *r, const stop_table *stop, const rs_discount *inverse,
                   const int64_t *k, int64_t nk, rs_number *to)
{
    if (stop->narrow)
        err(r, stop, true, inverse, k, nk, to);
    else
        err(r, stop, false, inverse, k, nk, to);
}

/* IERR@k for each k: ERR of the labels, the highest first. RS-CAS-3 */
static void ierr_of(const label_list *J, const stop_table *stop, const rs_discount *inverse,
                    const int64_t *k, int64_t nk, uint8_t *scratch, rs_number *ierr)
{
    int64_t count[SMALL_LABELS], shown = nk ? rs_min(k[nk - 1], J->n) : 0, begin = 0;
    for (int label = rs_count_labels(J->small, J->n, count); label > 0 && begin < shown; label--) {
        int64_t n = rs_min(count[label], shown - begin);
        memset(scratch + begin, label, (size_t)n);
        begin += n;
    }
    memset(scratch + begin, 0, (size_t)(shown - begin));
    label_list ideal = {.at = scratch, .small = scratch, .n = shown, .type = RS_U8, .top = J->top};
    err_of(&ideal, stop, inverse, k, nk, ierr);
}

/* ---- the mean products of a tie group ------------------------------------------------ */

enum { MOST_TERMS = 1 << 24 };

static bool longer(rs_float **array, int64_t size)
{
    return rs_enlarge((void **)array, size, sizeof **array);
}

static bool longer_words(uint64_t **array, int64_t size)
{
    return rs_enlarge((void **)array, size, sizeof **array);
}

/* Room for the numbers 0 to m; false: there is none. */
static bool room_for(expectation_room *room, int64_t m)
{
    if (m < room->size)
        return true;
    int64_t size = m + m / 2 + 16;
    bool made = rs_enlarge((void **)&room->a, size, sizeof *room->a) &&
                longer_words(&room->odd, size) && longer(&room->inverse, size) &&
                longer(&room->per, size) && longer(&room->e, size) &&
                longer(&room->factor, size) && longer(&room->product, size);
    room->size = made ? size : room->size;
    return made;
}

static bool room_for_words(expectation_room *room, int64_t n)
{
    if (n <= room->n_words)
        return true;
    bool made = longer_words(&room->words, n);
    room->n_words = made ? n : room->n_words;
    return made;
}

static void free_expectation(expectation_room *room)
{
    free(room->words);
    free(room->a);
    free(room->odd);
    free(room->inverse);
    free(room->per);
    free(room->e);
    free(room->factor);
    free(room->product);
}

static void free_expectation_at(void *room)
{
    free_expectation(room);
}

/* The inverse of the odd part of j modulo 2^64. */
static uint64_t inverse_of_odd_part(int64_t j)
{
    uint64_t odd = (uint64_t)j >> __builtin_ctzll((uint64_t)j);
    uint64_t inverse = odd; /* right in 3 bits, then in 6, 12, 24, 48, 96 */
    for (int step = 0; step < 5; step++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* 1 / C(n, j) for j = 0 to m, and 1/j; kept from group to group. */
static void take_inverses(expectation_room *room, int64_t n, int64_t m)
{
    for (int64_t j = room->known + 1; j <= m; j++) {
        room->inverse[j] = rs_inverse(rs_float_of((u128)j, 0));
        room->odd[j] = inverse_of_odd_part(j);
        room->known = j;
    }
    if (room->n == n && room->n_per > m)
        return;
    rs_float binomial = rs_float_of(1, 0);
    room->n = n;
    room->n_per = m + 1;
    room->per[0] = binomial;
    for (int64_t j = 1; j <= m; j++) {
        rs_float times = rs_float_of((u128)(n - j + 1), 0);
        binomial = rs_times(rs_times(binomial, times), room->inverse[j]);
        room->per[j] = rs_inverse(binomial);
    }
}

/* The labels of a group, each once, and how many there are of each in room->count. */
typedef struct {
    uint8_t label[SMALL_LABELS];
    int32_t n;
} grades;

enum { MOST_GRADES = 15, RING = 16 }; /* whose sums are made in whole numbers, and of these kept */

/* The words that j e_j 2^(bits j) needs, at most C(n, j) products being summed. */
static int64_t words_needed(const expectation_room *room, int32_t bits, int64_t j)
{
    return (rs_bits((u128)j) + 1 - (room->per[j].exponent + 127) + bits * j) / 64 + 1;
}

/* to += x y, of so many words */
static void add_multiple(uint64_t *restrict to, const uint64_t *restrict x, int64_t words,
                         uint64_t y)
{
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        u128 sum = (u128)x[i] * y + to[i] + carry;
        to[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* to = (x - y) / j, which is a whole number, modulo 2^64 word by word; inverse: of the odd part */
static void divided_difference(uint64_t *to, const uint64_t *x, const uint64_t *y, int64_t words,
                               int64_t j, uint64_t inverse)
{
    int twos = __builtin_ctzll((uint64_t)j);
    uint64_t odd = (uint64_t)j >> twos, borrow = 0;
    for (int64_t i = 0; i < words; i++) {
        u128 difference = (u128)x[i] - y[i] - borrow;
        to[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    borrow = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t next = i + 1 < words ? to[i + 1] : 0;
        uint64_t word = twos ? to[i] >> twos | next << (64 - twos) : to[i];
        uint64_t quotient = (word - borrow) * inverse;
        borrow = (uint64_t)((u128)quotient * odd >> 64) + (word < borrow);
        to[i] = quotient;
    }
}

/* The same of two words; x is the difference. */
static u128 divided(u128 x, int64_t j, uint64_t inverse)
{
    int twos = __builtin_ctzll((uint64_t)j);
    u128 odd = (u128)j >> twos;
    return (x >> twos) * (inverse * (2 - odd * inverse));
}

/* A whole number of so many words, cut to the highest 128 bits, times 2^exponent. */
static rs_float float_of_words(const uint64_t *x, int64_t words, int64_t exponent)
{
    while (words > 0 && x[words - 1] == 0)
        words--;
    u128 high = words ? x[words - 1] : 0;
    if (words > 1)
        high = high << 64 | x[words - 2];
    rs_float found = rs_float_of(high, (int32_t)(exponent + 64 * (words > 2 ? words - 2 : 0)));
    int shift = words > 2 ? 128 - rs_bits(high) : 0;
    if (shift)
        found.mantissa |= x[words - 3] >> (64 - shift);
    return found;
}

/* e_0, ..., e_m of the whole numbers Q = q 2^bits. With D(x) the product of 1 + Q x over the
 * grades, e(x) that of (1 + Q x)^n, and N(x) = D(x) e'(x) / e(x), the coefficients of
 * D(x) e'(x) = N(x) e(x) give one e after the other; all of it modulo a power of two. RS-NUM-16 */
static void sums_of_whole_numbers(const grades *g, const stop_table *stop, int64_t m, int64_t most,
                                  expectation_room *room)
{
    int64_t D[MOST_GRADES + 1] = {1}, N[MOST_GRADES + 1] = {0}, degree = 0, words = 1;
    for (int32_t i = 0; i < g->n; i++) {
        int64_t Q = (int64_t)stop->whole[g->label[i]], n = room->count[g->label[i]];
        if (Q == 0)
            continue;
        degree++;
        for (int64_t t = degree; t > 0; t--) {
            N[t] += Q * (N[t - 1] + n * D[t]);
            D[t] += Q * D[t - 1];
        }
        N[0] += Q * n;
    }
    memset(room->words, 0, (size_t)(RING * most) * sizeof *room->words);
    uint64_t *added = room->words + RING * most, *taken = added + most;
    room->words[0] = 1;
    room->e[0] = rs_float_of(1, 0);
    for (int64_t j = 1; j <= m; j++) {
        int64_t needed = words_needed(room, stop->bits, j);
        words = needed > words ? needed : words;
        if (words <= 2) {
            u128 sum = 0;
            for (int64_t t = 1; t <= rs_min(degree, j); t++) {
                const uint64_t *e = room->words + (j - t) % RING * most;
                sum += (u128)(N[t - 1] - (j - t) * D[t]) * ((u128)e[1] << 64 | e[0]);
            }
            sum = divided(sum, j, room->odd[j]);
            room->words[j % RING * most] = (uint64_t)sum;
            room->words[j % RING * most + 1] = (uint64_t)(sum >> 64);
            room->e[j] = rs_float_of(sum, -stop->bits * (int32_t)j);
            continue;
        }
        memset(added, 0, (size_t)words * sizeof *added);
        memset(taken, 0, (size_t)words * sizeof *taken);
        for (int64_t t = 1; t <= rs_min(degree, j); t++) {
            int64_t factor = N[t - 1] - (j - t) * D[t];
            const uint64_t *e = room->words + (j - t) % RING * most;
            add_multiple(factor > 0 ? added : taken, e, words,
                         (uint64_t)(factor > 0 ? factor : -factor));
        }
        uint64_t *e = room->words + j % RING * most;
        divided_difference(e, added, taken, words, j, room->odd[j]);
        room->e[j] = float_of_words(e, words, -stop->bits * j);
    }
}

/* The words that sums_of_whole_numbers() needs, or 0 where its coefficients are not below 2^62, or
 * it would take longer than sums(). RS-NUM-16 */
static int64_t words_of_sums(const grades *g, const stop_table *stop, int64_t n, int64_t m,
                             const expectation_room *room)
{
    if (stop->bits < 0 || g->n > MOST_GRADES)
        return 0;
    double largest = (double)(n * (g->n + 1)), products = 0;
    int64_t degree = 0, words = 2;
    for (int32_t i = 0; i < g->n; i++) {
        int64_t of_factor = rs_min(room->count[g->label[i]], m);
        largest *= 1 + (double)stop->whole[g->label[i]];
        products += (double)degree * (double)of_factor + (double)of_factor;
        degree = rs_min(degree + of_factor, m);
    }
    for (int64_t j = 1; j <= m; j++) {
        int64_t needed = words_needed(room, stop->bits, j);
        words = needed > words ? needed : words;
    }
    enum { FASTER = 8 }; /* than a product and a sum in floating point */
    bool cheaper = (double)m * (double)(g->n + 3) * (double)words < FASTER * products;
    return largest < 0x1p62 && (cheaper || m <= 16) ? words : 0;
}

/* (1 + q x)^n, up to degree m; returns its degree, or m. */
static int64_t power(rs_float q, int64_t n, int64_t m, expectation_room *room)
{
    int64_t degree = rs_min(n, m);
    room->factor[0] = rs_float_of(1, 0);
    for (int64_t j = 1; j <= degree; j++) {
        rs_float times = rs_times(q, rs_float_of((u128)(n - j + 1), 0));
        room->factor[j] = rs_times(rs_times(room->factor[j - 1], times), room->inverse[j]);
    }
    return degree;
}

/* e_0, ..., e_m, the product of (1 + q x)^n over the grades. RS-NUM-16 */
static void sums(const grades *g, const stop_table *stop, int64_t m, expectation_room *room)
{
    int64_t degree = 0;
    room->e[0] = rs_float_of(1, 0);
    for (int32_t i = 0; i < g->n; i++) {
        rs_float q = stop->q[g->label[i]];
        if (q.mantissa == 0)
            continue;
        int64_t of_factor = power(q, room->count[g->label[i]], m, room);
        int64_t of_product = rs_min(degree + of_factor, m);
        for (int64_t j = 0; j <= of_product; j++) {
            rs_float sum = RS_ZERO;
            int64_t first = j > degree ? j - degree : 0, last = rs_min(j, of_factor);
            for (int64_t t = first; t <= last; t++)
                sum = rs_plus(sum, rs_times(room->e[j - t], room->factor[t]));
            room->product[j] = sum;
        }
        rs_float *swapped = room->e;
        room->e = room->product;
        room->product = swapped;
        degree = of_product;
    }
    for (int64_t j = degree + 1; j <= m; j++)
        room->e[j] = RS_ZERO;
}

/* x in units of 2^-126, at most 1 */
static u128 fixed(rs_float x)
{
    int shift = -126 - x.exponent;
    if (x.mantissa == 0 || shift > 127)
        return 0;
    u128 whole = shift > 0 ? x.mantissa >> shift : CERTAIN;
    return whole < CERTAIN ? whole : CERTAIN;
}

/* a_0, ..., a_m of a group of n items, in fixed point, which do not rise. Returns m, or a lesser
 * number where those that follow are below 2^-96, and 0; -1 where there are too many of them, -2
 * where there is no memory. error: each is off by no more units. RS-EXP-13, RS-NUM-16 */
static int64_t mean_products(const grades *g, const stop_table *stop, int64_t n, int64_t m,
                             expectation_room *room, u128 *error)
{
    enum { NOTHING = 67 }; /* e^-67 < 2^-96 */
    double mean = 0;
    for (int32_t i = 0; i < g->n; i++)
        if (g->label[i] < stop->given->size)
            mean += (double)room->count[g->label[i]] * stop->given->table[g->label[i]];
    mean /= (double)n;
    *error = 0;
    if (mean * (double)m > NOTHING + 1) {
        m = (int64_t)(NOTHING / mean) + 1;
        *error = (u128)1 << 30;
    }
    if (m > MOST_TERMS)
        return -1;
    if (!room_for(room, m))
        return -2;
    take_inverses(room, n, m);
    int64_t words = words_of_sums(g, stop, n, m, room);
    if (words && !room_for_words(room, (RING + 2) * words))
        return -2;
    if (words)
        sums_of_whole_numbers(g, stop, m, words, room);
    else
        sums(g, stop, m, room);
    *error += (u128)(16 + g->n) * (u128)(m + 1) + 2;
    room->a[0] = CERTAIN;
    for (int64_t j = 1; j <= m; j++) {
        u128 a = fixed(rs_times(room->e[j], room->per[j]));
        room->a[j] = a < room->a[j - 1] ? a : room->a[j - 1];
    }
    return m;
}

/* ---- expected ERR -------------------------------------------------------------------- */

/* E[ERR] of the groups so far. going_on: the probability that the user goes on, which lacks at
 * most lack */
typedef struct {
    u128 low, slack, going_on, lack;
} err_so_far;

/* A group of one item. */
static void add_item(err_so_far *x, int label, int64_t s, const stop_table *stop,
                     const rs_discount *inverse)
{
    if (stop->lack[label] == 0)
        return;
    u128 stopped = of_part(x->going_on, stop->stop[label], stop->narrow);
    x->low += rs_wide_product(rs_discount_at(inverse, s + 1), stopped);
    x->slack += 3 + x->lack;
    x->going_on = of_part(x->going_on, stop->go_on[label], stop->narrow);
    x->lack += stop->lack[label];
}

static bool stops_somewhere(const grades *g, const stop_table *stop)
{
    for (int32_t i = 0; i < g->n; i++)
        if (stop->lack[g->label[i]])
            return true;
    return false;
}

/* What the first t ranks of a group add, stopped being the sum of a_{i-1} - a_i, times the
 * discounts, and goes_on = a_t; error: of each a. RS-NUM-16 */
static err_so_far with_group(const err_so_far *x, u128 stopped, u128 goes_on, u128 error, int64_t t)
{
    u128 half = error / 2 + 1;
    return (err_so_far){
        .low = x->low + of_certain(x->going_on, less(stopped, half)),
        .slack = x->slack + 2 * half + (u128)t + x->lack + 3,
        .going_on = of_certain(x->going_on, less(goes_on, error)),
        .lack = x->lack + 2 * error + 1,
    };
}

/* The labels of a group of n items, and room->count of each. */
static void count_grades(const uint8_t *labels, int64_t n, grades *g, expectation_room *room)
{
    enum { FEW = 24 };
    int64_t *count = room->count;
    g->n = 0;
    if (n < FEW) {
        for (int64_t i = 0; i < n; i++) {
            uint8_t label = labels[i];
            if (count[label]++ == 0)
                g->label[g->n++] = label;
        }
        return;
    }
    const label_list group = {.at = labels, .small = labels, .n = n, .type = RS_U8};
    int64_t zeros = n;
    for (int label = rs_count_labels(group.small, group.n, count); label > 0; label--) {
        zeros -= count[label];
        if (count[label])
            g->label[g->n++] = (uint8_t)label;
    }
    count[0] = zeros;
    if (zeros)
        g->label[g->n++] = 0;
}

/* E[ERR@k] for each k. RS-EXP-14 */
static bool expected_err(const label_list *r, const uint8_t *starts, const stop_table *stop,
                         const rs_discount *inverse, const int64_t *k, int64_t nk,
                         expectation_room *room, rs_number *err)
{
    const rs_number unknown = {.slack = (u128)1 << 126};
    err_so_far x = {.going_on = CERTAIN};
    int64_t s = 0, j = 0, shown = nk ? rs_min(r->n, k[nk - 1]) : 0;
    while (s < shown && x.going_on) {
        int64_t end = rs_group_end(starts, s, r->n), n = end - s;
        if (n == 1) {
            add_item(&x, r->small[s], s, stop, inverse);
            s = end;
            for (; j < nk && k[j] == s; j++)
                err[j] = number_of_err(x.low, x.slack, x.going_on, inverse);
            continue;
        }
        grades g;
        u128 error = 0, stopped = 0;
        count_grades(r->small + s, n, &g, room);
        int64_t m = rs_min(n, shown - s);
        bool stops = stops_somewhere(&g, stop);
        int64_t known = stops ? mean_products(&g, stop, n, m, room, &error) : 0;
        for (int32_t i = 0; i < g.n; i++)
            room->count[g.label[i]] = 0;
        if (known == -2)
            return false;
        if (known == -1) {
            for (; j < nk; j++)
                err[j] = unknown;
            return true;
        }
        err_so_far with = x;
        for (int64_t t = 1; t <= m && stops; t++) {
            u128 goes_on = t <= known ? room->a[t] : 0;
            if (t <= known + 1)
                stopped += rs_wide_product(rs_discount_at(inverse, s + t),
                                           room->a[t - 1] - goes_on);
            if (t < m && (j == nk || k[j] != s + t))
                continue;
            with = with_group(&x, stopped, goes_on, error, t);
            for (; j < nk && k[j] == s + t; j++)
                err[j] = number_of_err(with.low, with.slack, with.going_on, inverse);
        }
        x = with;
        s += m;
        for (; j < nk && k[j] <= s; j++)
            err[j] = number_of_err(x.low, x.slack, x.going_on, inverse);
    }
    if (s < shown) /* nobody goes on: what follows is less than what going_on lacks */
        x.slack += x.lack + 1;
    for (; j < nk; j++)
        err[j] = number_of_err(x.low, x.slack, x.going_on, inverse);
    return true;
}

/* ---- RBP ----------------------------------------------------------------------------- */

/* The persistence of RBP: 1 - p, and p^(2^b) for each b, RS_ZERO where it is out of range; the gain
 * of a relevance indicator is that number. */
typedef struct {
    rs_float q;
    rs_float square[31];
    gain_table indicator;
} persistence;

/* linear: a gain that is the label. RS-NUM-15 */
static void make_persistence(double p, const rs_gain *linear, persistence *to)
{
    enum { LEAST_EXPONENT = -(1 << 24) };
    rs_float power = rs_float_of_double(p);
    to->q = complement(power);
    for (int b = 0; b < 31; b++) {
        to->square[b] = power;
        power = rs_times(power, power);
        if (power.exponent < LEAST_EXPONENT)
            power = RS_ZERO;
    }
    rs_gain_table(linear, &to->indicator);
}

/* x p^s, for s < 2^30; each of the s products lacks less than 4 units of its last place. */
static rs_number times_power(rs_float x, const persistence *p, int64_t s)
{
    for (int b = 0; s >> b; b++)
        if (s >> b & 1)
            x = rs_times(x, p->square[b]);
    if (x.mantissa == 0)
        return (rs_number){.slack = (u128)1 << 126};
    return (rs_number){.low = x.mantissa, .slack = 4 * (u128)(s + 3), .exponent = x.exponent};
}

/* (1 - p) p^s */
static rs_number weight_after(const persistence *p, int64_t s)
{
    return times_power(p->q, p, s);
}

rs_number rs_share_that_stops(double p)
{
    rs_float q = complement(rs_float_of_double(p));
    return (rs_number){.low = q.mantissa, .slack = (u128)12, .exponent = q.exponent};
}

/* The first rank, less 1, whose item or tie group has anything relevant; n: there is none. */
static int64_t first_relevant(const uint8_t *R, const uint8_t *starts, int64_t n)
{
    int64_t s = 0;
    while (s < n && !R[s])
        s++;
    while (starts && s > 0 && s < n && !starts[s])
        s--;
    return s;
}

/* RBP@k for each k. RS-CAS-5; with starts RS-EXP-16 */
static void rbp_of(const uint8_t *R, const uint8_t *starts, int64_t n, const persistence *p,
                   const rs_discount *powers, const int64_t *k, int64_t nk, int64_t *scratch,
                   rs_number *rbp)
{
    int64_t s = first_relevant(R, starts, n), j = 0;
    for (; j < nk && (s == n || k[j] <= s); j++)
        rbp[j] = rs_integer(0);
    if (j == nk)
        return;
    for (int64_t t = j; t < nk; t++)
        scratch[t] = k[t] == RS_WHOLE ? RS_WHOLE : k[t] - s;
    label_list r = {.at = R + s, .small = R + s, .n = n - s, .type = RS_U8, .top = 1};
    if (starts)
        rs_expected_dcg_small(&r, starts + s, &p->indicator, powers, scratch + j, nk - j, rbp + j);
    else
        rs_dcg_small(&r, &p->indicator, powers, scratch + j, nk - j, rbp + j);
    rs_number weight = weight_after(p, s);
    for (; j < nk; j++)
        rbp[j] = rs_product(&rbp[j], &weight);
}

/* ---- batches ------------------------------------------------------------------------ */

/* Reads list a; returns the position of the first label that is refused, or -1. */
static int64_t read_grades(const rs_lists *lists, int64_t a, const gain_table *g, uint8_t *bytes,
                           label_list *r)
{
    int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int64_t refused = rs_read_labels(at, lists->type, n, g, bytes, r);
    return refused < 0 ? -1 : begin + refused;
}

/* ERR, nERR and LERR at work. pools: NULL: there are none, and below is 1, or what adjusts it
 * rel: the probability to stop at the result that a user expects, the least above 0 */
typedef struct {
    const rs_lists *lists, *pools;
    const rs_expectation *by;
    rs_number rel;
    gain_table labels;
    stop_table stop;
    expectation_room expectation;
    const rs_discount *inverse;
    const int64_t *k;
    int64_t nk;
    uint8_t *bytes, *ideal;
    rs_number *above, *below;
} err_batch;

RS_TEMPLATE int64_t take_in_grades(void *kernel, int64_t a, const rs_results *to)
{
    err_batch *x = kernel;
    const uint8_t *starts = rs_starts_of(x->lists, a);
    label_list r;
    int64_t bad = read_grades(x->lists, a, &x->labels, x->bytes, &r);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    if (!starts)
        err_of(&r, &x->stop, x->inverse, x->k, x->nk, x->above);
    else if (!expected_err(&r, starts, &x->stop, x->inverse, x->k, x->nk, &x->expectation,
                              x->above))
        return RS_NO_MEMORY;
    if (x->by)
        rs_adjust(x->by, &x->rel, r.n, x->k, x->nk, x->above, x->below);
    if (x->pools && x->pools != x->lists) {
        bad = read_grades(x->pools, a, &x->labels, x->bytes, &r);
        if (bad >= 0)
            return rs_refuse(to, bad, true);
    }
    if (x->pools)
        ierr_of(&r, &x->stop, x->inverse, x->k, x->nk, x->ideal, x->below);
    return RS_KNOWN;
}

RS_TEMPLATE int64_t write_err(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const err_batch *x = kernel;
    return rs_write_quotients(a, x->nk, known, x->above, x->below, to);
}

/* The least probability to stop that is above 0, or 0. RS-LEN-13 */
static rs_number least_stop(const rs_gain *stop)
{
    int64_t label = 0; /* the probabilities do not fall */
    while (label < stop->size && stop->table[label] == 0)
        label++;
    if (label == stop->size)
        return rs_integer(0);
    rs_float R = rs_float_of_double(stop->table[label]);
    return (rs_number){.low = R.mantissa >> 64, .exponent = R.exponent + 64};
}

int64_t rs_err_of_lists(const rs_measure *m, const rs_lists *lists, const rs_lists *pools,
                        int64_t n, const rs_expectation *by, const rs_results *to)
{
    int64_t room = rs_longest_of(lists, pools, n);
    rs_rooms rooms = {0};
    err_batch x = {.lists = lists, .pools = pools, .by = by, .rel = least_stop(m->gain),
                   .inverse = m->discount, .k = m->k, .nk = m->nk};
    rs_gain_table(m->gain, &x.labels);
    make_stop_table(m->gain, &x.stop);
    x.bytes = rs_room(&rooms, room, 1);
    x.ideal = rs_room(&rooms, room, 1);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room_of_ones(&rooms, m->nk);
    int64_t open = RS_NO_MEMORY;
    rs_when_stopped(free_expectation_at, &x.expectation);
    if (!rooms.lacking)
        open = rs_for_each_list(&x, n, take_in_grades, write_err, to);
    rs_when_stopped(NULL, NULL);
    rs_leave(&rooms);
    free_expectation(&x.expectation);
    return open;
}

/* RS-CAS-2; with starts RS-EXP-14 */
static int64_t values_of_err(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return rs_err_of_lists(m, b->lists, NULL, b->n, NULL, to);
}

/* RS-CAS-4; with starts RS-EXP-15 */
static int64_t values_of_nerr(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return rs_err_of_lists(m, b->lists, b->pools, b->n, NULL, to);
}

/* RBP, its residual and LRBP at work. by: NULL: it is not adjusted; stops: 1 - p; tail: of a
 * residual; scratch: room for cut-offs. */
typedef struct {
    const rs_lists *lists;
    const rs_expectation *by;
    rs_number stops;
    int32_t tail;
    double theta;
    persistence p;
    const rs_discount *powers;
    const int64_t *k;
    int64_t nk, *scratch;
    uint8_t *R;
    rs_number *above, *below;
} rbp_batch;

RS_TEMPLATE int64_t take_in_for_rbp(void *kernel, int64_t a, const rs_results *to)
{
    rbp_batch *x = kernel;
    int64_t n, bad = rs_read_relevance(x->lists, a, x->theta, x->R, &n);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    const uint8_t *starts = rs_starts_of(x->lists, a);
    rbp_of(x->R, starts, n, &x->p, x->powers, x->k, x->nk, x->scratch, x->above);
    if (x->by)
        rs_adjust(x->by, &x->stops, n, x->k, x->nk, x->above, x->below);
    return RS_KNOWN;
}

RS_TEMPLATE int64_t write_rbp(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const rbp_batch *x = kernel;
    return rs_write_quotients(a, x->nk, known, x->above, x->below, to);
}

/* What take_in makes of the lists: RBP, or its residual. */
RS_TEMPLATE int64_t rbp_batch_of(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                                 rs_take_in *take_in, const rs_results *to)
{
    const rs_gain linear = {.kind = RS_LINEAR};
    rs_rooms rooms = {0};
    rbp_batch x = {.lists = b->lists, .by = by, .tail = m->norm, .theta = m->theta,
                   .powers = m->discount, .k = m->k, .nk = m->nk};
    make_persistence(m->p, &linear, &x.p);
    x.stops = weight_after(&x.p, 0);
    x.R = rs_room(&rooms, rs_longest(b->lists, b->n), 1);
    x.scratch = rs_room(&rooms, m->nk, sizeof *x.scratch);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room_of_ones(&rooms, m->nk);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in, write_rbp, to);
    rs_leave(&rooms);
    return open;
}

int64_t rs_rbp_of_lists(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                        const rs_results *to)
{
    return rbp_batch_of(m, b, by, take_in_for_rbp, to);
}

/* RS-CAS-5; with starts RS-EXP-16 */
static int64_t values_of_rbp(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return rs_rbp_of_lists(m, b, NULL, to);
}

#ifndef RS_FEWER_METRICS

/* ---- the residual of RBP ------------------------------------------------------------------ */

/* Adds p^min(k, n) to each, what lies below the list. With the tail "unjudged" that times the share
 * of orders that show an unjudged item, which is left open where a group that k cuts decides it.
 * RS-CAS-6, RS-USR-3; with starts RS-EXP-46 */
static void add_tail(const rbp_batch *x, const uint8_t *starts, int64_t n)
{
    const rs_number open = {.slack = 1};
    int64_t s = 0, above = 0; /* the items that all orders show, and how many are unjudged */
    for (int64_t j = 0; j < x->nk; j++) {
        int64_t shown = rs_min(x->k[j], n), whole = shown, end = shown;
        while (starts && whole > s && whole < n && !starts[whole])
            whole--;
        above += rs_relevant(x->R, s, whole);
        s = whole;
        while (end < n && starts && !starts[end])
            end++;
        int64_t cut = rs_relevant(x->R, s, end);
        if (x->tail == RS_TAIL_ALWAYS || above || cut > end - shown) {
            rs_number tail = times_power(rs_float_of(1, 0), &x->p, shown);
            x->above[j] = rs_sum(&x->above[j], &tail);
        } else if (cut) {
            x->above[j] = open;
        }
    }
}

RS_TEMPLATE int64_t take_in_for_residual(void *kernel, int64_t a, const rs_results *to)
{
    rbp_batch *x = kernel;
    int64_t n, bad = rs_read_relevance(x->lists, a, 0, x->R, &n);
    if (bad >= 0)
        return rs_refuse(to, bad, false);
    const uint8_t *starts = rs_starts_of(x->lists, a), *unjudged = rs_unjudged_of(x->lists, a);
    for (int64_t i = 0; i < n; i++)
        x->R[i] = unjudged && unjudged[i];
    rbp_of(x->R, starts, n, &x->p, x->powers, x->k, x->nk, x->scratch, x->above);
    add_tail(x, starts, n);
    return RS_KNOWN;
}

/* RS-CAS-6, RS-USR-3; with starts RS-EXP-16, RS-EXP-46 */
static int64_t residuals_of_rbp(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return rbp_batch_of(m, b, NULL, take_in_for_residual, to);
}

#endif

/* ---- bounds of ERR and nERR -------------------------------------------------------------- */

/* What the bounds of ERR need. */
typedef struct {
    gain_table labels;
    stop_table stop;
    expectation_room expectation;
} err_bounds;

static int64_t read_grades_of(const rs_graded *x, const rs_lists *lists, int64_t a, uint8_t *bytes,
                              label_list *r)
{
    const err_bounds *of = x->more;
    return read_grades(lists, a, &of->labels, bytes, r);
}

static bool err_of_labels(rs_graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                          rs_number *to)
{
    const rs_measure *by = x->by;
    err_bounds *of = x->more;
    label_list r = {.at = labels, .small = labels, .n = n, .type = RS_U8, .top = SMALL_LABELS - 1};
    if (starts)
        return expected_err(&r, starts, &of->stop, by->discount, by->k, by->nk, &of->expectation,
                            to);
    err_of(&r, &of->stop, by->discount, by->k, by->nk, to);
    return true;
}

/* RS-BND-1 to RS-BND-8 of ERR, or where it is normalised of nERR; RS-EXP-1 */
static int64_t bounds_of_grades(const rs_measure *m, bool normalised, const rs_block *b,
                                const rs_results *to)
{
    err_bounds of = {.expectation = {0}};
    rs_graded x = {.by = m, .more = &of, .normalised = normalised, .read = read_grades_of,
                   .value = err_of_labels};
    rs_gain_table(m->gain, &of.labels);
    make_stop_table(m->gain, &of.stop);
    rs_when_stopped(free_expectation_at, &of.expectation);
    int64_t open = rs_bounds_of_graded(&x, b, to);
    rs_when_stopped(NULL, NULL);
    free_expectation(&of.expectation);
    return open;
}

static int64_t bounds_of_err(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_grades(m, false, b, to);
}

static int64_t bounds_of_nerr(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    return bounds_of_grades(m, true, b, to);
}

/* ---- bounds of RBP ----------------------------------------------------------------------- */

/* What the bounds of RBP need. scratch: room for cut-offs. */
typedef struct {
    persistence p;
    int64_t *scratch;
} rbp_bounds;

static int64_t read_indicators_of(const rs_graded *x, const rs_lists *lists, int64_t a,
                                  uint8_t *bytes, label_list *r)
{
    r->small = bytes;
    return rs_read_relevance(lists, a, x->by->theta, bytes, &r->n);
}

static bool rbp_of_indicators(rs_graded *x, const uint8_t *R, int64_t n, const uint8_t *starts,
                              rs_number *to)
{
    const rs_measure *by = x->by;
    const rbp_bounds *of = x->more;
    rbp_of(R, starts, n, &of->p, by->discount, by->k, by->nk, of->scratch, to);
    return true;
}

/* That of DCG with the discount (1 - p) p^(i - 1). RS-EXP-20, RS-NUM-20 */
static rs_variance variance_of_rbp(const rs_graded *x, int64_t k)
{
    const rbp_bounds *of = x->more;
    int64_t n = x->J.n;
    rs_spread relevant = rs_spread_of_counts(n, rs_relevant(x->J.small, 0, n));
    rs_variance v = rs_variance_of_dcg(n, &relevant, x->by->discount, &x->squares, k);
    rs_number stops = weight_after(&of->p, 0);
    v.square = rs_product(&v.square, &stops);
    v.square = rs_product(&v.square, &stops);
    return v;
}

/* RS-BND-1 to RS-BND-8 of RBP; RS-EXP-1, RS-EXP-20, RS-EXP-23 */
static int64_t bounds_of_rbp(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    const rs_gain linear = {.kind = RS_LINEAR};
    rbp_bounds of = {.scratch = rs_allocate(m->nk, sizeof *of.scratch)};
    rs_graded x = {.by = m, .more = &of, .read = read_indicators_of, .value = rbp_of_indicators,
                   .variance = variance_of_rbp};
    make_persistence(m->p, &linear, &of.p);
    rs_when_stopped(free, of.scratch);
    int64_t open = of.scratch ? rs_bounds_of_graded(&x, b, to) : RS_NO_MEMORY;
    rs_when_stopped(NULL, NULL);
    free(of.scratch);
    return open;
}

/* ---- the metrics ------------------------------------------------------------------------- */

const rs_metric rs_metrics_of_cascade[] = {
    {.metric = RS_ERR,
     .needs = RS_NEEDS_GAIN | RS_NEEDS_DISCOUNT,
     .values = values_of_err,
     .bounds = bounds_of_err},
    {.metric = RS_NERR,
     .needs = RS_NEEDS_GAIN | RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS,
     .values = values_of_nerr,
     .bounds = bounds_of_nerr},
    {.metric = RS_RBP,
     .needs = RS_NEEDS_DISCOUNT,
     .values = values_of_rbp,
     .bounds = bounds_of_rbp,
     .varies = true},
#ifndef RS_FEWER_METRICS
    {.metric = RS_RBP_RESIDUAL, .needs = RS_NEEDS_DISCOUNT, .values = residuals_of_rbp},
#endif
    {0},
};
