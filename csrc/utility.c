/* Graded precision and normalised utility: Q, NCU, O, P-measure, P+ and EBR, with the expectations
 * of Q and of NCU whose users are not rank-biased. Spec: chapter "utility".
 */
#include "whole_gains.h"

/* The parts of the users who stop at an item and who go on, in units of 2^-127, rounded down; some:
 * whether anybody stops. */
typedef struct {
    u128 stop, go_on;
    bool some;
} user_part;

/* A batch and its users.
 * beta: the weight of gain, a whole number
 * by_gain: whether as many users stop at an item as it gains; else one does
 * divisor: what a sum of blended ratios is divided by, of Q and NCU
 * part_of_all, part_of_label: of the users who see an item, those who stop and who go on: the same
 *   at each (RS-UTL-4), or by its label (RS-UTL-9) */
typedef struct utility_batch utility_batch;
struct utility_batch {
    rs_whole_gains b;
    uint64_t beta;
    bool by_gain;
    uint64_t (*divisor)(const utility_batch *x, int64_t j);
    const user_part *part_of_all, *part_of_label;
};

enum { BITS_OF_SUM = 62, FURTHER_BITS = 46, BITS_OF_RATIO = BITS_OF_SUM + FURTHER_BITS };
enum { LARGEST_BETA = 1 << 20, BITS_OF_COUNT = 17, MOST_SUMMANDS = 1 << BITS_OF_COUNT };

/* All users, in units of 2^-126, and the unit of sums over them: room for as many as there are
 * summands. */
static const u128 ALL_USERS = (u128)1 << 126;
enum { BITS_OF_PART = 127, EXPONENT_OF_USERS = BITS_OF_COUNT - 126 };

static u128 gain_of_list(const rs_whole_gains *b)
{
    u128 gain = 0;
    for (int64_t i = 0; i < b->r.n; i++)
        gain += rs_gain_shown(b, i);
    return gain;
}

/* Whether i + beta cg*(i) takes at most 62 bits, and no sum has too many summands. RS-NUM-61 */
static bool takes_few_bits(const utility_batch *x)
{
    const rs_whole_gains *b = &x->b;
    u128 largest = (u128)x->beta * b->gain + (u128)b->r.n;
    return b->r.n <= MOST_SUMMANDS && largest >> BITS_OF_SUM == 0 &&
           (!x->by_gain || gain_of_list(b) <= MOST_SUMMANDS);
}

/* floor(2^108 over / under), for over, under < 2^62, and whether anything is left of it */
static inline u128 ratio_of(uint64_t over, uint64_t under, bool *rounded)
{
    u128 first = ((u128)over << BITS_OF_SUM) / under;
    u128 rest = ((u128)over << BITS_OF_SUM) % under << FURTHER_BITS;
    *rounded = rest % under != 0;
    return (first << FURTHER_BITS) + rest / under;
}

/* A sum of ratios, each rounded down. */
typedef struct {
    u128 low, slack;
} ratio_sum;

static inline void add_ratio(ratio_sum *sum, uint64_t over, uint64_t under)
{
    bool rounded;
    sum->low += ratio_of(over, under, &rounded);
    sum->slack += rounded;
}

static inline rs_number number_of_ratios(const ratio_sum *sum)
{
    return (rs_number){.low = sum->low, .slack = sum->slack, .exponent = -BITS_OF_RATIO};
}

/* ---- a settled list ------------------------------------------------------------------- */

/* An item that has a gain, and the ranks down to it: i ranks, C with a gain, cg in all, ideal the
 * gain of the ideal ranking. over / under: its blended ratio. lost: it is above 1, as the pool does
 * not cover the list, or takes too many bits. RS-UTL-2 */
typedef struct {
    int64_t i;
    uint64_t C, cg, ideal, gain, over, under;
    int label;
    bool lost;
} relevant_item;

