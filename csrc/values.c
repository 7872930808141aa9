/* One way in: measures of lists, and of sessions. Spec: RS-NUM-6, RS-NUM-7.
 *
 * A measure is looked up once a block of lists, and its own function goes through the block: no
 * list costs a choice. Where there are several measures, the labels of a block are read once, and
 * are still near the processor for those that follow.
 */
#include <math.h> /* NAN */

#include "batch.h"
#include "gain.h"
#include "metrics.h"
#include "session.h"

/* The metrics, chapter by chapter. */
static const rs_metric *const chapters[] = {rs_metrics_of_dcg, rs_metrics_of_length,
                                            rs_metrics_of_relevance, rs_metrics_of_precision,
#ifndef RS_FEWER_METRICS
                                            rs_metrics_of_attention, rs_metrics_of_overlap,
#endif
                                            rs_metrics_of_cascade, rs_metrics_of_users,
                                            rs_metrics_of_utility};
enum { CHAPTERS = sizeof chapters / sizeof *chapters };

/* The metric of a measure, or NULL: there is no such metric of lists. */
static const rs_metric *metric_of(const rs_measure *m)
{
    const rs_metric *found = NULL;
    for (int c = 0; c < CHAPTERS && !found; c++)
        found = rs_metric_in(chapters[c], m->metric);
    return found;
}

/* ---- what a measure needs --------------------------------------------------------------- */

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

/* The deepest rank that counts, of lists and pools of at most `most` items; ideal: of pools of at
 * most so many, which k_ideal cuts. */
static int64_t deepest_needed(const rs_measure *m, int64_t most, int64_t ideal)
{
    int64_t deepest = rs_min(most, m->k[m->nk - 1]);
    int64_t of_ideal = m->k_ideal ? rs_min(ideal, m->k_ideal[m->nk - 1]) : 0;
    return of_ideal > deepest ? of_ideal : deepest;
}

