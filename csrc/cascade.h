/* What other chapters need of users who stop. */
#ifndef RANKSPEC_CASCADE_H
#define RANKSPEC_CASCADE_H

#include "adjust.h"
#include "gain.h"

/* ERR of the lists, divided by IERR of the pools where there are any, or adjusted for the length; by:
 * NULL: it is not. */
int64_t rs_err_of_lists(const rs_measure *m, const rs_lists *lists, const rs_lists *pools,
                        int64_t n, const rs_expectation *by, const rs_results *to);

/* RBP of the lists of a block, adjusted for the length; by: NULL: it is not. */
int64_t rs_rbp_of_lists(const rs_measure *m, const rs_block *b, const rs_expectation *by,
                        const rs_results *to);

/* 1 - p of a persistence p. RS-CAS-5 */
rs_number rs_share_that_stops(double p);

/* The highest label of a pool, 1 at least. RS-USR-1 */
rs_float rs_top_of_pool(const label_list *J, const gain_table *g);

#endif
