/* Cumulated gain, and what other chapters need of it. */
#ifndef RANKSPEC_DCG_H
#define RANKSPEC_DCG_H

#include "batch.h"
#include "gain.h"
#include "metrics.h"
#include "ties.h"

/* A gain in fixed point: floor(gain 2^(96 - top)), where 2^top is above every gain of the
 * list. So each has at most 96 bits. RS-NUM-8 */
typedef u128 wide_gain;

static inline wide_gain rs_wide_gain(rs_float gain, int32_t top)
{
    int32_t shift = top - 96 - gain.exponent;
    return gain.mantissa && shift >= 0 && shift < 128 ? gain.mantissa >> shift : 0;
}

/* The top for the greatest gain of a list. */
static inline int32_t rs_top_of(rs_float greatest)
{
    return greatest.mantissa ? greatest.exponent + 128 : 0;
}

/* A batch at work: what all of its lists share, and the list at hand.
 * k, k_ideal: the cut-offs of lists and of pools, nk of each
 * cuts: room for as many: where ideals are cut that are no longer than the list
 * ideal: takes a pool in; false where a gain is lost. NULL: its IDCG
 * value: the value at the cut-off j, which rises; false where it is undecided. NULL: DCG / IDCG
 * n: the length of the list; above: its DCG at each cut-off; below: IDCG of the pool
 * bytes, wide: room for the labels of a list, and for its gains
 * own: whether the pools are the lists
 * one_group: starts by which each list is one tie group, or NULL: they are the lists' own
 * list, starts: the list at hand, of which what is small need not be there any more
 * length: more of it, for the chapter of that name; bounds: for bounds */
typedef struct rs_batch rs_batch;
struct rs_batch {
    const gain_table *g;
    const rs_discount *d;
    const int64_t *k, *k_ideal;
    int64_t *cuts;
    int64_t nk;
    bool (*ideal)(const label_list *J, rs_batch *b);
    bool (*value)(rs_batch *b, int64_t j, double *out);
    int64_t n;
    rs_number *above, *below;
    uint8_t *bytes;
    wide_gain *wide;
    bool own;
    const uint8_t *one_group;
    label_list list;
    const uint8_t *starts;
    struct rs_length *length;
    struct rs_bounds_of_dcg *bounds;
};

int64_t rs_quotients(rs_batch *b, const rs_lists *lists, const rs_lists *pools, int64_t n,
                     const rs_gain *g, const rs_results *to);

bool rs_is_small(const label_list *r, const gain_table *g);
uint64_t rs_gains_from_to(const label_list *r, int64_t begin, int64_t end, const gain_table *g);
bool rs_shows_mean(const rs_batch *b, int64_t shown, uint64_t pooled, int64_t n);
int64_t rs_read_from(const rs_lists *lists, int64_t begin, int64_t n, const gain_table *g,
                     uint8_t *bytes, label_list *r);
void rs_idcg_of_counts(const int64_t *count, int top, int64_t n, const gain_table *g,
                       const rs_discount *d, const int64_t *k, int64_t nk, rs_number *idcg);
bool rs_wide_gains(const label_list *r, const gain_table *g, wide_gain *G, int32_t *top);
bool rs_ideal_gains(const label_list *J, const gain_table *g, wide_gain *G, int32_t *top);
void rs_reverse(wide_gain *G, int64_t n);
void rs_dcg_wide(const wide_gain *G, int64_t n, int32_t top, const rs_discount *d,
                 const int64_t *k, int64_t nk, rs_number *dcg);
void rs_dcg_small(const label_list *r, const gain_table *g, const rs_discount *d, const int64_t *k,
                  int64_t nk, rs_number *dcg);
void rs_expected_dcg_small(const label_list *r, const uint8_t *starts, const gain_table *g,
                           const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg);
void rs_expected_dcg_wide(const wide_gain *G, int64_t n, int32_t top, const uint8_t *starts,
                          const rs_discount *d, const int64_t *k, int64_t nk, rs_number *dcg);
rs_variance rs_variance_of_dcg(int64_t n, const rs_spread *gains, const rs_discount *d,
                               const rs_discount *squares, int64_t k);

#endif
