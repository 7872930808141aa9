/* Sessions: sDCG, its ideal and what is made of the two. Spec: chapter "session".
 *
 * A session is a run of lists, those of its queries. DCG of each query is a number with a slack;
 * times D(q) it is one again (RS-NUM-22), and so are sums. Gains come in units: small labels have
 * whole gains, others are in fixed point (RS-NUM-6, RS-NUM-8).
 */
#include "session.h"

#include "batch.h"
#include "dcg.h"
#include "ids.h"

#include <string.h>

enum { MOST_GAINS = 1 << 30 }; /* of one list in units: sums with D(q) d(i) stay below 2^126 */

/* Gains of which all are whole numbers (small), or in units of 2^(top - 96). */
typedef struct {
    wide_gain *gains;
    bool small;
    int32_t top;
} units;

/* A query, how many of its ranks have been taken, and the weight of the next one. */
typedef struct {
    u128 weight;
    int64_t q, taken;
} weighted_query;

/* Sessions at work: what all share, and the one at hand.
 * offsets: of the lists of its m queries; n: how many results these have, the longest of them
 * longest; r: their labels; documents: of the results
 * given: their gains; shown: those that count where a document comes again, or the same
 * least: the least rank that the document was shown at before; reach: the same, this time included;
 * last: whether it is not shown again
 * pool: its labels; ideal: their gains, falling; count, highest: how often small labels occur
 * dcg: of query q at cut-off j: dcg[q nk + j]
 * heap: queries that have ranks left, by the weights of these
 * kept, bytes, slots: room for the labels of the pool, for labels as bytes, and for a hash table */
typedef struct {
    const rs_measure *by;
    gain_table g;
    const rs_discount *d, *D;
    const int64_t *k;
    int64_t nk;
    bool pooled, arrays;

    const int64_t *offsets, *documents;
    int64_t m, n, longest;
    label_list r, pool;
    units given, ideal;
    wide_gain *shown;
    int64_t *least, *reach;
    weighted_query *heap;
    uint8_t *last, *bytes, *pool_bytes, *kept;
    int32_t *slots;
    int64_t count[SMALL_LABELS];
    int highest;
    rs_number *dcg;
} session;

static int64_t results_of(const session *x, int64_t q)
{
    return x->offsets[q + 1] - x->offsets[q];
}

/* Where the results of query q begin among those of the session. */
static int64_t begin_of(const session *x, int64_t q)
{
    return x->offsets[q] - x->offsets[0];
}

/* ---- which documents come again ----------------------------------------------------- */

static int64_t slots_for(int64_t n)
{
    int64_t size = 4;
    while (size < 2 * n)
        size *= 2;
    return size;
}

/* The slot of document p, or the empty one where it would be. */
static int32_t *slot_of(const int64_t *documents, int64_t p, int32_t *slots, int64_t size)
{
    int64_t slot = (int64_t)(rs_hash_of_number(documents[p]) & (uint64_t)(size - 1));
    while (slots[slot] >= 0 && documents[slots[slot]] != documents[p])
        slot = (slot + 1) & (size - 1);
    return &slots[slot];
}

/* Where each document was shown before: the least rank tells at which cut-offs t > 1. RS-SES-1 */
static void appearances(session *x)
{
    int64_t size = slots_for(x->n);
    memset(x->slots, -1, (size_t)size * sizeof *x->slots);
    for (int64_t q = 0; q < x->m; q++) {
        int64_t begin = begin_of(x, q);
        for (int64_t i = 0; i < results_of(x, q); i++) {
            int64_t p = begin + i;
            int32_t *slot = slot_of(x->documents, p, x->slots, size);
            x->least[p] = *slot < 0 ? RS_WHOLE : x->reach[*slot];
            x->reach[p] = rs_min(x->least[p], i + 1);
            x->last[p] = 1;
            if (*slot >= 0)
                x->last[*slot] = 0;
            *slot = (int32_t)p;
        }
    }
}

/* The position of the first result whose document has another label where the session showed it
 * first, or -1; *first: that place. RS-SES-22 */
int64_t rs_contradiction(const rs_sessions *sessions, int64_t n, int64_t *first)
{
    RS_STANDARD_ARITHMETIC;
    const rs_lists *lists = sessions->lists;
    int64_t size = slots_for(rs_longest_session(sessions, n)), found = -1;
    int32_t *slots = rs_allocate(size, sizeof *slots);
    if (!slots)
        return RS_NO_MEMORY;
    RS_STOPPABLE(RS_STOPPED);
    rs_when_stopped(free, slots);
    for (int64_t s = 0; s < n && found < 0; s++) {
        int64_t begin = lists->offsets[sessions->sessions[s]];
        int64_t end = lists->offsets[sessions->sessions[s + 1]];
        size = slots_for(end - begin);
        memset(slots, -1, (size_t)size * sizeof *slots);
        for (int64_t p = begin; p < end && found < 0; p++) {
            rs_pause_at(p, p + 1, 30);
            int32_t *slot = slot_of(sessions->documents + begin, p - begin, slots, size);
            if (*slot < 0) {
                *slot = (int32_t)(p - begin);
                continue;
            }
            *first = begin + *slot;
            double known = rs_label_value(lists->labels, lists->type, *first);
            if (known == known && rs_label_key(lists->labels, lists->type, *first) !=
                                      rs_label_key(lists->labels, lists->type, p))
                found = p;
        }
    }
    free(slots);
    return found;
}

