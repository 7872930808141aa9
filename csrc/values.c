/* One way in: measures of lists, and of sessions. Spec: RS-NUM-6, RS-NUM-7.
 *
 * A measure is looked at once a block of lists, and its own function goes through the block: no list
 * costs a choice. Where there are several measures, the labels of a block are read once, and are
 * still near the processor for those that follow.
 */
#include "batch.h"
#include "gain.h"
#include "metrics.h"
#include "session.h"

/* ---- what a measure needs --------------------------------------------------------------- */

enum { GAIN = 1, DISCOUNT = 2, WEIGHTS = 4, POINTS = 8, THRESHOLDS = 16, POOLS = 32, UNBOUNDED = 64 };

static const uint8_t needs[RS_METRICS] = {
    [RS_DCG] = GAIN | DISCOUNT,
    [RS_IDCG] = GAIN | DISCOUNT | POOLS | UNBOUNDED,
    [RS_NDCG] = GAIN | DISCOUNT | POOLS,
    [RS_LDCG] = GAIN | DISCOUNT | WEIGHTS,
    [RS_ILDCG] = GAIN | DISCOUNT | WEIGHTS | POOLS | UNBOUNDED,
    [RS_LNDCG] = GAIN | DISCOUNT | WEIGHTS | POOLS,
    [RS_DCG_PHI] = POINTS | DISCOUNT | POOLS,
    [RS_NDCG_PHI] = POINTS | DISCOUNT | POOLS,
    [RS_RECALL] = POOLS,
    [RS_SP] = DISCOUNT,
    [RS_AP] = DISCOUNT | POOLS,
    [RS_GAP] = THRESHOLDS | DISCOUNT | POOLS,
    [RS_ERR] = GAIN | DISCOUNT,
    [RS_NERR] = GAIN | DISCOUNT | POOLS,
    [RS_RBP] = DISCOUNT,
};

static bool rises(const int64_t *k, int64_t nk)
{
    for (int64_t j = 0; j < nk; j++)
        if (k[j] <= (j ? k[j - 1] : 0))
            return false;
    return true;
}

static bool is_deep(const rs_discount *d, int64_t ranks)
{
    return d && d->depth >= ranks;
}

/* The deepest rank that counts, of lists and pools of at most `most` items, pools of at most
 * `pooled`. */
static int64_t deepest_needed(const rs_measure *m, int64_t most, int64_t pooled)
{
    int64_t deepest = rs_min(most, m->k[m->nk - 1]);
    int64_t of_ideal = m->k_ideal ? rs_min(pooled, m->k_ideal[m->nk - 1]) : 0;
    return m->metric == RS_NDCG && of_ideal > deepest ? of_ideal : deepest;
}

/* The last cut-off that is not the whole list: as deep as Z(M, 1) needs the weights. */
static int64_t last_of(const rs_measure *m)
{
    int64_t last = 0;
    for (int64_t j = 0; j < m->nk; j++)
        last = m->k[j] == RS_WHOLE ? last : m->k[j];
    return last;
}

static bool has_variance(int32_t metric)
{
    return metric == RS_DCG || metric == RS_NDCG || metric == RS_RBP ||
           (metric >= RS_PRECISION && metric <= RS_AP);
}

static bool is_cut(const rs_measure *m)
{
    return m->size == sizeof *m && m->nk > 0 && m->k && rises(m->k, m->nk);
}

/* What the lists and the pools of a batch are like. */
typedef struct {
    bool tied, pools;
    int64_t most, pooled;
} kind_of_batch;

/* Whether a measure has all that it needs. */
static bool is_measure(const rs_measure *m, const kind_of_batch *of)
{
    if (!is_cut(m) || m->metric < 0 || m->metric >= RS_METRICS || m->bound < RS_NO_BOUND ||
        m->bound > RS_Z_VALUE)
        return false;
    bool varies = m->bound == RS_VARIANCE || m->bound == RS_Z_VALUE;
    int32_t needed = needs[m->metric];
    int64_t ranks = deepest_needed(m, of->most, of->pooled), last = last_of(m);
    bool by_rank = m->metric == RS_RR && (of->tied || m->bound);
    return !(m->bound && (needed & UNBOUNDED)) && !(varies && !has_variance(m->metric)) &&
           (of->pools || !((needed & POOLS) || m->bound)) && (m->gain || !(needed & GAIN)) &&
           (m->points || !(needed & POINTS)) &&
           ((m->q && m->n_q > 0 && m->n_q < SMALL_LABELS) || !(needed & THRESHOLDS)) &&
           (is_deep(m->discount, ranks) || !((needed & DISCOUNT) || by_rank)) &&
           (is_deep(m->weights, m->z && last > ranks ? last : ranks) || !(needed & WEIGHTS));
}

