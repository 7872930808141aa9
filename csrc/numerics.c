/* Numerics: fixed-point sums and their one rounding. Spec: chapter "numerics". */
#include "numerics.h"

#include <math.h>
#include <string.h>
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

/* ---- the arithmetic of doubles ------------------------------------------------------- */

/* The control word of the processor, for doubles in this thread: how they are rounded, whether
 * numbers below the normal ones become 0, and what traps. */
static inline uint64_t control_word(void)
{
#if defined(__x86_64__)
    /* MemorySanitizer does not see what the assembler writes, so they begin with something. */
    uint32_t word = 0;
    uint16_t of_x87 = 0; /* which the C library asks how to round a decimal */
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(word), "=m"(of_x87) : : "memory");
    return word | (uint64_t)of_x87 << 32;
#elif defined(__aarch64__)
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word) : : "memory");
    return word;
#else
    return (uint64_t)fegetround();
#endif
}

static inline void set_control_word(uint64_t word)
{
#if defined(__x86_64__)
    uint32_t given = (uint32_t)word;
    uint16_t of_x87 = (uint16_t)(word >> 32);
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(given), "m"(of_x87) : "memory");
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(word) : "memory");
#else
    fesetround((int)word);
#endif
}

/* To the nearest, nothing flushed to 0, no traps; what has happened so far stays noted. */
static inline uint64_t standard_word(uint64_t word)
{
#if defined(__x86_64__)
    return (uint64_t)0x037f << 32 | 0x1f80 | (word & 0x3f);
#elif defined(__aarch64__)
    return word & ~(uint64_t)0x07c89f07; /* rounding, flushing, default NaN, traps and their like */
#else
    (void)word;
    return FE_TONEAREST;
#endif
}

/* Makes the arithmetic of doubles in this thread IEEE 754's default; returns what it was. A call, so
 * that the compiler moves no operation from behind it to before it. RS-NUM-26 */
__attribute__((noinline)) uint64_t rs_standard_arithmetic(void)
{
    uint64_t word = control_word(), standard = standard_word(word);
    if (word != standard)
        set_control_word(standard);
    return word;
}

__attribute__((noinline)) void rs_restore_arithmetic(uint64_t saved)
{
    if (saved != standard_word(saved))
        set_control_word(saved);
}

/* Checks that offsets begin at 0, do not fall and end at size. Returns the length of the
 * longest list, or -1 with the index of the first offset that is wrong. RS-CONV-11 */
int64_t rs_check_offsets(const int64_t *offsets, int64_t n, int64_t size, int64_t *wrong)
{
    int64_t longest = 0;
    *wrong = 0;
    if (offsets[0] != 0)
        return -1;
    for (int64_t a = 0; a < n; a++) {
        *wrong = a + 1;
        if (offsets[a + 1] < offsets[a] || offsets[a + 1] > size)
            return -1;
        int64_t length = offsets[a + 1] - offsets[a];
        longest = length > longest ? length : longest;
    }
    return offsets[n] == size ? longest : -1;
}

