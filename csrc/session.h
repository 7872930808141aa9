/* Metrics of sessions. */
#ifndef RANKSPEC_SESSION_H
#define RANKSPEC_SESSION_H

#include "batch.h"

/* A metric of sessions. pooled: whether it depends on a pool; weighted: whether it discounts
 * queries. */
typedef struct {
    int32_t metric;
    bool pooled, weighted;
} rs_session_metric;

/* The row of a metric, or NULL: it is none of sessions. */
const rs_session_metric *rs_session_metric_of(int32_t metric);

/* The values of a measure of n sessions. RS-SES-6, RS-SES-10 to RS-SES-16 */
int64_t rs_session_values(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                          const rs_measure *by, const rs_results *to);

#endif