/* ---- one measure ------------------------------------------------------------------------ */

/* The block at hand. */
typedef struct {
    const rs_lists *lists, *pools;
    int64_t n;
} block;

#define RESULTS m->k, m->nk, to->out, to->undecided, to->refused

static const int64_t *ideal_cuts(const rs_measure *m)
{
    return m->k_ideal ? m->k_ideal : m->k;
}

static int64_t values_of_metric(const rs_measure *m, const block *b, const rs_results *to)
{
    const rs_lists *r = b->lists, *J = b->pools;
    int32_t *in_pool = to->in_pool;
    switch (m->metric) {
    case RS_DCG:
        return rs_dcg(r, b->n, m->gain, m->discount, RESULTS);
    case RS_IDCG:
        *in_pool = J != r;
        return rs_idcg(J, b->n, m->gain, m->discount, RESULTS);
    case RS_NDCG:
        return rs_ndcg(r, J, b->n, m->gain, m->discount, ideal_cuts(m), RESULTS, in_pool);
    case RS_LDCG:
        return rs_ldcg(r, b->n, m->gain, m->discount, m->weights, m->z, RESULTS);
    case RS_ILDCG:
        *in_pool = J != r;
        return rs_ildcg(J, b->n, m->gain, m->discount, m->weights, m->z, m->ideal, RESULTS);
    case RS_LNDCG:
        return rs_lndcg(r, J, b->n, m->gain, m->discount, m->weights, m->ideal, RESULTS, in_pool);
    case RS_DCG_PHI:
        return rs_dcg_phi(r, J, b->n, m->points, m->discount, RESULTS, in_pool);
    case RS_NDCG_PHI:
        return rs_ndcg_phi(r, J, b->n, m->points, m->discount, RESULTS, in_pool);
    case RS_PRECISION:
        return rs_precision(r, b->n, m->theta, RESULTS);
    case RS_RECALL:
        return rs_recall(r, J, b->n, m->theta, RESULTS, in_pool);
    case RS_RR:
        return rs_rr(r, b->n, m->theta, m->discount, RESULTS);
    case RS_SP:
        return rs_sp(r, b->n, m->theta, m->discount, RESULTS);
    case RS_AP:
        return rs_ap(r, J, b->n, m->theta, m->norm, m->discount, RESULTS, in_pool);
    case RS_GAP:
        return rs_gap(r, J, b->n, m->q, m->n_q, m->discount, RESULTS, in_pool);
    case RS_ERR:
        return rs_err(r, b->n, m->gain, m->discount, RESULTS);
    case RS_NERR:
        return rs_nerr(r, J, b->n, m->gain, m->discount, RESULTS, in_pool);
    default:
        return rs_rbp(r, b->n, m->theta, m->p, m->discount, RESULTS);
    }
}

/* The bounds of P, R, RR, SP or AP. */
static int64_t bounds_of_indicators(const rs_measure *m, const block *b, const rs_results *to)
{
    return rs_bound_of_precision(b->lists, b->pools, b->n, m->bound, m->worst,
                                 m->metric - RS_PRECISION + RS_OF_P, m->theta, m->norm, m->discount,
                                 RESULTS, to->in_pool);
}