/* The last cut-off that is not the whole list: as deep as Z(M, 1) needs the weights. */
static int64_t last_of(const rs_measure *m)
{
    int64_t last = 0;
    for (int64_t j = 0; j < m->nk; j++)
        last = m->k[j] == RS_WHOLE ? last : m->k[j];
    return last;
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

/* Whether a metric has the bound that is asked for, if any. */
static bool has_bound(const rs_metric *metric, int32_t bound)
{
    if (bound == RS_NO_BOUND)
        return true;
    bool varies = bound == RS_VARIANCE || bound == RS_Z_VALUE;
    return bound > RS_NO_BOUND && bound <= RS_Z_VALUE && metric->bounds &&
           (metric->varies || !varies);
}

/* Whether the discounts and the weights of a measure are as deep as they must be. */
static bool is_deep_enough(const rs_measure *m, int32_t needs, const kind_of_batch *of)
{
    int64_t pooled = needs & RS_NEEDS_DISCOUNT_OF_IDEAL ? of->pooled : 0, last = last_of(m);
    int64_t ranks = deepest_needed(m, of->most, pooled);
    bool perfect = (needs & RS_NEEDS_DISCOUNT_OF_IDEAL) && m->ideal == RS_IDEAL_PERFECT;
    if (perfect && last > ranks)
        ranks = last;
    bool by_ties = (needs & RS_NEEDS_DISCOUNT_OF_TIES) && (of->tied || m->bound);
    return (is_deep(m->discount, ranks) || !((needs & RS_NEEDS_DISCOUNT) || by_ties)) &&
           (is_deep(m->weights, m->z && last > ranks ? last : ranks) ||
            !(needs & RS_NEEDS_WEIGHTS));
}

/* Whether a measure has all that it needs. */
static bool is_measure(const rs_measure *m, const kind_of_batch *of)
{
    const rs_metric *metric = is_cut(m) ? metric_of(m) : NULL;
    if (!metric || !has_bound(metric, m->bound))
        return false;
    int32_t needs = metric->needs;
    bool thresholds = m->q && m->n_q > 0 && m->n_q < SMALL_LABELS;
    return (of->pools || !((needs & RS_NEEDS_POOLS) || m->bound)) &&
           (m->gain || !(needs & RS_NEEDS_GAIN)) && (m->points || !(needs & RS_NEEDS_POINTS)) &&
           (thresholds || !(needs & RS_NEEDS_THRESHOLDS)) && is_deep_enough(m, needs, of);
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
    x->lists = rs_known_lists(given);
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
    x->lists.unjudged = x->lists.unjudged ? x->lists.unjudged + first : NULL;
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
static int64_t values_of_block(const rs_block *b, int64_t begin, const rs_measure *measures,
                               int64_t m, const rs_column *to, rs_trouble *trouble)
{
    int64_t open = 0;
    for (int64_t i = 0; i < m; i++) {
        const rs_metric *metric = metric_of(&measures[i]);
        rs_values_of *values = measures[i].bound ? metric->bounds : metric->values;
        int64_t cell = begin * measures[i].nk;
        const rs_results own = {to[i].out + cell, to[i].undecided + cell, &trouble->position,
                                &trouble->in_pool};
        int64_t found = values(&measures[i], b, &own);
        trouble->measure = i;
        if (found < 0)
            return found;
        open += found;
    }
    return open;
}

/* Room to read the blocks of a batch as bytes; none where that would bring nothing: then no table is
 * made, which takes longer than a short list. */
static void room_for_blocks(reading_block *x, const rs_lists *lists, int64_t n, int64_t longest,
                            int64_t m, rs_rooms *rooms)
{
    static const rs_gain linear = {.kind = RS_LINEAR}; /* the table keeps pointing to it */
    x->bytes = NULL;
    if (!lists || lists->type == RS_U8 || m < 2)
        return;
    rs_gain_table(&linear, &x->any);
    x->bytes = rs_room(rooms, LABELS_OF_A_BLOCK + longest, 1);
    x->offsets = rs_room(rooms, n, sizeof *x->offsets);
}

static int64_t misused(rs_trouble *trouble, int64_t measure)
{
    *trouble = (rs_trouble){.measure = measure, .position = -1};
    return RS_MISUSED;
}

/* rs_values() of lists and pools of at most so many labels. */
static int64_t values_of_lists(const rs_lists *lists, const rs_lists *pools, int64_t n,
                               int64_t longest, const rs_measure *measures, int64_t m,
                               const rs_column *to, rs_trouble *trouble)
{
    int64_t open = 0;
    const int64_t pooled = pools == lists ? longest : rs_longest(pools, n);
    const kind_of_batch of = {lists->starts, pools, longest, pooled};
    *trouble = (rs_trouble){.position = -1};
    for (int64_t i = 0; i < m; i++)
        if (!is_measure(&measures[i], &of))
            return misused(trouble, i);
    rs_rooms rooms = {0};
    reading_block shown, judged;
    room_for_blocks(&shown, lists, n, longest, m, &rooms);
    room_for_blocks(&judged, pools == lists ? NULL : pools, n, longest, m, &rooms);
    if (rooms.lacking)
        open = RS_NO_MEMORY;
    for (int64_t begin = 0; begin < n && open >= 0;) {
        int64_t end = end_of_block(lists, pools, begin, n, m);
        read_block(&shown, lists, begin, end);
        if (pools && pools != lists)
            read_block(&judged, pools, begin, end);
        const rs_block b = {.lists = &shown.lists, .n = end - begin,
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

static int64_t values_of_many(const rs_lists *lists, const rs_lists *pools, int64_t n,
                              int64_t longest, const rs_measure *measures, int64_t m,
                              const rs_column *to, rs_trouble *trouble)
{
    RS_STOPPABLE(RS_STOPPED);
    return values_of_lists(lists, pools, n, longest, measures, m, to, trouble);
}

int64_t rs_values(const rs_lists *lists, const rs_lists *pools, int64_t n,
                  const rs_measure *measures, int64_t m, const rs_column *to, rs_trouble *trouble)
{
    RS_STANDARD_ARITHMETIC;
    int64_t longest = rs_longest_of(lists, pools, n);
    if (n <= RS_STRIDE && longest <= RS_STRIDE) /* a few short lists need no place to go back to */
        return values_of_lists(lists, pools, n, longest, measures, m, to, trouble);
    return values_of_many(lists, pools, n, longest, measures, m, to, trouble);
}

/* The value of a measure of one list; NaN where the core has none. */
static double value_of_one(const rs_measure *m, const rs_lists *list, const rs_lists *pool)
{
    double value;
    uint8_t undecided;
    rs_trouble trouble;
    int64_t open = rs_values(list, pool, 1, m, 1, &(rs_column){&value, &undecided}, &trouble);
    return open == 0 ? value : NAN;
}

double rs_value_of_list(const rs_measure *m, const uint8_t *labels, int64_t n)
{
    RS_STANDARD_ARITHMETIC;
    const int64_t offsets[] = {0, n};
    const rs_lists list = {.labels = labels, .offsets = offsets, .type = RS_U8, .size = sizeof list};
    return value_of_one(m, &list, &list);
}

double rs_value_of_judged_list(const rs_measure *m, const uint8_t *labels, int64_t n,
                               const uint8_t *judged, int64_t n_judged)
{
    RS_STANDARD_ARITHMETIC;
    const int64_t offsets[] = {0, n}, of_pool[] = {0, n_judged};
    const rs_lists list = {.labels = labels, .offsets = offsets, .type = RS_U8, .size = sizeof list};
    const rs_lists pool = {.labels = judged, .offsets = of_pool, .type = RS_U8};
    return value_of_one(m, &list, &pool);
}

/* Puts a list in the order of its scores, its labels and starts in rooms; false: it has none. */
static bool take_scores(rs_lists *list, const void *scores, int32_t score_type, int32_t rule,
                        rs_rooms *rooms)
{
    int64_t n = list->offsets[1], length, refused;
    uint8_t *labels = rs_room(rooms, n, 1), *starts = rs_room(rooms, n, 1);
    if (rooms->lacking || rs_first(scores, score_type, list, 1, NULL, rule, RS_WHOLE, labels,
                                   starts, &length, &refused) < 0)
        return false;
    list->labels = labels;
    list->starts = rule == RS_EXPECTED ? starts : NULL;
    return true;
}

double rs_value_of_scored_list(const rs_measure *m, const uint8_t *labels, int64_t n,
                               const void *scores, int32_t score_type, int32_t rule,
                               const uint8_t *judged, int64_t n_judged)
{
    RS_STANDARD_ARITHMETIC;
    const int64_t offsets[] = {0, n}, of_pool[] = {0, n_judged};
    rs_lists list = {.labels = labels, .offsets = offsets, .type = RS_U8, .size = sizeof list};
    const rs_lists pool = {.labels = judged, .offsets = of_pool, .type = RS_U8};
    rs_rooms rooms = {0};
    uint8_t open;
    double value = NAN;
    if ((!judged || rs_uncovered(&list, 1, &pool, 1, NULL, &open) == 0) &&
        (!scores || take_scores(&list, scores, score_type, rule, &rooms)))
        value = value_of_one(m, &list, judged ? &pool : &list);
    rs_leave(&rooms);
    return value;
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
        rs_lists lists = rs_known_lists(sessions->lists);
        lists.offsets += sessions->sessions[0];
        most.list = rs_longest(&lists, sessions->sessions[n] - sessions->sessions[0]);
    }
    return most;
}

/* Whether a measure of sessions has all that it needs; without pools a session is its own. */
static bool is_of_sessions(const rs_measure *m, const most_of *most, bool pools)
{
    const rs_session_metric *row = is_cut(m) ? rs_session_metric_of(m->metric) : NULL;
    if (!row || m->bound || !m->gain)
        return false;
    int64_t pooled = !row->pooled ? 0 : pools ? most->pool : most->session;
    return is_deep(m->discount, deepest_needed(m, greater(most->list, pooled), 0)) &&
           (!row->weighted || is_deep(m->weights, most->queries));
}

int64_t rs_values_of_sessions(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                              const rs_measure *measures, int64_t m, const rs_column *to,
                              rs_trouble *trouble)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    const most_of most = most_of_sessions(sessions, pools, n);
    int64_t open = 0;
    *trouble = (rs_trouble){.position = -1};
    for (int64_t i = 0; i < m; i++)
        if (!is_of_sessions(&measures[i], &most, pools != NULL))
            return misused(trouble, i);
    for (int64_t i = 0; i < m && open >= 0; i++) {
        const rs_results own = {to[i].out, to[i].undecided, &trouble->position, &trouble->in_pool};
        trouble->measure = i;
        int64_t found = rs_session_values(sessions, pools, n, &measures[i], &own);
        open = found < 0 ? found : open + found;
    }
    return open;
}
