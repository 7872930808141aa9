/* How a metric is adjusted for the length of a list. Spec: RS-LEN-12
 *
 * S(n) = w(1) d(1) + ... + w(n) d(n) is what a user expects of n results, but for the factor Z and
 * for what one result is worth.
 */
#include "adjust.h"
#include "stopping.h"

/* 1 / Z(M, 1) = w(1) + ... + w(M). RS-LEN-3 */
static rs_number inverse_Z(const rs_discount *w, int64_t M)
{
    return rs_sum_of_first(w, M);
}

/* S(N). RS-LEN-4 */
rs_number rs_user_expected(const rs_expectation *by, int64_t N)
{
    return (rs_number){.low = by->S[N], .slack = (u128)N * by->lack, .exponent = by->exponent};
}

/* S(1), ..., S(N). Of a product of two entries the lowest 96 bits are dropped: it lacks less than
 * 1 for them and than the unit of either table. RS-LEN-4, RS-NUM-10 */
void rs_user_expected_vector(rs_expectation *by, const rs_discount *d, int64_t N)
{
    const rs_discount *w = by->w;
    bool exact = w->unit == 0 && d->unit == 0;
    by->S[0] = 0;
    for (int64_t i = 1; i <= N; i++) {
        rs_pause_at(i, i + 1, 8);
        u128 W = rs_discount_at(w, i), D = rs_discount_at(d, i);
        by->S[i] = by->S[i - 1] + rs_wide_product(W, D);
        exact = exact && W * D << 32 == 0;
    }
    by->lack = exact ? 0 : 1 + (u128)w->unit + d->unit;
    by->exponent = 96 + w->exponent + d->exponent;
}

/* A value that is not adjusted yet, times 1 / Z(M, 1) where that is a factor. RS-LEN-3 */
rs_number rs_over_Z(const rs_expectation *by, const rs_number *value, int64_t M)
{
    if (!by->z || M == RS_WHOLE)
        return *value;
    rs_number factor = inverse_Z(by->w, M);
    return rs_product(value, &factor);
}

/* RS-LEN-12, RS-NUM-10 */
void rs_adjust(const rs_expectation *by, const rs_number *of_one, int64_t n, const int64_t *k,
               int64_t nk, rs_number *above, rs_number *below)
{
    for (int64_t j = 0; j < nk; j++) {
        rs_number S = rs_user_expected(by, rs_min(n, k[j]));
        above[j] = rs_over_Z(by, &above[j], k[j]);
        below[j] = rs_product(&S, of_one);
    }
}