static int64_t values_of_bound(const rs_measure *m, const block *b, const rs_results *to)
{
    const rs_lists *r = b->lists, *J = b->pools;
    const rs_discount *d = m->discount;
    int32_t kind = m->bound, worst = m->worst, *in_pool = to->in_pool;
    bool normalised = m->metric == RS_LNDCG || m->metric == RS_NDCG_PHI || m->metric == RS_NERR;
    switch (m->metric) {
    case RS_DCG:
        return rs_bound_of_dcg(r, J, b->n, kind, worst, m->gain, d, NULL, RESULTS, in_pool);
    case RS_NDCG:
        return rs_bound_of_dcg(r, J, b->n, kind, worst, m->gain, d, ideal_cuts(m), RESULTS,
                               in_pool);
    case RS_LDCG:
    case RS_LNDCG:
        return rs_bound_of_ldcg(r, J, b->n, kind, worst, normalised, m->gain, d, m->weights, m->z,
                                normalised ? m->ideal : RS_IDEAL_TRUE, RESULTS, in_pool);
    case RS_DCG_PHI:
    case RS_NDCG_PHI:
        return rs_bound_of_dcg_phi(r, J, b->n, kind, worst, normalised, m->points, d, RESULTS,
                                   in_pool);
    case RS_GAP:
        return rs_bound_of_gap(r, J, b->n, kind, worst, m->q, m->n_q, d, RESULTS, in_pool);
    case RS_ERR:
    case RS_NERR:
        return rs_bound_of_err(r, J, b->n, kind, worst, normalised, m->gain, d, RESULTS, in_pool);
    case RS_RBP:
        return rs_bound_of_rbp(r, J, b->n, kind, worst, m->theta, m->p, d, RESULTS, in_pool);
    default:
        return bounds_of_indicators(m, b, to);
    }
}

/* ---- blocks ------------------------------------------------------------------------------ */

enum { LABELS_OF_A_BLOCK = 1 << 16 };

/* Lists begin to end of a batch, read once for all measures. base: how far positions in them lie
 * behind those of the batch. */
typedef struct {
    gain_table any;
    uint8_t *bytes;
    int64_t *offsets;
    int64_t base;
    rs_lists lists;
} reading_block;

/* The lists from `begin` on as bytes where all their labels are such, else as they are. */
static void read_block(reading_block *x, const rs_lists *given, int64_t begin, int64_t end)
{
    x->base = 0;
    x->lists = *given;
    x->lists.offsets += begin;
    if (given->type == RS_U8 || !x->bytes)
        return;
    int64_t first = given->offsets[begin], n = given->offsets[end] - first;
    label_list r;
    if (rs_read_labels(rs_label_at(given->labels, given->type, first), given->type, n, &x->any,
                       x->bytes, &r) >= 0 ||
        r.small != x->bytes)
        return;
    for (int64_t a = begin; a <= end; a++)
        x->offsets[a - begin] = given->offsets[a] - first;
    x->base = first;
    x->lists.labels = x->bytes;
    x->lists.offsets = x->offsets;
    x->lists.starts = given->starts ? given->starts + first : NULL;
    x->lists.type = RS_U8;
}

static int64_t labels_of(const rs_lists *lists, int64_t begin, int64_t end)
{
    return lists ? lists->offsets[end] - lists->offsets[begin] : 0;
}

/* Where the block that begins there ends: with the list that fills it. One measure has one block. */
static int64_t end_of_block(const rs_lists *lists, const rs_lists *pools, int64_t begin, int64_t n,
                            int64_t m)
{
    int64_t end = m > 1 ? begin + 1 : n;
    while (end < n && labels_of(lists, begin, end) < LABELS_OF_A_BLOCK &&
           labels_of(pools, begin, end) < LABELS_OF_A_BLOCK)
        end++;
    return end;
}

/* The values of all measures of a block that begins with list `begin`. */
static int64_t values_of_block(const block *b, int64_t begin, const rs_measure *measures, int64_t m,
                               const rs_column *to, rs_trouble *trouble)
{
    int64_t open = 0;
    for (int64_t i = 0; i < m; i++) {
        int64_t cell = begin * measures[i].nk;
        const rs_results own = {to[i].out + cell, to[i].undecided + cell, &trouble->position,
                                &trouble->in_pool};
        int64_t found = measures[i].bound ? values_of_bound(&measures[i], b, &own)
                                          : values_of_metric(&measures[i], b, &own);
        trouble->measure = i;
        if (found < 0)
            return found;
        open += found;
    }
    return open;
}

/* Room to read the blocks of a batch as bytes; none where that would bring nothing. */
static void room_for_blocks(reading_block *x, const rs_lists *lists, int64_t n, int64_t longest,
                            int64_t m, rs_rooms *rooms)
{
    static const rs_gain linear = {.kind = RS_LINEAR}; /* the table keeps pointing to it */
    rs_gain_table(&linear, &x->any);
    if (!lists || lists->type == RS_U8 || m < 2)
        return;
    x->bytes = rs_room(rooms, LABELS_OF_A_BLOCK + longest, 1);
    x->offsets = rs_room(rooms, n, sizeof *x->offsets);
}

