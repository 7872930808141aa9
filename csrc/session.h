/* Metrics of sessions. */
#ifndef RANKSPEC_SESSION_H
#define RANKSPEC_SESSION_H

#include "metrics.h"
#include "numerics.h"

/* Whether the value depends on a pool. */
bool rs_is_pooled(int32_t metric);

#endif