/* Goes on to the next item with a gain among the first k ranks; false: none, or it is lost. */
static inline bool next_relevant(const utility_batch *x, int64_t k, relevant_item *at)
{
    const rs_whole_gains *b = &x->b;
    int64_t end = rs_min(k, b->r.n);
    while (at->i < end) {
        at->gain = rs_gain_shown(b, at->i);
        at->ideal += rs_gain_of_best(b, at->i);
        at->label = b->r.small[at->i++];
        if (!at->gain)
            continue;
        at->C++;
        at->cg += at->gain;
        u128 over = at->C + (u128)x->beta * at->cg;
        u128 under = (u128)at->i + (u128)x->beta * at->ideal;
        at->lost = over > under || under >> BITS_OF_SUM;
        at->over = (uint64_t)over;
        at->under = (uint64_t)under;
        return !at->lost;
    }
    return false;
}

/* RS-UTL-3, RS-UTL-5 */
static bool sum_of_ratios(rs_whole_gains *b)
{
    const utility_batch *x = (const utility_batch *)b;
    if (!takes_few_bits(x))
        return false;
    ratio_sum sum = {0};
    relevant_item at = {0};
    for (int64_t j = 0; j < b->nk; j++) {
        while (next_relevant(x, b->k[j], &at)) {
            uint64_t w = x->by_gain ? at.gain : 1; /* w over < 2^55 where it is the gain */
            add_ratio(&sum, w * at.over, at.under);
        }
        if (at.lost)
            return false;
        b->above[j] = number_of_ratios(&sum);
        b->below[j] = rs_integer(x->divisor(x, j));
    }
    return true;
}

/* The ratio at the first item with a gain, as it is. RS-UTL-6 */
static bool first_ratio(rs_whole_gains *b)
{
    const utility_batch *x = (const utility_batch *)b;
    if (!takes_few_bits(x))
        return false;
    relevant_item at = {0};
    for (int64_t j = 0; j < b->nk; j++) {
        if (!at.C)
            next_relevant(x, b->k[j], &at);
        if (at.lost)
            return false;
        b->above[j] = rs_integer(at.C ? at.over : 0);
        b->below[j] = rs_integer(at.C ? at.under : 1);
    }
    return true;
}

/* The ratio at the preferred rank, or the mean of those down to it. */
static inline __attribute__((always_inline)) bool preferred(rs_whole_gains *b, bool mean)
{
    const utility_batch *x = (const utility_batch *)b;
    if (!takes_few_bits(x))
        return false;
    ratio_sum sum = {0};
    rs_number above = rs_integer(0), below = rs_integer(1);
    int best = -1;
    relevant_item at = {0};
    for (int64_t j = 0; j < b->nk; j++) {
        while (next_relevant(x, b->k[j], &at)) {
            if (mean)
                add_ratio(&sum, at.over, at.under);
            if (at.label > best) {
                best = at.label;
                above = mean ? number_of_ratios(&sum) : rs_integer(at.over);
                below = rs_integer(mean ? at.C : at.under);
            }
        }
        if (at.lost)
            return false;
        b->above[j] = above;
        b->below[j] = below;
    }
    return true;
}

/* RS-UTL-7 */
static bool preferred_ratio(rs_whole_gains *b)
{
    return preferred(b, false);
}

/* RS-UTL-8 */
static bool mean_to_preferred(rs_whole_gains *b)
{
    return preferred(b, true);
}

/* floor(x y / 2^127), for x <= 2^126 and y <= 2^127: of an amount of users, a part. */
static inline u128 part_of(u128 x, u128 y)
{
    return rs_high_product(x << 1, y);
}

/* The sum of the ratios over users who stop at an item and go on with the parts of its label. Each
 * rank adds at most 6 units less than it should. RS-NUM-62 */
static bool utility_of_users(rs_whole_gains *b)
{
    const utility_batch *x = (const utility_batch *)b;
    if (!takes_few_bits(x))
        return false;
    u128 low = 0, slack = 0, going_on = ALL_USERS;
    relevant_item at = {0};
    for (int64_t j = 0; j < b->nk; j++) {
        while (next_relevant(x, b->k[j], &at)) {
            const user_part *here = x->part_of_all ? x->part_of_all : &x->part_of_label[at.label];
            bool rounded;
            u128 ratio = ratio_of(at.over, at.under, &rounded) << (BITS_OF_PART - BITS_OF_RATIO);
            low += part_of(part_of(going_on, here->stop), ratio) >> BITS_OF_COUNT;
            slack += here->some ? 6 : 0;
            going_on = part_of(going_on, here->go_on);
        }
        if (at.lost)
            return false;
        b->above[j] = (rs_number){.low = low, .slack = slack, .exponent = EXPONENT_OF_USERS};
        b->below[j] = rs_integer(1);
    }
    return true;
}