static int64_t misused(rs_trouble *trouble, int64_t measure)
{
    *trouble = (rs_trouble){.measure = measure, .position = -1};
    return RS_MISUSED;
}

int64_t rs_values(const rs_lists *lists, const rs_lists *pools, int64_t n,
                  const rs_measure *measures, int64_t m, const rs_column *to, rs_trouble *trouble)
{
    RS_STANDARD_ARITHMETIC;
    int64_t longest = rs_longest_of(lists, pools, n), open = 0;
    const kind_of_batch of = {lists->starts, pools, longest, rs_longest(pools, n)};
    *trouble = (rs_trouble){.position = -1};
    for (int64_t i = 0; i < m; i++)
        if (!is_measure(&measures[i], &of))
            return misused(trouble, i);
    rs_rooms rooms = {0};
    reading_block shown = {0}, judged = {0};
    room_for_blocks(&shown, lists, n, longest, m, &rooms);
    room_for_blocks(&judged, pools == lists ? NULL : pools, n, longest, m, &rooms);
    if (rooms.lacking)
        open = RS_NO_MEMORY;
    for (int64_t begin = 0; begin < n && open >= 0;) {
        int64_t end = end_of_block(lists, pools, begin, n, m);
        read_block(&shown, lists, begin, end);
        if (pools && pools != lists)
            read_block(&judged, pools, begin, end);
        const block b = {.lists = &shown.lists, .n = end - begin,
                         .pools = pools == lists ? &shown.lists : pools ? &judged.lists : NULL};
        int64_t found = values_of_block(&b, begin, measures, m, to, trouble);
        if (found == RS_REFUSED)
            trouble->position += trouble->in_pool ? judged.base : shown.base;
        open = found < 0 ? found : open + found;
        begin = end;
    }
    rs_leave(&rooms);
    return open;
}

/* ---- sessions ---------------------------------------------------------------------------- */

/* The most of what n sessions hold. */
typedef struct {
    int64_t queries, list, session, pool;
} most_of;

static int64_t greater(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static most_of most_of_sessions(const rs_sessions *sessions, const rs_lists *pools, int64_t n)
{
    most_of most = {.session = rs_longest_session(sessions, n), .pool = rs_longest(pools, n)};
    for (int64_t s = 0; s < n; s++)
        most.queries = greater(most.queries, sessions->sessions[s + 1] - sessions->sessions[s]);
    if (n > 0) {
        rs_lists lists = *sessions->lists;
        lists.offsets += sessions->sessions[0];
        most.list = rs_longest(&lists, sessions->sessions[n] - sessions->sessions[0]);
    }
    return most;
}

/* Whether a measure of sessions has all that it needs; without pools a session is its own. */
static bool is_of_sessions(const rs_measure *m, const most_of *most, bool pools)
{
    if (!is_cut(m) || m->metric < RS_SDCG || m->metric >= RS_METRICS_OF_SESSIONS || m->bound ||
        !m->gain)
        return false;
    int64_t pooled = !rs_is_pooled(m->metric) ? 0 : pools ? most->pool : most->session;
    return is_deep(m->discount, deepest_needed(m, greater(most->list, pooled), 0)) &&
           (m->metric == RS_QUERY_NDCG || is_deep(m->weights, most->queries));
}

int64_t rs_values_of_sessions(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                              const rs_measure *measures, int64_t m, const rs_column *to,
                              rs_trouble *trouble)
{
    RS_STANDARD_ARITHMETIC;
    const most_of most = most_of_sessions(sessions, pools, n);
    int64_t open = 0;
    *trouble = (rs_trouble){.position = -1};
    for (int64_t i = 0; i < m; i++)
        if (!is_of_sessions(&measures[i], &most, pools != NULL))
            return misused(trouble, i);
    for (int64_t i = 0; i < m && open >= 0; i++) {
        const rs_measure *by = &measures[i];
        trouble->measure = i;
        int64_t found = rs_session_values(sessions, pools, n, by, by->k, by->nk, to[i].out,
                                          to[i].undecided, &trouble->position, &trouble->in_pool);
        open = found < 0 ? found : open + found;
    }
    return open;
}
