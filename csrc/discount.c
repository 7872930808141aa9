/* Discounts in fixed point: tables, and how long ones are made. Spec: chapter "discount". */
#include "binding.h"
#include "memory.h"
#include "numerics.h"
#include "stopping.h"

/* ---- tables ------------------------------------------------------------------------------ */

/* The sums of the entries 1 to depth; returns 0, or RS_STOPPED. */
int64_t rs_sum_entries(const uint32_t *low, const uint64_t *high, int64_t depth, uint64_t *sum_low,
                       uint64_t *sum_high)
{
    RS_STOPPABLE(RS_STOPPED);
    u128 sum = 0;
    sum_low[0] = sum_high[0] = 0;
    for (int64_t i = 1; i <= depth; i++) {
        sum += (u128)high[i - 1] << 32 | low[i - 1];
        sum_low[i] = (uint64_t)sum;
        sum_high[i] = (uint64_t)(sum >> 64);
        rs_pause_at(i, i + 1, 10);
    }
    return 0;
}

#ifndef RS_NO_TABLES /* 48 KiB, which a page does not load */
#include "discount_log2.h"

static uint64_t log2_sum_low[LOG2_DEPTH + 1], log2_sum_high[LOG2_DEPTH + 1];

/* The sums of the built-in table, added up when the core is loaded: before any thread or fork that
 * could read them. */
__attribute__((constructor)) static void add_up_log2(void)
{
    rs_sum_entries(log2_low, log2_high, LOG2_DEPTH, log2_sum_low, log2_sum_high);
}

/* The discount 1 / log2(i + 1) from the built-in table. RS-DISC-1, RS-NUM-4 */
void rs_discount_log2(rs_discount *d)
{
    *d = (rs_discount){
        .low = log2_low, .high = log2_high,
        .sum_low = log2_sum_low, .sum_high = log2_sum_high,
        .depth = LOG2_DEPTH, .unit = 1, .exponent = -95,
    };
}
#endif

/* D(i) = floor(2^95 / i), by exact divisions; returns 0, or RS_STOPPED. RS-DISC-4, RS-NUM-4 */
int64_t rs_inverse_entries(int64_t depth, uint32_t *low, uint64_t *high)
{
    RS_STOPPABLE(RS_STOPPED);
    for (int64_t i = 1; i <= depth; i++) {
        u128 D = ((u128)1 << 95) / (u128)i;
        low[i - 1] = (uint32_t)D;
        high[i - 1] = (uint64_t)(D >> 32);
        rs_pause_at(i, i + 1, 20);
    }
    return 0;
}

static void free_discount(void *d)
{
    rs_free_discount(d);
}

int64_t rs_discount_zipf(rs_discount *d, int64_t depth)
{
    RS_STOPPABLE(RS_STOPPED);
    uint32_t *low = rs_allocate(depth, sizeof *low);
    uint64_t *high = rs_allocate(depth, sizeof *high);
    uint64_t *sum_low = rs_allocate(depth, sizeof *sum_low);
    uint64_t *sum_high = rs_allocate(depth, sizeof *sum_high);
    *d = (rs_discount){.low = low, .high = high, .sum_low = sum_low, .sum_high = sum_high,
                       .depth = depth, .unit = 1, .exponent = -95};
    if (!low || !high || !sum_low || !sum_high) {
        rs_free_discount(d);
        return RS_NO_MEMORY;
    }
    rs_when_stopped(free_discount, d);
    rs_inverse_entries(depth, low, high);
    rs_sum_entries(low, high, depth, sum_low, sum_high);
    return 0;
}

void rs_free_discount(rs_discount *d)
{
    free((void *)d->low);
    free((void *)d->high);
    free((void *)d->sum_low);
    free((void *)d->sum_high);
    *d = (rs_discount){0};
}

/* ---- logarithms -------------------------------------------------------------------------- */

enum { POINT = 120, FINER = 6, STEP_ERROR = 3 };
static const u128 ONE = (u128)1 << POINT;

/* floor(2 / ln(2) 2^126), of 128 bits. */
static const u128 TWO_OVER_LN_2 = (u128)0xb8aa3b295c17f0bbull << 64 | 0xbe87fed0691d3e88ull;

