/* Bounds of metrics, and what is made of a metric and its bounds. */
#ifndef RANKSPEC_BOUNDS_H
#define RANKSPEC_BOUNDS_H

#include "metrics.h"
#include "numerics.h"

/* What else is known where a difference might be 0: whether, at the cut-off j, LB is the metric A
 * itself; or, of the ideal, the bound IUB. False: it is not known to be. */
typedef bool rs_equality(const void *batch, int64_t j, bool ideal);

bool rs_bound_value(int32_t kind, const rs_number *A, const rs_number *IUB, const rs_number *LB,
                    rs_equality *equal, const void *batch, int64_t j, double *out);
bool rs_is_of_pool(int32_t kind);

#endif
