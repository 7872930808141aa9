/* Users by models: graded RBP and scaled DCG, and their expectations. Spec: chapter "users".
 *
 * Both are sums of labels times discounts, as DCG is, over numbers that are known of all lists but
 * for the highest label, which may be that of a pool.
 */
#include "cascade.h"
#include "dcg.h"

/* A batch at work. stops: 1 - p; top: the highest label of the scale, or of the pool at hand */
typedef struct {
    rs_batch b;
    rs_number stops, top;
} users_batch;

/* A label as a number: of at most 64 bits, so that the last 64 of its mantissa are 0. */
static rs_number number_of_label(rs_float label)
{
    return (rs_number){.low = label.mantissa >> 64, .exponent = label.exponent + 64};
}

/* The highest label of a pool, 1 at least. RS-USR-1 */
rs_float rs_top_of_pool(const label_list *J, const gain_table *g)
{
    int64_t highest = 0;
    uint64_t highest_key = 0;
    for (int64_t i = 0; i < J->n; i++) {
        uint64_t key = rs_label_key(J->at, J->type, i);
        highest = key > highest_key ? i : highest;
        highest_key = key > highest_key ? key : highest_key;
    }
    bool above_1 = J->n > 0 && rs_label_value(J->at, J->type, highest) > 1;
    return above_1 ? rs_gain_of(J, highest, g) : rs_float_of_double(1);
}

static bool highest_label(const label_list *J, rs_batch *b)
{
    ((users_batch *)b)->top = number_of_label(rs_top_of_pool(J, b->g));
    return true;
}

/* A pool whose labels are read for those that are refused, and for nothing else. */
static bool any_pool(const label_list *J, rs_batch *b)
{
    (void)J, (void)b;
    return true;
}

/* RS-USR-2; with starts RS-EXP-45 */
static bool grbp_at(rs_batch *b, int64_t j, double *out)
{
    const users_batch *x = (const users_batch *)b;
    rs_number above = rs_product(&b->above[j], &x->stops);
    return rs_round_quotient(&above, &x->top, out);
}

/* RS-USR-4; with starts RS-EXP-47 */
static bool scaled_dcg_at(rs_batch *b, int64_t j, double *out)
{
    const users_batch *x = (const users_batch *)b;
    rs_number weights = rs_sum_of_first(b->d, b->k[j] == RS_WHOLE ? b->n : b->k[j]);
    rs_number below = rs_product(&weights, &x->top);
    return rs_round_quotient(&b->above[j], &below, out);
}

/* The values of a measure whose labels are scaled: by the highest of the scale, or of the pool. */
static int64_t values_by_scale(users_batch *x, const rs_measure *m, const rs_block *b,
                               const rs_results *to)
{
    bool by_pool = m->gain->size == 0;
    x->b.ideal = by_pool ? highest_label : any_pool;
    if (!by_pool)
        x->top = number_of_label(rs_float_of_double(m->gain->table[0]));
    return rs_quotients(&x->b, b->lists, b->pools, b->n, m->gain, to);
}

static int64_t values_of_grbp(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    users_batch x = {.b = {.d = m->discount, .k = m->k, .nk = m->nk, .value = grbp_at},
                     .stops = rs_share_that_stops(m->p)};
    return values_by_scale(&x, m, b, to);
}

static int64_t values_of_scaled_dcg(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    users_batch x = {.b = {.d = m->discount, .k = m->k, .nk = m->nk, .value = scaled_dcg_at}};
    return values_by_scale(&x, m, b, to);
}

const rs_metric rs_metrics_of_users[] = {
    {.metric = RS_GRBP,
     .needs = RS_NEEDS_GAIN | RS_NEEDS_DISCOUNT | RS_NEEDS_POOLS,
     .values = values_of_grbp},
    {.metric = RS_SCALED_DCG,
     .needs = RS_NEEDS_GAIN | RS_NEEDS_DISCOUNT | RS_NEEDS_DISCOUNT_OF_IDEAL | RS_NEEDS_POOLS,
     .values = values_of_scaled_dcg},
    {0},
};