/* ---- gains -------------------------------------------------------------------------- */

/* Whether so many of these labels are small, and the sum of their gains is. RS-NUM-22 */
static bool fits(const label_list *r, const gain_table *g, u128 ranks)
{
    if (r->n == 0)
        return true;
    return r->small && g->small[r->top] != NO_SMALL_GAIN && g->small[r->top] * ranks < MOST_GAINS;
}

/* The gains of all results; false where one is lost. */
static bool take_gains(session *x)
{
    units *u = &x->given;
    if (!u->small)
        return rs_wide_gains(&x->r, &x->g, u->gains, &u->top);
    for (int64_t p = 0; p < x->n; p++)
        u->gains[p] = x->g.small[x->r.small[p]];
    return true;
}

/* G_q[i] for i <= X, with delta = 0 or 1. RS-SES-2 */
static const wide_gain *gains(session *x, int64_t X)
{
    if (!x->by->first)
        return x->given.gains;
    for (int64_t p = 0; p < x->n; p++)
        x->shown[p] = x->least[p] > X || x->least[p] == RS_WHOLE ? x->given.gains[p] : 0;
    return x->shown;
}

static rs_number nothing(const units *u, const rs_discount *d)
{
    return (rs_number){.exponent = d->exponent + (u->small ? 0 : u->top)};
}

/* Adds to x the gain at rank i. RS-NUM-6, RS-NUM-8 */
static inline void add_rank(rs_number *x, wide_gain gain, int64_t i, const units *u,
                            const rs_discount *d)
{
    if (gain == 0)
        return;
    u128 D_i = rs_discount_at(d, i);
    x->low += u->small ? gain * D_i : rs_wide_product(gain, D_i);
    x->slack += u->small ? gain * d->unit : 3 + (u128)d->unit;
}

/* The gain of each of n ranks times its discount. */
static rs_number dcg_in_units(const wide_gain *G, int64_t n, const units *u, const rs_discount *d)
{
    rs_number dcg = nothing(u, d);
    for (int64_t i = 1; i <= n; i++)
        add_rank(&dcg, G[i - 1], i, u, d);
    return dcg;
}

/* D(q) x, for x below 2^127 of its units. RS-SES-3, RS-NUM-22 */
static inline rs_number sdcg_of_query(const rs_number *x, int64_t q, const rs_discount *D)
{
    u128 D_q = rs_discount_at(D, q + 1);
    rs_number y = {.low = rs_wide_product(D_q, x->low), .exponent = x->exponent + D->exponent + 96};
    if ((x->low | x->slack) == 0 || (D_q | D->unit) == 0)
        return y;
    y.slack = x->slack;
    if (D->unit)
        y.slack += (((x->low >> 64) + 1) * D->unit >> 32) + 2;
    else if (x->slack || x->low * D_q << 32)
        y.slack += 1;
    return y;
}

/* How many ranks query q has. RS-SES-4 */
static int64_t ranks(const session *x, int64_t q, int64_t X)
{
    int64_t results = results_of(x, q), c = x->by->padding;
    return rs_min(X, results > c ? results : c);
}

/* The paper's X for the cut-off k. */
static int64_t depth(const session *x, int64_t k)
{
    if (k != RS_WHOLE)
        return k;
    return x->pooled && x->pool.n > x->longest ? x->pool.n : x->longest;
}

/* The session's vector as it is cumulated, rank by rank: what the queries before have gained, and
 * the one at hand. */
typedef struct {
    const units *u;
    const wide_gain *gains;
    int64_t n;
    rs_number before, dcg;
} running;

static void begin_query(running *v, const wide_gain *gains, int64_t n, const rs_discount *d)
{
    v->gains = gains;
    v->n = n;
    v->dcg = nothing(v->u, d);
}

/* The component at rank i of query q. RS-SES-5 */
static rs_number sdcg_vector(running *v, int64_t q, int64_t i, const session *x)
{
    if (i <= v->n)
        add_rank(&v->dcg, v->gains[i - 1], i, v->u, x->d);
    rs_number own = sdcg_of_query(&v->dcg, q, x->D);
    return rs_sum(&v->before, &own);
}

