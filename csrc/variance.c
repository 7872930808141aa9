/* Variances of metrics in a random order of a pool. Spec: chapter "expectation", RS-NUM-20.
 *
 * n, r: the number of items of the pool, and of those that are relevant; m = min(n, k).
 */
#include "variance.h"

#include <stdlib.h>

#include "dcg.h"

/* ---- squares of discounts ------------------------------------------------------------ */

static bool allocate_squares(int64_t depth, rs_discount *squares)
{
    size_t room = (size_t)depth + 1;
    squares->low = malloc(room * sizeof *squares->low);
    squares->high = malloc(room * sizeof *squares->high);
    squares->sum_low = malloc(room * sizeof *squares->sum_low);
    squares->sum_high = malloc(room * sizeof *squares->sum_high);
    return squares->low && squares->high && squares->sum_low && squares->sum_high;
}

/* Of each square the lowest 96 bits are dropped: it lacks less than 1 for them, and less than 2
 * units for what the entry lacks. RS-NUM-20 */
bool rs_squares(const rs_discount *d, int64_t depth, rs_discount *squares)
{
    if (!allocate_squares(depth, squares))
        return false;
    uint32_t *low = (uint32_t *)squares->low;
    uint64_t *high = (uint64_t *)squares->high;
    uint64_t *sum_low = (uint64_t *)squares->sum_low, *sum_high = (uint64_t *)squares->sum_high;
    bool exact = d->unit == 0;
    u128 sum = 0;
    sum_low[0] = sum_high[0] = 0;
    for (int64_t i = 1; i <= depth; i++) {
        u128 D = rs_discount_at(d, i), square = rs_wide_product(D, D);
        exact = exact && D * D << 32 == 0;
        sum += square;
        low[i - 1] = (uint32_t)square;
        high[i - 1] = (uint64_t)(square >> 32);
        sum_low[i] = (uint64_t)sum;
        sum_high[i] = (uint64_t)(sum >> 64);
    }
    squares->depth = depth;
    squares->unit = exact ? 0 : 2 * d->unit + 1;
    squares->exponent = 2 * d->exponent + 96;
    return true;
}

void rs_free_squares(rs_discount *squares)
{
    free((void *)squares->low);
    free((void *)squares->high);
    free((void *)squares->sum_low);
    free((void *)squares->sum_high);
}

static rs_number sum_of_first(const rs_discount *d, int64_t m)
{
    return (rs_number){
        .low = rs_discount_sum(d, m), .slack = (u128)m * d->unit, .exponent = d->exponent};
}

/* ---- closed forms -------------------------------------------------------------------- */

static rs_number multiple(u128 x, const rs_number *y)
{
    const rs_number whole = {.low = x};
    return rs_product(&whole, y);
}

rs_spread rs_spread_of(int64_t n, const rs_number *sum, const rs_number *squares)
{
    rs_number all = multiple((u128)n, squares), square = rs_product(sum, sum);
    rs_spread found;
    found.sign = rs_difference(&all, &square, &found.size);
    return found;
}

/* x y / (n^2 (n - 1)), with the spread x of the gains and y of the discounts. */
static rs_variance of_spreads(int64_t n, const rs_spread *x, const rs_spread *y)
{
    rs_variance v = {.sign = RS_ZERO_DIFFERENCE};
    if (n < 2 || x->sign == RS_ZERO_DIFFERENCE || y->sign == RS_ZERO_DIFFERENCE)
        return v;
    bool known = x->sign == RS_POSITIVE_DIFFERENCE && y->sign == RS_POSITIVE_DIFFERENCE;
    v.sign = known ? RS_POSITIVE_DIFFERENCE : RS_OPEN;
    v.square = rs_product(&x->size, &y->size);
    v.square = multiple((u128)(n - 1), &v.square);
    v.per = rs_integer((uint64_t)n * (uint64_t)(n - 1));
    return v;
}

/* RS-EXP-20, RS-NUM-20 */
rs_variance rs_variance_of_dcg(int64_t n, const rs_spread *gains, const rs_discount *d,
                               const rs_discount *squares, int64_t k)
{
    int64_t m = rs_min(n, k);
    rs_number sum = sum_of_first(d, m), sum_of_squares = sum_of_first(squares, m);
    rs_spread discounts = rs_spread_of(n, &sum, &sum_of_squares);
    if (m == n && m > 0 && d->unit == 0 && rs_discount_at(d, 1) == rs_discount_at(d, m))
        discounts.sign = RS_ZERO_DIFFERENCE;
    return of_spreads(n, gains, &discounts);
}

