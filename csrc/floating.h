/* Numbers in floating point of 128 bits, none below 0. Spec: RS-NUM-12 */
#ifndef RANKSPEC_FLOATING_H
#define RANKSPEC_FLOATING_H

#include "numerics.h"

/* mantissa 2^exponent. The mantissa is at least 2^127, or 0. */
typedef struct {
    u128 mantissa;
    int32_t exponent;
} rs_float;

static const rs_float RS_ZERO = {0, 0};

/* floor(x y / 2^128) */
static inline u128 rs_high_product(u128 x, u128 y)
{
    uint64_t x0 = (uint64_t)x, x1 = (uint64_t)(x >> 64);
    uint64_t y0 = (uint64_t)y, y1 = (uint64_t)(y >> 64);
    u128 first = (u128)x0 * y1 + ((u128)x0 * y0 >> 64);
    u128 second = (u128)x1 * y0 + (uint64_t)first;
    return (u128)x1 * y1 + (first >> 64) + (second >> 64);
}

/* x 2^exponent, exactly. */
RS_INLINE rs_float rs_float_of(u128 x, int32_t exponent)
{
    if (x == 0)
        return RS_ZERO;
    int shift = 128 - rs_bits(x);
    return (rs_float){x << shift, exponent - shift};
}

/* x y. It lacks less than 2^-126 of itself. */
RS_INLINE rs_float rs_times(rs_float x, rs_float y)
{
    if (x.mantissa == 0 || y.mantissa == 0)
        return RS_ZERO;
    u128 high = rs_high_product(x.mantissa, y.mantissa);
    int shift = !(high >> 127);
    return (rs_float){high << shift, x.exponent + y.exponent + 128 - shift};
}

/* x + y. It lacks less than 2^-126 of itself. */
RS_INLINE rs_float rs_plus(rs_float x, rs_float y)
{
    if (x.mantissa == 0 || (y.mantissa && y.exponent > x.exponent)) {
        rs_float other = x;
        x = y;
        y = other;
    }
    int shift = x.exponent - y.exponent;
    if (y.mantissa == 0 || shift > 127)
        return x;
    u128 sum = x.mantissa + (y.mantissa >> shift);
    if (sum >= x.mantissa)
        return (rs_float){sum, x.exponent};
    return (rs_float){sum >> 1 | (u128)1 << 127, x.exponent + 1};
}

static inline bool rs_less(rs_float x, rs_float y)
{
    if (x.mantissa == 0 || y.mantissa == 0)
        return x.mantissa == 0 && y.mantissa != 0;
    return x.exponent != y.exponent ? x.exponent < y.exponent : x.mantissa < y.mantissa;
}

/* x - y, for y <= x. It exceeds the difference by less than 2^-127 x. */
RS_INLINE rs_float rs_minus(rs_float x, rs_float y)
{
    int shift = x.exponent - y.exponent;
    if (y.mantissa == 0 || shift > 127)
        return x;
    return rs_float_of(x.mantissa - (y.mantissa >> shift), x.exponent);
}

/* 1 / x, for x > 0, off by less than 2^-124 of itself: y from a division of doubles, and twice
 * y (2 - x y). */
RS_INLINE rs_float rs_inverse(rs_float x)
{
    const u128 one = (u128)1 << 126;
    double estimate = 0x1p182 / rs_approximately(x.mantissa >> 8); /* 2^254 / mantissa is y */
    u128 y = (u128)(uint64_t)estimate << 64;
    for (int step = 0; step < 2; step++) {
        u128 product = rs_high_product(x.mantissa, y);
        if (product < one)
            y += rs_high_product(y, (one - product) << 48) >> 46;
        else
            y -= rs_high_product(y, (product - one) << 48) >> 46;
    }
    return rs_float_of(y, -254 - x.exponent);
}

/* floor(x 2^127), for 0 <= x <= 1; rest: what it is less than 2^127, rounded down. */
RS_INLINE u128 rs_part_of_float(rs_float x, u128 *rest)
{
    int shift = -127 - x.exponent;
    u128 part = x.mantissa && shift < 128 ? x.mantissa >> shift : 0;
    bool exact = x.mantissa == 0 || (shift < 128 && part << shift == x.mantissa);
    *rest = ((u128)1 << 127) - part - !exact;
    return part;
}

/* A number that is known but for so many times 2^-126 of itself, below 2^120, up or down. RS-NUM-66 */
static inline rs_number rs_number_within(rs_float x, int64_t error)
{
    if (x.mantissa == 0)
        return rs_integer(0);
    u128 off = 4 * (u128)error + 4;
    return (rs_number){.low = x.mantissa - off, .slack = 2 * off, .exponent = x.exponent};
}

#endif