/* As many users as the powers of the share, of all items of the pool that have a gain; false where
 * these are too many. RS-UTL-4, RS-NUM-62 */
static bool rank_biased_users(const utility_batch *x, rs_number *users)
{
    u128 low = 0, going_on = ALL_USERS;
    for (int64_t c = 0; c < x->b.N_p && c < MOST_SUMMANDS; c++) {
        low += going_on >> BITS_OF_COUNT;
        going_on = part_of(going_on, x->part_of_all->go_on);
    }
    *users = (rs_number){.low = low, .slack = 3 * (u128)x->b.N_p, .exponent = EXPONENT_OF_USERS};
    return x->b.N_p <= MOST_SUMMANDS;
}

/* RS-UTL-5 */
static bool rank_biased_ncu(rs_whole_gains *b)
{
    rs_number users;
    if (!utility_of_users(b) || !rank_biased_users((const utility_batch *)b, &users))
        return false;
    for (int64_t j = 0; j < b->nk; j++)
        b->below[j] = users;
    return true;
}

/* ---- under ties ------------------------------------------------------------------------ */

/* A tie group of n items, of which r have a gain, G in all: at its j-th rank there is one with the
 * mean ratio (first + (j - 1) step) / (times delta_i). W, WG: how many users stop at these, and the
 * sum of the products with their gains. RS-EXP-55 */
typedef struct {
    int64_t end;
    uint64_t n, r, G, W;
    u128 WG, first, step, times;
} q_group;

/* The group that begins at rank s + 1, below C items that have a gain, cg in all. */
static q_group group_at(const utility_batch *x, const uint8_t *starts, int64_t s, uint64_t C,
                        uint64_t cg)
{
    const rs_whole_gains *b = &x->b;
    q_group T = {.end = s};
    do {
        uint64_t g = rs_gain_shown(b, T.end++), w = x->by_gain ? g : g > 0;
        T.r += g > 0;
        T.G += g;
        T.W += w;
        T.WG += (u128)w * g;
    } while (T.end < b->r.n && !starts[T.end]);
    T.n = (uint64_t)(T.end - s);
    uint64_t others = T.n > 1 ? T.n - 1 : 1;
    u128 beta = x->beta;
    T.first = ((u128)T.W * (C + 1) + beta * cg * T.W + beta * T.WG) * others;
    T.step = T.r > 1 ? (u128)T.W * (T.r - 1) + beta * ((u128)T.G * T.W - T.WG) : 0;
    T.times = (u128)T.n * others;
    return T;
}

/* The same of a tied list: the mean of each ratio over the orders, rounded down. False where a mean
 * is above W / n, as the pool does not cover the list, or takes too many bits. RS-EXP-56,
 * RS-EXP-57, RS-NUM-61 */
static bool expected_sum_of_ratios(rs_whole_gains *b, const uint8_t *starts)
{
    const utility_batch *x = (const utility_batch *)b;
    if (!takes_few_bits(x))
        return false;
    ratio_sum sum = {0};
    u128 over = 0;
    uint64_t C = 0, cg = 0, ideal = 0;
    q_group T = {0};
    int64_t i = 0;
    for (int64_t j = 0; j < b->nk; j++) {
        for (; i < b->r.n && i < b->k[j]; i++) {
            if (i == T.end) {
                C += T.r;
                cg += T.G;
                T = group_at(x, starts, i, C, cg);
                over = T.first;
            }
            ideal += rs_gain_of_best(b, i);
            if (!T.r)
                continue;
            u128 under = T.times * ((u128)(i + 1) + (u128)x->beta * ideal);
            if (under >> BITS_OF_SUM || over >> BITS_OF_SUM || over * T.n > under * T.W)
                return false;
            add_ratio(&sum, (uint64_t)over, (uint64_t)under);
            over += T.step;
        }
        b->above[j] = number_of_ratios(&sum);
        b->below[j] = rs_integer(x->divisor(x, j));
    }
    return true;
}