static void end_query(running *v, int64_t q, const session *x)
{
    rs_number own = sdcg_of_query(&v->dcg, q, x->D);
    v->before = rs_sum(&v->before, &own);
}

/* The sum of D(q) DCG over the first queries, whose DCG stand `stride` apart. RS-SES-6 */
static inline rs_number sdcg(const rs_number *dcg, int64_t stride, int64_t queries,
                             const rs_discount *D)
{
    rs_number sum = {0};
    for (int64_t q = 0; q < queries; q++) {
        rs_number own = sdcg_of_query(&dcg[q * stride], q, D);
        sum.low += own.low;
        sum.slack += own.slack;
        sum.exponent = own.exponent;
    }
    return sum;
}

/* ---- the ideal session -------------------------------------------------------------- */

/* The labels of a pool by their gains, falling, or where `each` is not needed their counts; false
 * where a gain is lost. */
static bool take_ideal(session *x, bool each)
{
    units *u = &x->ideal;
    const label_list *J = &x->pool;
    u->small = fits(J, &x->g, (u128)J->n);
    if (!u->small)
        return J->n < MOST_GAINS && rs_ideal_gains(J, &x->g, u->gains, &u->top);
    x->highest = rs_count_labels(J->small, J->n, x->count);
    if (!each)
        return true;
    int64_t p = 0;
    for (int label = x->highest; label > 0; label--)
        for (int64_t c = 0; c < x->count[label]; c++)
            u->gains[p++] = x->g.small[label];
    while (p < J->n)
        u->gains[p++] = x->g.small[0];
    return true;
}

static rs_number idcg_at(const session *x, int64_t L)
{
    rs_number idcg;
    if (x->ideal.small)
        rs_idcg_of_counts(x->count, x->highest, x->pool.n, &x->g, x->d, &L, 1, &idcg);
    else
        rs_dcg_wide(x->ideal.gains, x->pool.n, x->ideal.top, x->d, &L, 1, &idcg);
    return idcg;
}

/* What sums over the queries of the ideal session begin with. */
static rs_number nothing_ideal(const session *x)
{
    rs_number sum = nothing(&x->ideal, x->d);
    sum.exponent += x->D->exponent + 96;
    return sum;
}

/* The sum of D(q) IDCG@L_q, which has no bound as the items are repeated. RS-SES-7 */
static rs_number repeated_ideal(const session *x, int64_t X)
{
    rs_number sum = nothing_ideal(x), idcg = sum;
    for (int64_t q = 0, L = 0; q < x->m; q++) {
        int64_t own_ranks = ranks(x, q, X);
        if (q == 0 || own_ranks != L)
            idcg = idcg_at(x, L = own_ranks);
        rs_number own = sdcg_of_query(&idcg, q, x->D);
        sum = rs_sum(&sum, &own);
    }
    return sum;
}

/* Where in the ideal list query q begins, and how many of it are left for it. */
static const wide_gain *ideal_of_query(const session *x, int64_t q, int64_t X, int64_t *begin,
                                       int64_t *n)
{
    bool spread = x->by->ideal == RS_SPREAD;
    if (q == 0 || !spread)
        *begin = 0;
    const wide_gain *from = x->ideal.gains + *begin;
    *n = rs_min(ranks(x, q, X), x->pool.n - *begin);
    *begin += *n;
    return from;
}

/* RS-SES-8 */
static rs_number spread_ideal(const session *x, int64_t X)
{
    rs_number sum = nothing_ideal(x);
    for (int64_t q = 0, begin = 0, n; q < x->m; q++) {
        const wide_gain *from = ideal_of_query(x, q, X, &begin, &n);
        rs_number dcg = dcg_in_units(from, n, &x->ideal, x->d);
        rs_number own = sdcg_of_query(&dcg, q, x->D);
        sum.low += own.low;
        sum.slack += own.slack;
    }
    return sum;
}

static u128 weight(const session *x, int64_t q, int64_t i)
{
    return rs_wide_product(rs_discount_at(x->D, q + 1), rs_discount_at(x->d, i));
}

