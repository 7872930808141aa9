/* A libFuzzer target: rs_round_quotient() against a division of one bit at a time.
 *
 * An input is a denominator, a quotient, what the numerator lies beside their product, the two
 * slacks, and where the quotient is put: near a power of two, or anywhere. What is decided must be
 * the nearest double of the least and of the greatest quotient within the slacks; without slacks,
 * all but ties is decided (and powers of two over 1).
 */
#include "../../csrc/numerics.c"

#include <stdio.h>
#include <stdlib.h>

/* The double nearest to a / b, ties to even; tie: whether it is one. 0 < a, b < 2^121. */
static double nearest_quotient(u128 a, u128 b, bool *tie)
{
    int exponent = 0;
    for (; a < b; a *= 2)
        exponent--;
    for (; a >= 2 * b; b *= 2)
        exponent++;
    uint64_t m = 0;
    for (int bit = 0; bit < 53; bit++) {
        m = 2 * m + (a >= b);
        a = 2 * (a >= b ? a - b : a);
    }
    *tie = a == b;
    return ldexp((double)(m + (a > b || (*tie && m % 2))), exponent - 52);
}

static void check_quotient(u128 a, u128 sigma, u128 b, u128 tau)
{
    rs_number above = {.low = a, .slack = sigma}, below = {.low = b, .slack = tau};
    bool tie, any;
    double found, most = nearest_quotient(a + sigma, b, &any);
    double least = nearest_quotient(a, b + tau, &tie);
    bool decided = rs_round_quotient(&above, &below, &found);
    bool right = decided ? found == least && found == most : sigma || tau || tie || b == 1;
    if (right)
        return;
    fprintf(stderr, "2^64 %llu + %llu (+ %llu) over 2^64 %llu + %llu (+ %llu): %a, not %a to %a\n",
            (unsigned long long)(a >> 64), (unsigned long long)a, (unsigned long long)sigma,
            (unsigned long long)(b >> 64), (unsigned long long)b, (unsigned long long)tau, found,
            least, most);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct {
        uint64_t b, quotient;
        int64_t beside;
        uint32_t sigma, tau;
        uint8_t near, wider, shorter, slacks;
    } given = {0};
    memcpy(&given, data, size < sizeof given ? size : sizeof given);
    uint64_t b = given.b >> given.shorter % 64, q = given.quotient >> 8;
    if (given.near % 2) /* a few quarters of the last place beside a power of two */
        q = ((uint64_t)1 << 55) + q % 64 - 32;
    u128 a = (u128)b * q;
    a = given.wider % 2 ? a : a >> given.wider % 64;
    a += (u128)(i128)(given.near % 4 < 2 ? given.beside : given.beside % 16);
    u128 sigma = given.slacks & 1 ? given.sigma : 0, tau = given.slacks & 2 ? given.tau : 0;
    if (a == 0 || a >> 120 != 0 || b == 0)
        return 0;
    check_quotient(a, sigma, b, tau);
    check_quotient(b, sigma, a, tau);
    return 0;
}