/* Of r numbers 1 among numbers 0. */
rs_spread rs_spread_of_counts(int64_t n, int64_t r)
{
    rs_spread found = {.size = rs_integer((uint64_t)r * (uint64_t)(n - r))};
    found.sign = found.size.low ? RS_POSITIVE_DIFFERENCE : RS_ZERO_DIFFERENCE;
    return found;
}

/* r (n - r) m (n - m) / (n^2 (n - 1)). RS-EXP-20/L3 */
rs_variance rs_variance_of_hits(int64_t n, int64_t r, int64_t k)
{
    rs_spread relevant = rs_spread_of_counts(n, r);
    rs_spread shown = rs_spread_of_counts(n, rs_min(n, k));
    return of_spreads(n, &relevant, &shown);
}

/* What A_2 and A_3 of RS-EXP-21 become, with the sums H and Q of 1/i and 1/i^2:
 * 2 H^2 + 3 H - 4 Q, and 5 m + 2 m H + 3 Q - 6 H - 3 H^2. */
static bool parts_of_sp(int64_t m, const rs_number *H, const rs_number *Q, const rs_number *HH,
                        rs_number *two, rs_number *three)
{
    rs_number x = multiple(2, HH), y = multiple(3, H), z = multiple(4, Q);
    rs_number sum = rs_sum(&x, &y);
    if (rs_difference(&sum, &z, two) != RS_POSITIVE_DIFFERENCE)
        return false;
    rs_number whole = rs_integer(5 * (uint64_t)m);
    x = multiple(2 * (u128)m, H);
    y = multiple(3, Q);
    sum = rs_sum(&x, &y);
    sum = rs_sum(&sum, &whole);
    x = multiple(6, H);
    y = multiple(3, HH);
    rs_number less = rs_sum(&x, &y);
    return rs_difference(&sum, &less, three) == RS_POSITIVE_DIFFERENCE;
}

/* What the square of the mean and that of the sum have in common is left out beforehand, so that
 * little cancels: f_2 f_3 r (n - r) Z / per^2. RS-EXP-21, RS-NUM-20 */
rs_variance rs_variance_of_sp(int64_t n, int64_t r, const rs_discount *inverse,
                              const rs_discount *squares, int64_t k)
{
    rs_variance v = {.sign = RS_ZERO_DIFFERENCE};
    if (r == 0 || r == n)
        return v;
    int64_t m = rs_min(n, k);
    rs_number H = sum_of_first(inverse, m), Q = sum_of_first(squares, m), HH = rs_product(&H, &H);
    rs_number two, three, Z;
    v.sign = RS_OPEN;
    if (!parts_of_sp(m, &H, &Q, &HH, &two, &three))
        return v;

    u128 N = (u128)n, R = (u128)r, M = (u128)m, pairs = N * (N - 1);
    u128 f2 = r > 1 ? N - 2 : 1, f3 = r > 2 ? N - 3 : 1;
    rs_number MM = {.low = M * M};
    rs_number x = multiple(pairs * f2 * f3, &Q), y = multiple((R - 1) * pairs * f3, &two);
    rs_number above = rs_sum(&x, &y);
    if (r > 2) {
        x = multiple((R - 1) * (R - 2) * pairs, &three);
        above = rs_sum(&above, &x);
    }
    x = multiple(2 * (R - 1) * (r > 2 ? (2 * R - 3) * N - 3 * (R - 1) : 1), &MM);
    rs_number below = x;
    x = multiple(2 * M, &H);
    x = multiple(R * (R - 1) * f2 * f3, &x);
    below = rs_sum(&below, &x);
    x = multiple(R * (N - R) * f2 * f3, &HH);
    below = rs_sum(&below, &x);

    if (rs_difference(&above, &below, &Z) != RS_POSITIVE_DIFFERENCE)
        return v;
    v.sign = RS_POSITIVE_DIFFERENCE;
    v.square = multiple(f2 * f3, &Z);
    v.square = multiple(R * (N - R), &v.square);
    v.per = (rs_number){.low = pairs * f2 * f3};
    return v;
}

/* RS-EXP-22, RS-NUM-20 */
rs_variance rs_variance_of_rr(int64_t n, int64_t r, const rs_number *mean,
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

/* The variance of the metric that is divided by `by`. RS-NUM-20 */
bool rs_round_variance(const rs_variance *v, const rs_number *by, double *out)
{
    *out = 0.0;
    if (v->sign != RS_POSITIVE_DIFFERENCE)
        return v->sign == RS_ZERO_DIFFERENCE;
    rs_number per = rs_product(&v->per, by), below = rs_product(&per, &per);
    return rs_round_quotient(&v->square, &below, out);
}
