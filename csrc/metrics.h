/* A metric of lists as the core knows it: what its measures must have, what writes their values.
 *
 * Each chapter ends with the table of its metrics, in which values.c looks a measure up. To add a
 * metric to a chapter: a function, a row of the table, and a name in rankspec.h.
 */
#ifndef RANKSPEC_METRICS_H
#define RANKSPEC_METRICS_H

#include "batch.h"

/* n lists, and their pools: the lists themselves, others, or NULL. */
typedef struct {
    const rs_lists *lists, *pools;
    int64_t n;
} rs_block;

static inline bool rs_is_own_pool(const rs_block *b)
{
    return b->pools == b->lists;
}

/* Writes the values of a measure, or those of its bound, of each list of a block. The measure has
 * all that its row says. Returns how many values are undecided, RS_REFUSED or RS_NO_MEMORY. */
typedef int64_t rs_values_of(const rs_measure *m, const rs_block *b, const rs_results *to);

/* What a measure must have. Pools: of its lists; a bound needs them in any case. A discount: as
 * deep as the lists; of ties: where lists are tied, and of a bound; of the ideal: as deep as k_ideal.
 */
enum {
    RS_NEEDS_GAIN = 1,
    RS_NEEDS_DISCOUNT = 2,
    RS_NEEDS_WEIGHTS = 4,
    RS_NEEDS_POINTS = 8,
    RS_NEEDS_THRESHOLDS = 16,
    RS_NEEDS_POOLS = 32,
    RS_NEEDS_DISCOUNT_OF_TIES = 64,
    RS_NEEDS_DISCOUNT_OF_IDEAL = 128
};

/* The kernel of a metric over relevance indicators: it fills, for each cut-off k, what stands above
 * and below the line, of which the value is the quotient. precision.c */
struct rs_indicators;
typedef void rs_binary_metric(const struct rs_indicators *x, const rs_discount *inverse,
                              int32_t norm, const int64_t *k, int64_t nk, rs_number *above,
                              rs_number *below);

/* A row of a chapter's table, whose last has no values.
 * needs: of the above; values, bounds: what writes them; no bounds: they are left to the reference
 * varies: whether a variance and z-values are among the bounds
 * of_indicators: the kernel of a metric whose values are values_of_indicators() of precision.c */
typedef struct {
    int32_t metric, needs;
    rs_values_of *values, *bounds;
    bool varies;
    rs_binary_metric *of_indicators;
} rs_metric;

extern const rs_metric rs_metrics_of_dcg[], rs_metrics_of_length[], rs_metrics_of_relevance[],
    rs_metrics_of_precision[], rs_metrics_of_cascade[], rs_metrics_of_users[],
    rs_metrics_of_utility[], rs_metrics_of_attention[], rs_metrics_of_overlap[];

/* The row of a metric in the table of a chapter, or NULL. */
static inline const rs_metric *rs_metric_in(const rs_metric *chapter, int32_t metric)
{
    while (chapter->values && chapter->metric != metric)
        chapter++;
    return chapter->values ? chapter : NULL;
}

#endif
