/* Graded precision: the Q-measure, and its expectation. Spec: chapter "utility".
 */
#include "batch.h"
#include "gain.h"
#include "metrics.h"

/* A batch, and the list at hand. best: room for the labels of the pool in the ideal order; beta: the
 * weight of gain, a whole number */
typedef struct {
    const rs_lists *lists, *pools;
    gain_table g;
    uint64_t beta;
    const int64_t *k;
    int64_t nk;
    uint8_t *shown, *pooled, *best;
    rs_number *above, *below;
} q_batch;

enum { BITS_OF_SUM = 62, FURTHER_BITS = 46, LARGEST_BETA = 1 << 20, LONGEST_Q = 1 << 17 };

/* floor(2^108 over / under), for over <= under < 2^62, and whether anything is left of it */
static inline u128 ratio_of(uint64_t over, uint64_t under, bool *rounded)
{
    u128 first = ((u128)over << BITS_OF_SUM) / under;
    u128 rest = ((u128)over << BITS_OF_SUM) % under << FURTHER_BITS;
    *rounded = rest % under != 0;
    return (first << FURTHER_BITS) + rest / under;
}

/* Reads the labels of list a. RS_TOO_FEW_BITS: a gain is no whole number below 2^32. */
static int64_t read_q(const q_batch *x, const rs_lists *lists, int64_t a, uint8_t *scratch,
                          label_list *r, const rs_results *to)
{
    int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
    int64_t bad = rs_read_labels(rs_label_at(lists->labels, lists->type, begin), lists->type, n,
                                 &x->g, scratch, r);
    if (bad >= 0)
        return rs_refuse(to, begin + bad, lists != x->lists);
    for (int64_t i = 0; r->small && i < n; i++)
        if (x->g.small[r->small[i]] == NO_SMALL_GAIN)
            return RS_TOO_FEW_BITS;
    return r->small ? RS_KNOWN : RS_TOO_FEW_BITS;
}

/* How many items have a gain, and what all of them gain; false where i + beta cg*(i) might need more
 * than 62 bits. */
static bool count_gains(const q_batch *x, const label_list *J, int64_t longest, int64_t *N_p)
{
    u128 gain = 0;
    *N_p = 0;
    for (int64_t i = 0; i < J->n; i++) {
        uint64_t g = x->g.small[J->small[i]];
        gain += g;
        *N_p += g > 0;
    }
    return ((u128)x->beta * gain + (u128)longest) >> BITS_OF_SUM == 0;
}

/* The sums of the blended ratios up to each k, in units of 2^-108: each is rounded down. RS-UTL-2,
 * RS-UTL-3, RS-NUM-61. False where a ratio is above 1: the pool does not cover the list. */
static bool q_measure(q_batch *x, const label_list *r, const label_list *J, int64_t N_p)
{
    u128 low = 0, slack = 0;
    uint64_t C = 0, cg = 0, ideal = 0;
    int64_t i = 0;
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < r->n && i < x->k[j]; i++) {
            uint64_t g = x->g.small[r->small[i]];
            ideal += i < J->n ? x->g.small[x->best[i]] : 0;
            if (!g)
                continue;
            C++;
            cg += g;
            u128 over = C + (u128)x->beta * cg, under = (u128)(i + 1) + (u128)x->beta * ideal;
            if (over > under)
                return false;
            bool rounded;
            low += ratio_of((uint64_t)over, (uint64_t)under, &rounded);
            slack += rounded;
        }
        x->above[j] = (rs_number){.low = low, .slack = slack, .exponent = -(BITS_OF_SUM + FURTHER_BITS)};
        x->below[j] = rs_integer((uint64_t)rs_min(x->k[j], N_p));
    }
    return true;
}

/* A tie group of n items, of which r have a gain, G in all: at its j-th rank there is one with the
 * mean ratio (first + (j - 1) step) / (n others delta_i), others: n - 1, or 1. RS-EXP-55 */
typedef struct {
    int64_t end;
    uint64_t r, G;
    u128 first, step, times;
} q_group;

/* The group that begins at rank s + 1, below C items that have a gain, cg in all. */
static q_group group_at(const q_batch *x, const label_list *r, const uint8_t *starts, int64_t s,
                        uint64_t C, uint64_t cg)
{
    q_group T = {.end = s};
    do {
        uint64_t g = x->g.small[r->small[T.end++]];
        T.r += g > 0;
        T.G += g;
    } while (T.end < r->n && !starts[T.end]);
    uint64_t n = (uint64_t)(T.end - s), others = n > 1 ? n - 1 : 1;
    u128 gain = (u128)x->beta * cg * T.r + (u128)x->beta * T.G;
    T.first = ((u128)T.r * (C + 1) + gain) * others;
    T.step = T.r > 1 ? (T.r + (u128)x->beta * T.G) * (T.r - 1) : 0;
    T.times = (u128)n * others;
    return T;
}

