/* Numbers of the core: exact integers with a bound on what they lack.
 *
 * Every sum of the core is an integer that lies below the true value by a known slack
 * (RS-NUM-6); nothing is rounded until the end, and there only where the slack cannot
 * change the result (RS-NUM-7).
 */
#ifndef RANKSPEC_NUMERICS_H
#define RANKSPEC_NUMERICS_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "binding.h"

#ifdef __FAST_MATH__
#error "rankspec must not be compiled with -ffast-math or -Ofast: its doubles mean what IEEE 754 says"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "rankspec must not be compiled with -ffinite-math-only: it tells infinity and NaN from numbers"
#elif defined(__RECIPROCAL_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "rankspec must not be compiled with -funsafe-math-optimizations, or a part of it"
#elif !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1)
#error "rankspec needs doubles that are computed as doubles; on x86 compile with -mfpmath=sse"
#endif

/* Small functions that are called in many places; a build for size has each of them once. */
#ifndef RS_INLINE
#define RS_INLINE static inline
#endif

#ifndef __SIZEOF_INT128__
#error "rankspec needs a compiler with 128-bit integers (gcc or clang on a 64-bit machine)"
#endif
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/* A real number x with low 2^exponent <= x <= (low + slack) 2^exponent. */
typedef struct {
    u128 low;
    u128 slack;
    int32_t exponent;
} rs_number;

/* The sign of a difference; it may be left open. */
typedef enum {
    RS_ZERO_DIFFERENCE, RS_POSITIVE_DIFFERENCE, RS_NEGATIVE_DIFFERENCE, RS_OPEN
} rs_sign;

static inline rs_number rs_integer(uint64_t n)
{
    return (rs_number){.low = n, .slack = 0, .exponent = 0};
}

bool rs_round_quotient(const rs_number *above, const rs_number *below, double *out);
rs_number rs_product(const rs_number *x, const rs_number *y);
bool rs_round_square_by_product(const rs_number *A, const rs_number *x, const rs_number *y,
                                double *out);
rs_number rs_sum_of_any(rs_number x, rs_number y);
rs_sign rs_difference(const rs_number *x, const rs_number *y, rs_number *size);
rs_number rs_root(const rs_number *x);
int rs_bits(u128 x);
u128 rs_wide_product(u128 gain, u128 discounts);

/* Whether x and y have the same exponent, and room for sums. */
static inline bool rs_are_aligned(const rs_number *x, const rs_number *y)
{
    return x->exponent == y->exponent && (x->low | x->slack | y->low | y->slack) >> 126 == 0;
}

/* x + y. RS-NUM-19 */
RS_INLINE rs_number rs_sum(const rs_number *x, const rs_number *y)
{
    if (!rs_are_aligned(x, y))
        return rs_sum_of_any(*x, *y);
    return (rs_number){x->low + y->low, x->slack + y->slack, x->exponent};
}

/* x < 2^120, but for some units in the last place. The halves are converted as signed numbers,
 * for which processors have an instruction. */
static inline double rs_approximately(u128 x)
{
    return (double)(int64_t)(x >> 62) * 0x1p62 + (double)(int64_t)(x & ((1ull << 62) - 1));
}

/* floor(x a / b) for a <= b < 2^32 and b > 0; the intermediate values do not overflow,
 * because x = q b + t gives x a / b = q a + t a / b with q a <= x and t a < 2^64. */
static inline u128 rs_muldiv(u128 x, uint64_t a, uint64_t b)
{
    if (a == b)
        return x;
    return (x / b) * a + (uint64_t)(x % b) * a / b;
}

/* D(i) */
static inline u128 rs_discount_at(const rs_discount *d, int64_t i)
{
    return (u128)d->high[i - 1] << 32 | d->low[i - 1];
}

/* D(1) + ... + D(i) */
static inline u128 rs_discount_sum(const rs_discount *d, int64_t i)
{
    return (u128)d->sum_high[i] << 64 | d->sum_low[i];
}

/* d(1) + ... + d(m) */
static inline rs_number rs_sum_of_first(const rs_discount *d, int64_t m)
{
    return (rs_number){
        .low = rs_discount_sum(d, m), .slack = (u128)m * d->unit, .exponent = d->exponent};
}

/* x y, for a whole number x */
static inline rs_number rs_multiple(u128 x, const rs_number *y)
{
    const rs_number whole = {.low = x};
    return rs_product(&whole, y);
}

static inline int64_t rs_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t rs_longest(const rs_lists *lists, int64_t n);

/* Doubles are computed as IEEE 754 has it by default from here to the end of the function, whatever
 * the process has set: first in every entry point that computes with them. RS-NUM-26 */
#define RS_STANDARD_ARITHMETIC                                                          \
    uint64_t arithmetic_of_caller __attribute__((cleanup(rs_give_back), unused)) =      \
        rs_standard_arithmetic()

static inline void rs_give_back(uint64_t *saved)
{
    rs_restore_arithmetic(*saved);
}

/* Sixteen bytes, compared and counted at once; compilers map this to the vectors of the
 * processor. A true comparison is -1 in its byte. */
typedef uint8_t sixteen __attribute__((vector_size(16)));

static inline sixteen load_sixteen(const uint8_t *x)
{
    sixteen bytes;
    memcpy(&bytes, x, sizeof bytes);
    return bytes;
}

static inline bool all_zero(sixteen x)
{
    uint64_t halves[2];
    memcpy(halves, &x, sizeof halves);
    return (halves[0] | halves[1]) == 0;
}

/* The sums of the first eight bytes and of the last eight, none of which is above 127. */
typedef uint64_t two_words __attribute__((vector_size(16)));

static inline two_words sums_of_eight_bytes(sixteen x)
{
#ifdef __SSE2__
    typedef char bytes __attribute__((vector_size(16)));
    return (two_words)__builtin_ia32_psadbw128((bytes)x, (bytes){0});
#else
    const uint64_t every_other = 0x00ff00ff00ff00ff;
    two_words w = (two_words)x;
    w = (w & every_other) + (w >> 8 & every_other);
    return w * 0x0001000100010001 >> 48;
#endif
}

static inline int64_t sum_of_bytes(sixteen x)
{
    const two_words sums = sums_of_eight_bytes(x);
    return (int64_t)(sums[0] + sums[1]);
}

/* A bit for each byte of a comparison, that of the first is the lowest. */
static inline uint32_t bits_of_bytes(sixteen compared)
{
#ifdef __SSE2__
    typedef char bytes __attribute__((vector_size(16)));
    return (uint32_t)__builtin_ia32_pmovmskb128((bytes)compared);
#else
    const sixteen bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t halves[2];
    compared &= bit;
    memcpy(halves, &compared, sizeof halves);
    for (int i = 0; i < 2; i++)
        halves[i] = halves[i] * 0x0101010101010101u >> 56; /* the sum of its bytes */
    return (uint32_t)(halves[0] | halves[1] << 8);
#endif
}

/* Code for the processor at hand where the loader can choose it (ELF with ifunc); by clang if it is asked
 * for, as not each of its runtimes knows processors: tools/processor.c. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(RS_NO_CLONES) && \
    (!defined(__clang__) || defined(RS_CLONES_BY_CLANG))
#if !defined(__clang__) && __GNUC__ >= 12
#define RS_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define RS_CLONES __attribute__((target_clones("avx2", "default")))
#endif
#else
#define RS_CLONES
#endif

#endif
