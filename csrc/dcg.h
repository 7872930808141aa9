/* Cumulated gain, and what the expectation needs of it. */
#ifndef RANKSPEC_DCG_H
#define RANKSPEC_DCG_H

#include "gain.h"

/* A gain in fixed point: floor(gain 2^(96 - top)), where 2^top is above every gain of the
 * list. So each has at most 96 bits. RS-NUM-8 */
typedef u128 wide_gain;

u128 rs_wide_product(u128 gain, u128 discounts);
void rs_expected_dcg_small(const label_list *r, const uint8_t *starts, const gain_table *g,
                           const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg);
void rs_expected_dcg_wide(const wide_gain *G, int64_t n, int32_t top, const uint8_t *starts,
                          const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg);

#endif