/* The number of bits of x. */
int rs_bits(u128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    if (high)
        return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

/* Drops low bits so that 120 remain; what is dropped goes into the slack. */
static rs_number narrowed(rs_number x)
{
    int excess = rs_bits(x.low) - 120;
    if (excess > 0) {
        x.low >>= excess;
        x.slack = (x.slack >> excess) + 2;
        x.exponent += excess;
    }
    return x;
}

/* x y, of 120 bits. The slack is that of x times y, that of y times x with its own, and 1 for
 * what is dropped, with powers of two above x and y in their places. Where a slack is greater than
 * its number, nothing is known of the product. RS-NUM-10 */
rs_number rs_product(const rs_number *x, const rs_number *y)
{
    rs_number a = *x, b = *y;
    if ((a.low | b.low) >> 120) {
        a = narrowed(a);
        b = narrowed(b);
    }
    if ((a.low | a.slack) == 0 || (b.low | b.slack) == 0)
        return rs_integer(0);
    if (a.slack > a.low || b.slack > b.low)
        return (rs_number){.low = 0, .slack = (u128)1 << 127, .exponent = 0};

    uint64_t a0 = (uint64_t)a.low, a1 = (uint64_t)(a.low >> 64);
    uint64_t b0 = (uint64_t)b.low, b1 = (uint64_t)(b.low >> 64);
    u128 lowest = (u128)a0 * b0;
    u128 middle = (u128)a0 * b1 + (u128)a1 * b0 + (lowest >> 64);
    u128 high = (u128)a1 * b1 + (middle >> 64), low = middle << 64 | (uint64_t)lowest;

    int a_bits = rs_bits(a.low), b_bits = rs_bits(b.low);
    int excess = a_bits + b_bits > 120 ? a_bits + b_bits - 120 : 0;
    return (rs_number){
        .low = excess ? high << (128 - excess) | low >> excess : low,
        .slack = (a.slack << (b_bits - excess)) + (b.slack << (a_bits + 1 - excess)) + !!excess,
        .exponent = a.exponent + b.exponent + excess,
    };
}

/* floor(gain discounts / 2^96), for gain < 2^97 and discounts < 2^127 */
u128 rs_wide_product(u128 gain, u128 discounts)
{
    uint64_t g0 = (uint64_t)gain, g1 = (uint64_t)(gain >> 64);
    uint64_t d0 = (uint64_t)discounts, d1 = (uint64_t)(discounts >> 64);
    u128 middle = (u128)g1 * d0 + (u128)g0 * d1 + ((u128)g0 * d0 >> 64);
    return (middle >> 32) + ((u128)g1 * d1 << 32);
}

static bool is_zero(const rs_number *x)
{
    return (x->low | x->slack) == 0;
}

/* The least exponent of the two by which the low ends and the slacks have at most 120 bits. */
static int32_t common_exponent(const rs_number *x, const rs_number *y)
{
    if (is_zero(x))
        x = y;
    if (is_zero(y))
        y = x;
    int32_t least = x->exponent < y->exponent ? x->exponent : y->exponent;
    int32_t x_top = x->exponent + rs_bits(x->low | x->slack) - 120;
    int32_t y_top = y->exponent + rs_bits(y->low | y->slack) - 120;
    int32_t top = x_top > y_top ? x_top : y_top;
    return top > least ? top : least;
}

/* x with another exponent, which leaves room for it. What is dropped is below 1, and what the slack
 * loses is too. */
static rs_number with_exponent(const rs_number *x, int32_t exponent)
{
    int32_t shift = exponent - x->exponent;
    if (shift <= 0 && !is_zero(x))
        return (rs_number){x->low << -shift, x->slack << -shift, exponent};
    if (is_zero(x) || shift > 127)
        return (rs_number){.low = 0, .slack = is_zero(x) ? 0 : 2, .exponent = exponent};
    u128 low = x->low >> shift;
    bool exact = x->slack == 0 && low << shift == x->low;
    return (rs_number){low, exact ? 0 : (x->slack >> shift) + 2, exponent};
}

/* Gives both the same exponent, and room for sums. */
static inline void align(rs_number *x, rs_number *y)
{
    if (rs_are_aligned(x, y))
        return;
    int32_t exponent = common_exponent(x, y);
    *x = with_exponent(x, exponent);
    *y = with_exponent(y, exponent);
}

/* x + y, of any two. RS-NUM-19 */
rs_number rs_sum_of_any(rs_number x, rs_number y)
{
    align(&x, &y);
    return (rs_number){x.low + y.low, x.slack + y.slack, x.exponent};
}

/* The sign of x - y, and its size. RS-NUM-19 */
rs_sign rs_difference(const rs_number *x, const rs_number *y, rs_number *size)
{
    rs_number a = *x, b = *y;
    align(&a, &b);
    *size = (rs_number){0, a.slack + b.slack, a.exponent};
    if (a.low > b.low + b.slack) {
        size->low = a.low - (b.low + b.slack);
        return RS_POSITIVE_DIFFERENCE;
    }
    if (b.low > a.low + a.slack) {
        size->low = b.low - (a.low + a.slack);
        return RS_NEGATIVE_DIFFERENCE;
    }
    return size->slack ? RS_OPEN : RS_ZERO_DIFFERENCE;
}

/* The square root of x: of a double and x divided by it, the mean is above the root, by less than
 * 2^-100 of itself. Where the slack is greater than the number, nothing is known. RS-NUM-20 */
rs_number rs_root(const rs_number *x)
{
    const u128 above = 1 << 25; /* what the mean may be above */
    rs_number a = narrowed(*x);
    if (a.low == 0 || a.slack > a.low)
        return (rs_number){.low = 0, .slack = a.slack ? (u128)1 << 127 : 0, .exponent = 0};
    int shift = 126 - rs_bits(a.low);
    shift -= (a.exponent - shift) & 1;
    u128 X = a.low << shift;
    uint64_t y = (uint64_t)(sqrt(rs_approximately(X >> 8)) * 16);
    u128 by_y = ((X / y) << 62) + ((X % y) << 62) / y;
    u128 mean = (((u128)y << 62) + by_y) >> 1;
    return (rs_number){
        .low = mean - above,
        .slack = above + (a.slack << shift >> 1) + 2,
        .exponent = (a.exponent - shift) / 2 - 62,
    };
}

/* The 64 leading bits of x, in units of 2^exponent, of which they lack at most so much. */
typedef struct {
    uint64_t bits, lack;
    int32_t exponent;
} leading;

static leading leading_of(const rs_number *x)
{
    int excess = rs_bits(x->low) - 64;
    if (excess <= 0) /* few bits: it has none to lack */
        return (leading){(uint64_t)x->low << -excess, x->slack ? UINT64_MAX : 0,
                         x->exponent + excess};
    u128 lack = (x->slack >> excess) + 2;
    return (leading){(uint64_t)(x->low >> excess), lack < UINT64_MAX ? (uint64_t)lack : UINT64_MAX,
                     x->exponent + excess};
}

/* x y of the leading bits of both, which decide most roundings at less cost. Where these lack l and
 * m, the product lacks less than 2^64 (l + m) + l m; 8 bits of it are dropped. RS-NUM-19 */
static rs_number leading_product(leading x, leading y)
{
    return (rs_number){
        .low = (u128)x.bits * y.bits >> 8,
        .slack = ((u128)(x.lack + y.lack) << 56) + ((u128)x.lack * y.lack >> 8) + 2,
        .exponent = x.exponent + y.exponent + 8,
    };
}

/* A^2 / (x y), rounded where that is decided. RS-NUM-19 */
bool rs_round_square_by_product(const rs_number *A, const rs_number *x, const rs_number *y,
                                double *out)
{
    if (A->low && x->low && y->low) {
        leading a = leading_of(A), b = leading_of(x), c = leading_of(y);
        if ((a.lack | b.lack | c.lack) < 16) { /* else the slack would be too large */
            rs_number above = leading_product(a, a), below = leading_product(b, c);
            if (rs_round_quotient(&above, &below, out))
                return true;
        }
    }
    rs_number above = rs_product(A, A), below = rs_product(x, y);
    return rs_round_quotient(&above, &below, out);
}

static double approximately_signed(i128 x)
{
    return x < 0 ? -rs_approximately((u128)-x) : rs_approximately((u128)x);
}

static double power_of_two(int e)
{
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* m 2^-s times the unit of a / b; false near the ends of the range of a double. */
static bool scaled_result(uint64_t m, int s, const rs_number *a, const rs_number *b, double *out)
{
    int exponent = a->exponent - b->exponent - s;
    if (exponent < -1022 || exponent + 54 > 1023)
        return false;
    *out = (double)m * power_of_two(exponent);
    return true;
}

/* Corrects m, with R = A - m B, until |R| <= B / 2; returns R. */
static i128 corrected(i128 R, u128 B, uint64_t *m)
{
    i128 half = (i128)(B >> 1);
    while (R > half) {
        R -= (i128)B;
        ++*m;
    }
    while (-R > half) {
        R += (i128)B;
        --*m;
    }
    return R;
}

/* As rs_round_quotient(), from a first m with R = A - m B, all comparisons in integers. */
static bool round_carefully(const rs_number *a, const rs_number *b, uint64_t m, int s, i128 R,
                            u128 B, double *out)
{
    int doubled = 0, halved = 0; /* how often A and m were doubled, and B, halving m */
    R = corrected(R, B, &m);
    if (m > 1ull << 53) { /* above the power of two: not every whole number is a double */
        R += m % 2 ? (i128)B : 0;
        B *= 2;
        m /= 2;
        halved = 1;
        R = corrected(R, B, &m);
    }
    while (m < 1ull << 52 || (m == 1ull << 52 && R < 0)) {
        R *= 2; /* below the power of two: one bit more is available */
        m *= 2;
        doubled++;
        R = corrected(R, B, &m);
    }

    if ((a->slack && rs_bits(a->slack) + (s > 0 ? s : 0) + doubled > 124) ||
        (b->slack && rs_bits(b->slack) + 54 + (s < 0 ? -s : 0) > 124))
        return false;
    i128 over = 0, under = 0; /* without a slack, s may be too many bits to shift */
    if (a->slack)
        over = (i128)((s > 0 ? a->slack << s : a->slack) << doubled);
    if (b->slack)
        under = (i128)(((s < 0 ? b->slack << -s : b->slack) << halved) * m);
    i128 below = (m == 1ull << 52 ? 4 : 2) * (R - under);
    if (2 * (R + over) >= (i128)B || below <= -(i128)B)
        return false; /* an exact tie too: the reference knows the even one */
    return scaled_result(m, s + doubled - halved, a, b, out);
}

/* Rounds a / b to the nearest double, ties to even; false where the slacks leave it open.
 *
 * With A = a.low 2^s and B = b.low (or B = b.low 2^-s and A = a.low, if s < 0) the quotient is
 * A / B, and m is the integer of 53 bits nearest to it. The remainder R = A - m B is small, so it
 * is exact modulo 2^128. For all values within the slacks, R + slack(A) < B / 2 and
 * R - m slack(B) > -B / 2 make m the nearest; just above a power of two (m = 2^52) the doubles
 * below lie twice as close, and the second bound is B / 4.
 *
 * Nearly always the two conditions hold by far, and a comparison in double precision shows it
 * (r = R / B, with a margin far above its errors); else they are checked in integers. RS-NUM-7 */
bool rs_round_quotient(const rs_number *above, const rs_number *below, double *out)
{
    rs_number a = *above, b = *below;
    if ((a.low | b.low) >> 120) {
        a = narrowed(a);
        b = narrowed(b);
    }
    if (a.low == 0 || b.low == 0) {
        *out = 0.0; /* RS-CONV-4, where the divisor is 0 */
        return (a.low == 0 && a.slack == 0) || (b.low == 0 && b.slack == 0);
    }

    double inverse = 1 / rs_approximately(b.low), estimate = rs_approximately(a.low) * inverse;
    uint64_t bits;
    memcpy(&bits, &estimate, sizeof bits);
    uint64_t m = (bits & ((1ull << 52) - 1)) | 1ull << 52;
    int s = 1075 - (int)(bits >> 52); /* estimate = m 2^-s, and |s| < 256 */
    u128 A = s >= 128 ? 0 : s > 0 ? a.low << s : a.low; /* modulo 2^128 */
    u128 B = s < 0 ? b.low << -s : b.low;
    i128 R = (i128)(A - B * m);

    /* The estimate is off by a few units of its last place: that much is put right at once. */
    double inverse_B = s < 0 ? inverse * power_of_two(s) : inverse;
    double r = approximately_signed(R) * inverse_B;
    int off = (int)(r + 1024.5) - 1024;
    m += (uint64_t)(int64_t)off;
    r -= off;

    const double margin = 0x1p-32;
    if ((a.slack | b.slack) >> 62 == 0) {
        double over = (double)(int64_t)a.slack * inverse_B * (s > 0 ? power_of_two(s) : 1);
        double under = (double)(int64_t)b.slack * inverse * (double)m;
        if (r + over < 0.5 - margin && r - under > margin - 0.5 && m > 1ull << 52 &&
            m < 1ull << 53)
            return scaled_result(m, s, &a, &b, out);
    }
    R -= (i128)B * off;
    return round_carefully(&a, &b, m, s, R, B, out);
}

/* ---- lists ------------------------------------------------------------------------------ */

RS_CLONES static int64_t greatest_step(const int64_t *offsets, int64_t n)
{
    int64_t greatest = 0;
    for (int64_t a = 0; a < n; a++) {
        int64_t step = offsets[a + 1] - offsets[a];
        greatest = step > greatest ? step : greatest;
    }
    return greatest;
}

/* The length of the longest of n lists; 0 of none. */
int64_t rs_longest(const rs_lists *lists, int64_t n)
{
    return lists ? greatest_step(lists->offsets, n) : 0;
}
