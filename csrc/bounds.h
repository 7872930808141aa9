/* Bounds of metrics, and what is made of a metric and its bounds. */
#ifndef RANKSPEC_BOUNDS_H
#define RANKSPEC_BOUNDS_H

#include "gain.h"
#include "metrics.h"
#include "ties.h"

/* What else is known where a difference might be 0: whether, at the cut-off j, LB is the metric A
 * itself; or, of the ideal, the bound IUB. False: it is not known to be. */
typedef bool rs_equality(const void *batch, int64_t j, bool ideal);

/* What normalises A by its bounds. RS-BND-4 to RS-BND-8, RS-NUM-19 */
bool rs_bound_value(int32_t kind, const rs_number *A, const rs_number *IUB, const rs_number *LB,
                    rs_equality *equal, const void *batch, int64_t j, double *out);

/* (A - RLB) / sqrt(variance), where A and RLB are both times `by`. RS-EXP-23, RS-NUM-20 */
bool rs_z_value(const rs_variance *v, const rs_number *A, const rs_number *RLB, const rs_number *by,
                rs_equality *equal, const void *batch, int64_t j, double *out);

/* Whether it is of the pool alone. */
bool rs_is_of_pool(int32_t kind);

/* Whether it is a variance, or made of one. */
bool rs_is_of_variance(int32_t kind);

/* The deepest rank that a variance needs, of pools of at most so many items. */
int64_t rs_deepest_rank(const int64_t *k, int64_t nk, int64_t most_pooled);

/* low 2^-shift, which is a fraction but for less than 2^-shift. */
typedef struct {
    u128 low;
    int shift;
} rs_fraction;

rs_fraction rs_fraction_of(uint64_t p, uint64_t q);
u128 rs_fraction_times(const rs_fraction *f, u128 x);

/* The bounds of a metric of labels that are small whole numbers: of RBP relevance indicators, of
 * GAP the numbers of thresholds that are reached.
 * normalised: whether it is divided by that of the ideal order
 * read: list a into bytes; returns the position of a label that is refused, or -1
 * value: the metric of such labels at each cut-off, but for its divisor; with starts, its
 * expectation over the tied orders; false where there is no memory
 * divisor: of a pool, or NULL: 1, or where the metric is normalised, that of the ideal order
 * variance: in a random order of a pool, at a cut-off; NULL: there is none
 * squares: of the discounts, for the variance; more: what the metric itself needs
 * r, J: the labels of the list and of the pool; sorted, other: room for them in another order */
typedef struct rs_graded rs_graded;
struct rs_graded {
    const rs_measure *by;
    bool normalised;
    int64_t (*read)(const rs_graded *x, const rs_lists *lists, int64_t a, uint8_t *bytes,
                    label_list *r);
    bool (*value)(rs_graded *x, const uint8_t *labels, int64_t n, const uint8_t *starts,
                  rs_number *to);
    rs_number (*divisor)(const rs_graded *x, const label_list *J);
    rs_variance (*variance)(const rs_graded *x, int64_t k);
    rs_discount squares;
    void *more;

    const rs_lists *lists, *pools;
    rs_number *A, *ideal, *lower;
    uint8_t *bytes, *pooled, *sorted, *other, *one_group;
    label_list r, J;
    const uint8_t *starts;
};

/* The bound of each list of a block; by, normalised and the functions are given, and what they
 * need. */
int64_t rs_bounds_of_graded(rs_graded *x, const rs_block *b, const rs_results *to);

#endif