/* Moves the query at the root of a heap of n down to its place. */
static void sift_down(weighted_query *heap, int64_t n)
{
    weighted_query moved = heap[0];
    int64_t at = 0;
    for (int64_t child = 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && heap[child + 1].weight > heap[child].weight)
            child++;
        if (heap[child].weight <= moved.weight)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Adds the first rank of query q to a heap of n. */
static void sift_up(weighted_query *heap, int64_t n, const session *x, int64_t q)
{
    weighted_query added = {.weight = weight(x, q, 1), .q = q};
    int64_t at = n;
    for (int64_t parent; at > 0 && heap[parent = (at - 1) / 2].weight < added.weight; at = parent)
        heap[at] = heap[parent];
    heap[at] = added;
}

/* The first query from q on that has ranks, or m. */
static int64_t query_with_ranks(const session *x, int64_t q, int64_t X)
{
    while (q < x->m && ranks(x, q, X) == 0)
        q++;
    return q;
}

/* The best items where D(q) d(i) is greatest, by what is computed of it, which falls with i, and at
 * rank 1 with q: the heap gets a query when the one before it has shown something. RS-SES-9,
 * RS-NUM-23 */
static rs_number greatest_ideal(const session *x, int64_t X)
{
    const u128 lack = 1 + (u128)x->d->unit + x->D->unit;
    const units *u = &x->ideal;
    rs_number sum = nothing_ideal(x);
    int64_t n = 0, newest = query_with_ranks(x, 0, X);
    if (newest < x->m)
        sift_up(x->heap, n++, x, newest);
    for (int64_t p = 0; p < x->pool.n && u->gains[p] && n > 0; p++) {
        u128 w = x->heap[0].weight;
        int64_t q = x->heap[0].q, taken = ++x->heap[0].taken;
        sum.low += u->small ? u->gains[p] * w : rs_wide_product(u->gains[p], w);
        sum.slack += u->small ? u->gains[p] * lack : 3 + lack;
        if (taken < ranks(x, q, X))
            x->heap[0].weight = weight(x, q, taken + 1);
        else
            x->heap[0] = x->heap[--n];
        if (n > 0)
            sift_down(x->heap, n);
        if (q == newest && taken == 1 && (newest = query_with_ranks(x, q + 1, X)) < x->m)
            sift_up(x->heap, n++, x, newest);
    }
    return sum;
}

/* RS-SES-10 */
static rs_number isdcg(const session *x, int64_t X)
{
    switch ((enum rs_session_ideal)x->by->ideal) {
    case RS_REPEATED:
        return repeated_ideal(x, X);
    case RS_SPREAD:
        return spread_ideal(x, X);
    case RS_GREATEST:
        break;
    }
    return greatest_ideal(x, X);
}

/* ---- what is made of them ----------------------------------------------------------- */

/* x / y, of 120 bits; false where too little is known of it. RS-NUM-24 */
static bool quotient(const rs_number *x, const rs_number *y, rs_number *found)
{
    *found = rs_integer(0);
    if ((x->low | x->slack) == 0 || (y->low | y->slack) == 0)
        return true;
    if (x->low == 0 || y->low == 0)
        return false;
    double lack = (double)x->slack / (double)x->low + (double)y->slack / (double)y->low;
    if (lack > 0x1p-40)
        return false;
    rs_float above = rs_float_of(x->low, x->exponent), below = rs_float_of(y->low, y->exponent);
    rs_float middle = rs_times(above, rs_inverse(below));
    u128 margin = (u128)(lack * 0x1.01p120) + 3;
    *found = (rs_number){.low = (middle.mantissa >> 8) - margin,
                         .slack = 2 * margin,
                         .exponent = middle.exponent + 8};
    return true;
}

/* RS-SES-11 */
static bool nsdcg(const rs_number *sDCG, const rs_number *IsDCG, double *out)
{
    return rs_round_quotient(sDCG, IsDCG, out);
}

/* RS-SES-12 */
static bool sdcg_per_query(const rs_number *sDCG, int64_t m, double *out)
{
    rs_number queries = rs_integer((uint64_t)m);
    return rs_round_quotient(sDCG, &queries, out);
}

/* How many ranks the session has, or -1 where that is beyond all bounds. */
static int64_t length_of_vector(const session *x, int64_t X)
{
    const int64_t most = (int64_t)1 << 50;
    int64_t total = 0;
    for (int64_t q = 0; q < x->m; q++) {
        int64_t own = ranks(x, q, X);
        if (own > most - total)
            return -1;
        total += own;
    }
    return total;
}

/* avg-pos(V): what a query gains counts at each rank from there on; at its own ranks as it is
 * cumulated, at those behind its results as a whole. RS-SES-13, RS-NUM-24 */
static bool average_sdcg(session *x, int64_t X, double *out)
{
    int64_t total = length_of_vector(x, X), behind = total;
    if (total < 0)
        return false;
    const wide_gain *G = gains(x, X);
    rs_number sum = rs_integer(0), ranks_in_all = rs_integer((uint64_t)total);
    for (int64_t q = 0; q < x->m; q++) {
        int64_t shown = rs_min(results_of(x, q), X);
        const wide_gain *own = G + begin_of(x, q);
        u128 most = (u128)shown * (u128)shown;
        if (most * (x->given.small ? x->g.small[x->r.top] : 1) >= MOST_GAINS)
            return false;
        rs_number dcg = nothing(&x->given, x->d), cumulated = dcg;
        for (int64_t i = 1; i <= shown; i++) {
            add_rank(&dcg, own[i - 1], i, &x->given, x->d);
            cumulated.low += dcg.low;
            cumulated.slack += dcg.slack;
        }
        rs_number rest = rs_integer((uint64_t)(behind - shown));
        behind -= ranks(x, q, X);
        dcg = sdcg_of_query(&dcg, q, x->D);
        cumulated = sdcg_of_query(&cumulated, q, x->D);
        rest = rs_product(&dcg, &rest);
        if (rest.slack >> 126)
            return false; /* nothing is known of it */
        sum = rs_sum(&sum, &cumulated);
        sum = rs_sum(&sum, &rest);
    }
    return rs_round_quotient(&sum, &ranks_in_all, out);
}

/* What is done with the numbers of the two vectors at a rank. */
typedef bool at_rank(const rs_number *V, const rs_number *I, void *to, int64_t p);

/* Goes through the ranks of a session. */
static bool for_each_rank(session *x, int64_t X, bool with_V, at_rank *use, void *to)
{
    const wide_gain *G = with_V ? gains(x, X) : NULL;
    running V = {.u = &x->given}, I = {.u = &x->ideal};
    rs_number v = rs_integer(1), i_p = rs_integer(1);
    bool known = true;
    int64_t begin = 0, n, p = 0;
    for (int64_t q = 0; q < x->m; q++) {
        if (with_V)
            begin_query(&V, G + begin_of(x, q), results_of(x, q), x->d);
        if (x->pooled) {
            const wide_gain *from = ideal_of_query(x, q, X, &begin, &n);
            begin_query(&I, from, n, x->d);
        }
        int64_t L = ranks(x, q, X);
        for (int64_t i = 1; i <= L; i++) {
            if (with_V)
                v = sdcg_vector(&V, q, i, x);
            if (x->pooled)
                i_p = sdcg_vector(&I, q, i, x);
            known = use(&v, &i_p, to, p++) && known;
        }
        if (with_V)
            end_query(&V, q, x);
        if (x->pooled)
            end_query(&I, q, x);
    }
    return known;
}

static bool add_quotient(const rs_number *V, const rs_number *I, void *to, int64_t p)
{
    (void)p;
    rs_number own, *sum = to;
    bool known = quotient(V, I, &own);
    *sum = rs_sum(sum, &own);
    return known;
}

/* RS-SES-13, of RS-SES-17 */
static bool average_nsdcg(session *x, int64_t X, double *out)
{
    int64_t total = length_of_vector(x, X);
    if (total < 0 || total >= MOST_GAINS)
        return false;
    rs_number sum = rs_integer(0), ranks_in_all = rs_integer((uint64_t)total);
    return for_each_rank(x, X, true, add_quotient, &sum) &&
           rs_round_quotient(&sum, &ranks_in_all, out);
}

/* DCG of each query at each cut-off. RS-SES-14 */
static void gains_of_queries(session *x)
{
    int64_t nk = x->nk;
    if (!x->arrays) {
        for (int64_t q = 0; q < x->m; q++) {
            label_list own = {.small = x->r.small + begin_of(x, q), .n = results_of(x, q)};
            rs_dcg_small(&own, &x->g, x->d, x->k, nk, &x->dcg[q * nk]);
        }
        return;
    }
    for (int64_t j = 0; j < nk; j++) {
        const wide_gain *G = gains(x, x->k[j]);
        for (int64_t q = 0; q < x->m; q++)
            x->dcg[q * nk + j] = dcg_in_units(G + begin_of(x, q), rs_min(results_of(x, q), x->k[j]),
                                              &x->given, x->d);
    }
}

/* The value of query q is that of two numbers: DCG times D(q), or DCG and IDCG@L_q. RS-SES-15 */
static void value_of_query(const session *x, int64_t q, int64_t j, rs_number *above,
                           rs_number *below)
{
    *above = x->dcg[q * x->nk + j];
    if (x->pooled) {
        *below = idcg_at(x, ranks(x, q, depth(x, x->k[j])));
    } else {
        *above = sdcg_of_query(above, q, x->D);
        *below = rs_integer(1);
    }
}

static bool sum_over_queries(const session *x, int64_t j, int64_t queries, int64_t divisor,
                             double *out)
{
    rs_number sum = rs_integer(0), count = rs_integer((uint64_t)divisor), above, below, own;
    if (!x->pooled) {
        sum = sdcg(x->dcg + j, x->nk, queries, x->D);
        return rs_round_quotient(&sum, &count, out);
    }
    for (int64_t q = 0; q < queries; q++) {
        value_of_query(x, q, j, &above, &below);
        if (!quotient(&above, &below, &own))
            return false;
        sum = rs_sum(&sum, &own);
    }
    return rs_round_quotient(&sum, &count, out);
}

/* The greatest or the least of some queries, and so of one: rounding is monotone. */
static bool extreme_of_queries(const session *x, int64_t j, int64_t begin, int64_t end,
                               bool greatest, double *out)
{
    bool decided = true;
    rs_number above, below;
    *out = 0;
    for (int64_t q = begin; q < end; q++) {
        double own;
        value_of_query(x, q, j, &above, &below);
        if (!rs_round_quotient(&above, &below, &own))
            decided = false;
        else if (q == begin || (greatest ? own > *out : own < *out))
            *out = own;
    }
    return decided;
}

/* RS-SES-16 */
static bool over_queries(const session *x, int64_t j, double *out)
{
    int64_t m = x->m;
    switch ((enum rs_over)x->by->over) {
    case RS_OVER_MEAN:
        return sum_over_queries(x, j, m, m, out);
    case RS_OVER_SUM:
        return sum_over_queries(x, j, m, 1, out);
    case RS_OVER_NON_LAST:
        return sum_over_queries(x, j, m ? m - 1 : 0, m ? m - 1 : 0, out);
    case RS_OVER_FIRST:
        return extreme_of_queries(x, j, 0, rs_min(m, 1), true, out);
    case RS_OVER_LAST:
        return extreme_of_queries(x, j, m ? m - 1 : 0, m, true, out);
    case RS_OVER_BEST:
        return extreme_of_queries(x, j, 0, m, true, out);
    case RS_OVER_WORST:
        break;
    }
    return extreme_of_queries(x, j, 0, m, false, out);
}

static bool value_at(session *x, int64_t j, double *out)
{
    rs_number V, I, one = rs_integer(1);
    int64_t X = depth(x, x->k[j]);
    switch (x->by->metric) {
    case RS_SDCG:
        V = sdcg(x->dcg + j, x->nk, x->m, x->D);
        return rs_round_quotient(&V, &one, out);
    case RS_ISDCG:
        I = isdcg(x, X);
        return rs_round_quotient(&I, &one, out);
    case RS_NSDCG:
        V = sdcg(x->dcg + j, x->nk, x->m, x->D);
        I = isdcg(x, X);
        return nsdcg(&V, &I, out);
    case RS_SDCG_Q:
        V = sdcg(x->dcg + j, x->nk, x->m, x->D);
        return sdcg_per_query(&V, x->m, out);
    case RS_AVG_SDCG:
        return average_sdcg(x, X, out);
    case RS_AVG_NSDCG:
        return average_nsdcg(x, X, out);
    default:
        return over_queries(x, j, out);
    }
}

/* ---- vectors ------------------------------------------------------------------------ */

/* Where a vector goes. */
typedef struct {
    double *out;
    uint8_t *undecided;
    int32_t metric;
} destination;

static bool write_rank(const rs_number *V, const rs_number *I, void *to, int64_t p)
{
    destination *x = to;
    rs_number one = rs_integer(1);
    bool decided = rs_round_quotient(x->metric == RS_ISDCG ? I : V,
                                     x->metric == RS_AVG_NSDCG ? I : &one, &x->out[p]);
    x->undecided[p] = !decided;
    return decided;
}

/* sDCG(q) at each result of each query; RS-SES-3 */
static void write_queries(session *x, int64_t X, destination *to)
{
    const wide_gain *G = gains(x, X);
    const rs_number one = rs_integer(1);
    int64_t p = 0;
    for (int64_t q = 0; q < x->m; q++) {
        const wide_gain *own = G + begin_of(x, q);
        rs_number dcg = nothing(&x->given, x->d);
        for (int64_t i = 1; i <= rs_min(results_of(x, q), X); i++, p++) {
            add_rank(&dcg, own[i - 1], i, &x->given, x->d);
            rs_number value = sdcg_of_query(&dcg, q, x->D);
            to->undecided[p] = !rs_round_quotient(&value, &one, &to->out[p]);
        }
    }
}

static int64_t length_of_queries(const session *x, int64_t X)
{
    int64_t total = 0;
    for (int64_t q = 0; q < x->m; q++)
        total += rs_min(results_of(x, q), X);
    return total;
}

/* ---- batches ------------------------------------------------------------------------ */

/* How many results the longest session has. */
int64_t rs_longest_session(const rs_sessions *sessions, int64_t n)
{
    const int64_t *offsets = sessions->lists->offsets, *begins = sessions->sessions;
    int64_t longest = 0;
    for (int64_t s = 0; s < n; s++) {
        int64_t own = offsets[begins[s + 1]] - offsets[begins[s]];
        longest = own > longest ? own : longest;
    }
    return longest;
}

static const rs_session_metric metrics[] = {
    {RS_SDCG, .pooled = false, .weighted = true},
    {RS_ISDCG, .pooled = true, .weighted = true},
    {RS_NSDCG, .pooled = true, .weighted = true},
    {RS_SDCG_Q, .pooled = false, .weighted = true},
    {RS_AVG_SDCG, .pooled = false, .weighted = true},
    {RS_AVG_NSDCG, .pooled = true, .weighted = true},
    {RS_QUERY_SDCG, .pooled = false, .weighted = true},
    {RS_QUERY_NDCG, .pooled = true, .weighted = false},
};

const rs_session_metric *rs_session_metric_of(int32_t metric)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (metrics[i].metric == metric)
            return &metrics[i];
    return NULL;
}