/* The highest 128 bits of a product, rounded down. */
static inline u128 high_product(u128 x, u128 y)
{
    const uint64_t a = (uint64_t)(x >> 64), b = (uint64_t)x;
    const uint64_t c = (uint64_t)(y >> 64), d = (uint64_t)y;
    u128 ad = (u128)a * d, bc = (u128)b * c;
    u128 middle = (uint64_t)ad + (u128)(uint64_t)bc + (((u128)b * d) >> 64);
    return (u128)a * c + (ad >> 64) + (bc >> 64) + (middle >> 64);
}

/* lb n - lb (n - 1) = 2 atanh(1 / (2n - 1)) / ln 2 in units of 2^-120, too small by less than
 * STEP_ERROR. RS-NUM-28 */
static u128 step_to(uint64_t n)
{
    const uint64_t y = 2 * n - 1, square = y * y;
    u128 power = ((u128)1 << (POINT + FINER)) / y, sum = power;
    for (uint64_t j = 3; (power /= square) != 0; j += 2)
        sum += power >> 64 ? power / j : (uint64_t)power / j;
    return high_product(sum, TWO_OVER_LN_2) >> (2 * FINER - 8);
}

/* ---- logarithmic discounts --------------------------------------------------------------- */

/* About 2^255 / x, for x >= 2^127; what it is too large or too small by is no matter. */
static u128 reciprocal(u128 x)
{
    const uint64_t high = (uint64_t)(x >> 64);
    const uint64_t r = (uint64_t)((((u128)1 << 127) - 1) / high);
    u128 upper = (u128)high * r, lower = (u128)(uint64_t)x * r; /* x r is about 2^191 */
    i128 rest = (i128)(((u128)1 << 127) - upper - (lower >> 64));
    return ((u128)r << 64) + (u128)(rest / 16 * (i128)r >> 59);
}

/* The entry floor(c / z), for c from C 2^shift to (C + 2) 2^shift and z from x to x + error; false
 * where that is not sure. RS-NUM-28 */
static bool entry(u128 C, int shift, u128 x, u128 error, u128 *D)
{
    if (x == 0)
        return false;
    const int up = 128 - rs_bits(x);
    u128 about = high_product(C, reciprocal(x << up)); /* C 2^127 / x */
    const int down = 127 - up - shift;
    if (down < 1 || down > 127)
        return false;
    *D = about >> down;
    /* The rest c - D x, of which 128 bits are enough where it is from 0 to x. */
    u128 rest = (C << shift) - *D * x;
    u128 high = (shift ? C >> (128 - shift) : 0) - high_product(*D, x) - (*D * x > C << shift);
    return high == 0 && *D >> 96 == 0 && rest >= *D * error && rest < x &&
           x - rest > (u128)2 << shift;
}

/* The entries first to depth of lb b / (a + lb(i + s)); open gets the ranks of those that are not
 * sure, and the number of these is returned, or most + 1 where there are more. */
int64_t rs_discount_logarithm(const rs_logarithm *of, int64_t depth, uint32_t *low, uint64_t *high,
                              int64_t *open, int64_t most)
{
    RS_STOPPABLE(RS_STOPPED);
    const u128 C = (u128)of->b_high << 64 | of->b_low;
    const u128 a = (u128)of->a_high << 64 | of->a_low;
    const uint64_t last = (uint64_t)(depth + of->s), half = last / 2 + 1;
    u128 *lb = rs_allocate((int64_t)half, sizeof *lb);
    if (!lb)
        return RS_NO_MEMORY;
    rs_when_stopped(free, lb);
    int64_t n_open = 0;
    lb[1] = 0;
    for (uint64_t n = 1; n <= last && n_open <= most; n++) {
        if (n % RS_STRIDE == 0)
            rs_pause(RS_STRIDE * 100);
        u128 x = n == 1 ? 0 : lb[n / 2] + ONE + (n % 2 ? step_to(n) : 0);
        if (n <= half)
            lb[n] = x;
        int64_t i = (int64_t)n - of->s;
        if (i < of->first)
            continue;
        u128 D, error = STEP_ERROR * (u128)__builtin_popcountll(n) + 2;
        if (!entry(C, of->shift, a + x, error, &D)) {
            if (n_open < most)
                open[n_open] = i;
            n_open++;
            D = 0;
        }
        low[i - 1] = (uint32_t)D;
        high[i - 1] = (uint64_t)(D >> 32);
    }
    free(lb);
    return n_open;
}