/* The same of a tied list: the mean of each ratio over the orders, rounded down. RS-EXP-56, RS-NUM-61.
 * False where a mean is above 1, or takes too many bits. */
static bool expected_q(q_batch *x, const label_list *r, const uint8_t *starts, const label_list *J,
                       int64_t N_p)
{
    u128 low = 0, slack = 0, over = 0;
    uint64_t C = 0, cg = 0, ideal = 0;
    q_group T = {0};
    int64_t i = 0;
    for (int64_t j = 0; j < x->nk; j++) {
        for (; i < r->n && i < x->k[j]; i++) {
            if (i == T.end) {
                C += T.r;
                cg += T.G;
                T = group_at(x, r, starts, i, C, cg);
                over = T.first;
            }
            ideal += i < J->n ? x->g.small[x->best[i]] : 0;
            if (!T.r)
                continue;
            u128 delta = (u128)(i + 1) + (u128)x->beta * ideal;
            if (T.times * delta >> BITS_OF_SUM || over > T.times * delta)
                return false;
            bool rounded;
            low += ratio_of((uint64_t)over, (uint64_t)(T.times * delta), &rounded);
            slack += rounded;
            over += T.step;
        }
        x->above[j] = (rs_number){.low = low, .slack = slack, .exponent = -(BITS_OF_SUM + FURTHER_BITS)};
        x->below[j] = rs_integer((uint64_t)rs_min(x->k[j], N_p));
    }
    return true;
}

RS_TEMPLATE int64_t take_in_q(void *kernel, int64_t a, const rs_results *to)
{
    q_batch *x = kernel;
    label_list r, J;
    int64_t read = read_q(x, x->lists, a, x->shown, &r, to);
    if (read < 0)
        return read;
    int64_t pooled = RS_KNOWN;
    J = r;
    if (x->pools != x->lists)
        pooled = read_q(x, x->pools, a, x->pooled, &J, to);
    if (pooled < 0 || pooled != RS_KNOWN || read != RS_KNOWN)
        return pooled < 0 ? pooled : RS_TOO_FEW_BITS;
    int64_t N_p;
    if (r.n > LONGEST_Q || !count_gains(x, &J, r.n, &N_p))
        return RS_TOO_FEW_BITS;
    rs_sort_labels(&J, false, x->best);
    const uint8_t *starts = rs_starts_of(x->lists, a);
    bool known = starts ? expected_q(x, &r, starts, &J, N_p) : q_measure(x, &r, &J, N_p);
    return known ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE bool q_at(void *kernel, int64_t j, double *out)
{
    const q_batch *x = kernel;
    return rs_round_quotient(&x->above[j], &x->below[j], out);
}

RS_TEMPLATE int64_t write_q(void *kernel, int64_t a, bool known, const rs_results *to)
{
    q_batch *x = kernel;
    return rs_write_values(kernel, a, x->nk, known, q_at, to);
}

/* RS-UTL-3; with starts RS-EXP-56 */
static int64_t values_of_q(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    rs_rooms rooms = {0};
    q_batch x = {.lists = b->lists, .pools = b->pools, .k = m->k, .nk = m->nk};
    bool whole = m->p >= 0 && m->p <= LARGEST_BETA && m->p == (double)(uint64_t)m->p;
    x.beta = whole ? (uint64_t)m->p : (uint64_t)1 << BITS_OF_SUM; /* too large for any gain */
    rs_gain_table(m->gain, &x.g);
    x.shown = rs_room(&rooms, rs_longest(b->lists, b->n), 1);
    x.pooled = rs_room(&rooms, rs_longest(b->pools, b->n), 1);
    x.best = rs_room(&rooms, rs_longest(b->pools, b->n), 1);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room(&rooms, m->nk, sizeof *x.below);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in_q, write_q, to);
    rs_leave(&rooms);
    return open;
}

const rs_metric rs_metrics_of_utility[] = {
    {.metric = RS_Q_MEASURE, .needs = RS_NEEDS_GAIN | RS_NEEDS_POOLS, .values = values_of_q},
    {0},
};