static bool is_pooled(int32_t metric)
{
    const rs_session_metric *row = rs_session_metric_of(metric);
    return row && row->pooled;
}

/* What sessions are read with. */
typedef struct {
    const rs_sessions *sessions;
    const rs_lists *pools;
    bool documents, arrays, each;
} reading;

static reading reading_of(const rs_measure *by, const rs_sessions *sessions,
                          const rs_lists *pools, bool vectors)
{
    int32_t metric = by->metric;
    bool pooled = is_pooled(metric);
    bool ranks = metric == RS_AVG_SDCG || metric == RS_AVG_NSDCG || vectors;
    bool own = pooled && !pools && sessions->documents;
    return (reading){
        .sessions = sessions,
        .pools = pooled ? pools : NULL,
        .documents = by->first || own,
        .arrays = metric != RS_ISDCG && (ranks || by->first),
        .each = pooled && (ranks || (metric != RS_QUERY_NDCG && by->ideal != RS_REPEATED)),
    };
}

/* The pool of a session that has none: its results, each document once. RS-SES-23 */
static void own_pool(session *x, const rs_lists *lists)
{
    if (!x->documents) {
        x->pool = x->r;
        return;
    }
    int size = rs_label_size(lists->type);
    const char *from = x->r.at;
    uint8_t *to = x->kept;
    for (int64_t p = 0; p < x->n; p++)
        if (x->last[p]) {
            memcpy(to, from + p * size, (size_t)size);
            to += size;
        }
    const rs_lists kept = {.labels = x->kept, .type = lists->type};
    rs_read_from(&kept, 0, (to - x->kept) / size, &x->g, x->pool_bytes, &x->pool);
}