/* ---- the measures ---------------------------------------------------------------------- */

/* min(k, N_p). RS-UTL-3 */
static uint64_t as_many_as_fit(const utility_batch *x, int64_t j)
{
    return (uint64_t)rs_min(x->b.k[j], x->b.N_p);
}

/* RS-UTL-4 */
static uint64_t users_of_pool(const utility_batch *x, int64_t j)
{
    (void)j;
    return x->by_gain ? (uint64_t)x->b.gain : (uint64_t)x->b.N_p;
}

static utility_batch batch_with(const rs_measure *m, bool (*values)(rs_whole_gains *b))
{
    bool whole = m->p >= 0 && m->p <= LARGEST_BETA && m->p == (double)(uint64_t)m->p;
    return (utility_batch){
        .b = {.values = values},
        .beta = whole ? (uint64_t)m->p : (uint64_t)1 << BITS_OF_SUM, /* too large for any gain */
    };
}

/* RS-UTL-3; with starts RS-EXP-56 */
static int64_t values_of_q(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    utility_batch x = batch_with(m, sum_of_ratios);
    x.b.tied = expected_sum_of_ratios;
    x.divisor = as_many_as_fit;
    return rs_values_of_whole_gains(&x.b, m, b, to);
}

/* RS-UTL-5; with starts RS-EXP-57 */
static int64_t values_of_ncu(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    bool rank_biased = m->norm == RS_USERS_RANK_BIASED;
    utility_batch x = batch_with(m, rank_biased ? rank_biased_ncu : sum_of_ratios);
    x.b.tied = rank_biased ? NULL : expected_sum_of_ratios;
    x.by_gain = m->norm == RS_USERS_GRADED;
    x.divisor = users_of_pool;
    u128 others;
    rs_float gamma = rs_float_of_double(rank_biased ? m->theta : 1);
    const user_part share = {.stop = (u128)1 << BITS_OF_PART,
                             .some = true,
                             .go_on = rs_part_of_float(gamma, &others)};
    x.part_of_all = &share;
    return rs_values_of_whole_gains(&x.b, m, b, to);
}

static int64_t values_of_o(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    utility_batch x = batch_with(m, first_ratio);
    return rs_values_of_whole_gains(&x.b, m, b, to);
}

static int64_t values_of_p(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    utility_batch x = batch_with(m, preferred_ratio);
    return rs_values_of_whole_gains(&x.b, m, b, to);
}

static int64_t values_of_p_plus(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    utility_batch x = batch_with(m, mean_to_preferred);
    return rs_values_of_whole_gains(&x.b, m, b, to);
}

/* Nobody stops at a label that has no probability. */
static int64_t values_of_ebr(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    user_part parts[SMALL_LABELS];
    int64_t labels = m->gain->kind == RS_TABLE ? rs_min(m->gain->size, SMALL_LABELS) : SMALL_LABELS;
    for (int64_t label = 0; label < labels; label++) {
        double stop = label < m->n_q ? m->q[label] : 0;
        parts[label].stop = rs_part_of_float(rs_float_of_double(stop), &parts[label].go_on);
        parts[label].some = stop > 0;
    }
    utility_batch x = batch_with(m, utility_of_users);
    x.part_of_label = parts;
    return rs_values_of_whole_gains(&x.b, m, b, to);
}

enum { GRADED = RS_NEEDS_GAIN | RS_NEEDS_POOLS };

const rs_metric rs_metrics_of_utility[] = {
    {.metric = RS_Q_MEASURE, .needs = GRADED, .values = values_of_q},
    {.metric = RS_NCU, .needs = GRADED, .values = values_of_ncu},
    {.metric = RS_O_MEASURE, .needs = GRADED, .values = values_of_o},
    {.metric = RS_P_MEASURE, .needs = GRADED, .values = values_of_p},
    {.metric = RS_P_PLUS, .needs = GRADED, .values = values_of_p_plus},
    {.metric = RS_EBR, .needs = GRADED | RS_NEEDS_THRESHOLDS, .values = values_of_ebr},
    {0},
};
