/* Variances of metrics in a random order of a pool. */
#ifndef RANKSPEC_VARIANCE_H
#define RANKSPEC_VARIANCE_H

#include "numerics.h"

/* square / per^2; sign: whether it is 0, and nothing else holds then; open: it is not known. */
typedef struct {
    rs_number square, per;
    rs_sign sign;
} rs_variance;

/* n times the sum of the squares of numbers, less the square of their sum; and whether it is 0. */
typedef struct {
    rs_number size;
    rs_sign sign;
} rs_spread;

/* The squares of the first discounts, as a discount; false: no memory. Released by
 * rs_free_squares(). */
bool rs_squares(const rs_discount *d, int64_t depth, rs_discount *squares);
void rs_free_squares(rs_discount *squares);

rs_spread rs_spread_of(int64_t n, const rs_number *sum, const rs_number *squares);
rs_spread rs_spread_of_counts(int64_t n, int64_t r);
rs_variance rs_variance_of_dcg(int64_t n, const rs_spread *gains, const rs_discount *d,
                               const rs_discount *squares, int64_t k);
rs_variance rs_variance_of_hits(int64_t n, int64_t r, int64_t k);
rs_variance rs_variance_of_sp(int64_t n, int64_t r, const rs_discount *inverse,
                              const rs_discount *squares, int64_t k);
rs_variance rs_variance_of_rr(int64_t n, int64_t r, const rs_number *mean,
                              const rs_number *mean_square);
bool rs_round_variance(const rs_variance *v, const rs_number *by, double *out);

#endif