/* Reads session s; returns the position of the first label that is refused, or -1. */
static int64_t read_session(session *x, const reading *how, int64_t s, int32_t *in_pool)
{
    const rs_lists *lists = how->sessions->lists;
    int64_t first = how->sessions->sessions[s], refused;
    x->m = how->sessions->sessions[s + 1] - first;
    x->offsets = lists->offsets + first;
    x->n = x->offsets[x->m] - x->offsets[0];
    x->longest = 0;
    for (int64_t q = 0; q < x->m; q++)
        x->longest = results_of(x, q) > x->longest ? results_of(x, q) : x->longest;
    *in_pool = 0;
    refused = rs_read_from(lists, x->offsets[0], x->n, &x->g, x->bytes, &x->r);
    if (refused >= 0)
        return refused;
    x->documents = how->sessions->documents ? how->sessions->documents + x->offsets[0] : NULL;
    if (how->documents)
        appearances(x);
    if (x->pooled && how->pools) {
        *in_pool = 1;
        int64_t begin = how->pools->offsets[s], n = how->pools->offsets[s + 1] - begin;
        return rs_read_from(how->pools, begin, n, &x->g, x->pool_bytes, &x->pool);
    }
    if (x->pooled)
        own_pool(x, lists);
    return -1;
}

/* Takes in what a session gains; false where a gain is lost, or all of them are too many. */
static bool take_in_gains(session *x, const reading *how)
{
    bool known = true;
    if (x->by->metric != RS_ISDCG) {
        x->given.small = fits(&x->r, &x->g, (u128)x->n);
        x->arrays = how->arrays || !x->given.small;
        known = x->n < MOST_GAINS && (!x->arrays || take_gains(x));
    }
    return known && (!x->pooled || take_ideal(x, how->each));
}

