/* How a metric is adjusted for the length of a list: what chapters share. */
#ifndef RANKSPEC_ADJUST_H
#define RANKSPEC_ADJUST_H

#include "metrics.h"

/* What a user expects of lists of each length, with the weights w of a prior: S(n) = w(1) d(1) + ...
 * + w(n) d(n), but for what E(i) has beside the discount.
 * z: whether Z(M, 1) is a factor
 * S: S(0), S(1), ..., times 2^-exponent; S(n) lacks at most n lack */
typedef struct {
    const rs_discount *w;
    int32_t z, exponent;
    u128 *S, lack;
} rs_expectation;

/* S(N). RS-LEN-4 */
rs_number rs_user_expected(const rs_expectation *by, int64_t N);

/* Makes S(1), ..., S(N), with the discount d. RS-LEN-4, RS-NUM-10 */
void rs_user_expected_vector(rs_expectation *by, const rs_discount *d, int64_t N);

/* A value that is not adjusted yet, times 1 / Z(M, 1) where that is a factor. RS-LEN-3 */
rs_number rs_over_Z(const rs_expectation *by, const rs_number *value, int64_t M);

/* Adjusts the values of a list of n items at each cut-off: above: those of the metric, below: what
 * they are divided by. of_one: E(i) / d(i). RS-LEN-12 */
void rs_adjust(const rs_expectation *by, const rs_number *of_one, int64_t n, const int64_t *k,
               int64_t nk, rs_number *above, rs_number *below);

#endif