/* Room for any of n sessions. */
static void make_rooms(session *x, const reading *how, int64_t n, rs_rooms *rooms)
{
    int64_t results = rs_longest_session(how->sessions, n), queries = 0;
    int64_t pool = how->pools ? rs_longest(how->pools, n) : x->pooled ? results : 0;
    for (int64_t s = 0; s < n; s++) {
        int64_t own = how->sessions->sessions[s + 1] - how->sessions->sessions[s];
        queries = own > queries ? own : queries;
    }
    int64_t known = how->documents ? results : 0;
    x->given.gains = rs_room(rooms, results, sizeof *x->given.gains);
    x->shown = rs_room(rooms, x->by->first ? results : 0, sizeof *x->shown);
    x->least = rs_room(rooms, known, sizeof *x->least);
    x->reach = rs_room(rooms, known, sizeof *x->reach);
    x->last = rs_room(rooms, known, sizeof *x->last);
    x->slots = rs_room(rooms, slots_for(known), sizeof *x->slots);
    x->kept = rs_room(rooms, known, sizeof(double));
    x->bytes = rs_room(rooms, results, 1);
    x->pool_bytes = rs_room(rooms, pool, 1);
    x->ideal.gains = rs_room(rooms, pool, sizeof *x->ideal.gains);
    x->heap = rs_room(rooms, queries, sizeof *x->heap);
    x->dcg = rs_room(rooms, queries * x->nk, sizeof *x->dcg);
}

static session sessions_at_work(const rs_measure *by, const int64_t *k, int64_t nk)
{
    session x = {.by = by, .d = by->discount, .D = by->weights, .k = k, .nk = nk,
                 .pooled = is_pooled(by->metric)};
    rs_gain_table(by->gain, &x.g);
    return x;
}

/* A batch of sessions. totals: whether DCG of each query is asked for
 * lengths: of the vectors; writes: whether they are written too; at: where the next begins */
typedef struct {
    session x;
    reading how;
    bool totals, writes;
    int64_t *lengths, at;
} session_batch;

RS_TEMPLATE int64_t take_in_session(void *kernel, int64_t s, const rs_results *to)
{
    session_batch *b = kernel;
    int32_t in_pool;
    int64_t bad = read_session(&b->x, &b->how, s, &in_pool);
    if (bad >= 0)
        return rs_refuse(to, bad, in_pool);
    if (!take_in_gains(&b->x, &b->how))
        return RS_TOO_FEW_BITS;
    if (b->totals)
        gains_of_queries(&b->x);
    return RS_KNOWN;
}

RS_TEMPLATE bool session_at(void *kernel, int64_t j, double *out)
{
    session_batch *b = kernel;
    return value_at(&b->x, j, out);
}

RS_TEMPLATE int64_t write_session(void *kernel, int64_t s, bool known, const rs_results *to)
{
    session_batch *b = kernel;
    return rs_write_values(kernel, s, b->x.nk, known, session_at, to);
}

/* RS-SES-6, RS-SES-10 to RS-SES-16 */
int64_t rs_session_values(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                          const rs_measure *by, const rs_results *to)
{
    session_batch b = {.x = sessions_at_work(by, by->k, by->nk)};
    b.how = reading_of(by, sessions, pools, false);
    b.totals =
        by->metric != RS_ISDCG && by->metric != RS_AVG_SDCG && by->metric != RS_AVG_NSDCG;
    rs_rooms rooms = {0};
    make_rooms(&b.x, &b.how, n, &rooms);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&b, n, take_in_session, write_session, to);
    rs_leave(&rooms);
    return open;
}

RS_TEMPLATE int64_t take_in_for_vector(void *kernel, int64_t s, const rs_results *to)
{
    session_batch *b = kernel;
    int32_t in_pool;
    int64_t bad = read_session(&b->x, &b->how, s, &in_pool);
    if (bad >= 0)
        return rs_refuse(to, bad, in_pool);
    return !b->writes || take_in_gains(&b->x, &b->how) ? RS_KNOWN : RS_TOO_FEW_BITS;
}

RS_TEMPLATE int64_t write_vector(void *kernel, int64_t s, bool known, const rs_results *to)
{
    session_batch *b = kernel;
    session *x = &b->x;
    int64_t X = depth(x, x->k[0]), open = 0;
    int32_t metric = x->by->metric;
    bool of_queries = metric == RS_QUERY_SDCG;
    b->lengths[s] = of_queries ? length_of_queries(x, X) : length_of_vector(x, X);
    if (!b->writes)
        return 0;
    destination at = {to->out + b->at, to->undecided + b->at, metric};
    if (!known)
        memset(at.undecided, 1, (size_t)b->lengths[s]);
    else if (of_queries)
        write_queries(x, X, &at);
    else
        for_each_rank(x, X, metric != RS_ISDCG, write_rank, &at);
    for (int64_t p = 0; p < b->lengths[s]; p++)
        open += at.undecided[p];
    b->at += b->lengths[s];
    return open;
}

/* RS-SES-3, RS-SES-5, RS-SES-10, RS-SES-17 */
int64_t rs_session_vectors(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                           const rs_measure *by, int64_t k, int64_t *lengths, double *out,
                           uint8_t *undecided, int64_t *refused, int32_t *in_pool)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    const rs_results to = {out, undecided, refused, in_pool};
    session_batch b = {.x = sessions_at_work(by, &k, 1), .lengths = lengths, .writes = out};
    b.how = reading_of(by, sessions, pools, true);
    rs_rooms rooms = {0};
    make_rooms(&b.x, &b.how, n, &rooms);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&b, n, take_in_for_vector, write_vector, &to);
    rs_leave(&rooms);
    return open;
}
