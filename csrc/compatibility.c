/* Compatibility: the rank-biased overlap of a list with the ideal ranking that is nearest to it. Spec:
 * chapter "users".
 *
 * An item that the list has at rank i and the ideal ranking at rank I is in both from rank max(i, I)
 * on, so all that counts is how many items are in both down to each rank d, times p^(d-1) / d.
 */
#include "batch.h"
#include "gain.h"
#include "metrics.h"

/* A batch at work. entering: how many items of the list at hand are in both rankings from rank d on,
 * and not before, at place d */
typedef struct {
    const rs_lists *lists, *pools;
    bool normalized;
    rs_float p;
    const int64_t *k;
    int64_t nk;
    uint8_t *shown, *pooled;
    int32_t *entering;
    rs_number *above, *below;
} overlap_batch;

enum { LONGEST_OVERLAP = 1 << 19 };

/* Reads the labels of list a, any that are finite. RS_TOO_FEW_BITS: one is no whole number below
 * 256. */
static int64_t read_any(const overlap_batch *x, const rs_lists *lists, int64_t a, uint8_t *bytes,
                        label_list *r, const rs_results *to)
{
    int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
    const void *at = rs_label_at(lists->labels, lists->type, begin);
    int top;
    *r = (label_list){.at = at, .small = bytes, .n = n, .type = lists->type, .top = 255};
    if (lists->type == RS_U8)
        r->small = at;
    else if (!rs_labels_as_bytes(at, lists->type, n, bytes, &top)) {
        int64_t bad = rs_binary_relevance(at, lists->type, n, 0, bytes);
        return bad < 0 ? RS_TOO_FEW_BITS : rs_refuse(to, begin + bad, lists != x->lists);
    }
    return RS_KNOWN;
}

/* The rank of the first item of each label above 0 in the ideal ranking, less 1; returns how many items
 * that ranking has. */
static int64_t ideal_ranks(const label_list *J, int64_t before[SMALL_LABELS])
{
    int64_t count[SMALL_LABELS] = {0}, better = 0;
    for (int64_t i = 0; i < J->n; i++)
        count[J->small[i]]++;
    for (int label = SMALL_LABELS - 1; label > 0; label--) {
        before[label] = better;
        better += count[label];
    }
    return better;
}

/* Counts at which rank each item of the list comes to be in both rankings; false where an item is
 * beyond the N of the ideal ranking, as the pool lacks it. RS-USR-8 */
static bool count_entering(overlap_batch *x, const label_list *r, int64_t *ideal, int64_t N,
                           int64_t deepest)
{
    memset(x->entering, 0, (size_t)(deepest + 1) * sizeof *x->entering);
    for (int64_t i = 0; i < r->n; i++) {
        if (!r->small[i])
            continue;
        int64_t rank = ++ideal[r->small[i]];
        if (rank > N)
            return false;
        x->entering[rank > i + 1 ? rank : i + 1]++;
    }
    return true;
}

/* The overlap down to each cut-off, and that of the ideal ranking with itself, or the weights. whole:
 * the depth without a cut-off. RS-USR-8 */
static void overlaps(overlap_batch *x, int64_t N, int64_t whole)
{
    const rs_float one = rs_float_of(1, 0);
    rs_float power = one, overlap = RS_ZERO, weights = RS_ZERO;
    int64_t d = 0, both = 0;
    for (int64_t j = 0; j < x->nk; j++) {
        int64_t k = x->k[j] == RS_WHOLE ? whole : x->k[j];
        if (k < d) { /* the whole list ends above the cut-off before */
            power = one;
            overlap = weights = RS_ZERO;
            d = both = 0;
        }
        for (; d < k; power = rs_times(power, x->p)) {
            d++;
            both += d <= whole ? x->entering[d] : 0;
            rs_float weight = rs_times(power, rs_inverse(rs_float_of((u128)d, 0)));
            rs_float of_ideal = rs_float_of((u128)rs_min(d, N), 0);
            overlap = rs_plus(overlap, rs_times(weight, rs_float_of((u128)both, 0)));
            weights = rs_plus(weights, x->normalized ? rs_times(weight, of_ideal) : power);
        }
        x->above[j] = rs_number_within(N ? overlap : RS_ZERO, 3 * (d + 8));
        x->below[j] = rs_number_within(weights, 3 * (d + 8));
    }
}

RS_TEMPLATE int64_t take_in_overlap(void *kernel, int64_t a, const rs_results *to)
{
    overlap_batch *x = kernel;
    label_list r, J;
    int64_t read = read_any(x, x->lists, a, x->shown, &r, to), pooled = read;
    J = r;
    if (read >= 0 && x->pools != x->lists)
        pooled = read_any(x, x->pools, a, x->pooled, &J, to);
    if (read < 0 || pooled < 0)
        return read < 0 ? read : pooled;
    if (read != RS_KNOWN || pooled != RS_KNOWN || rs_starts_of(x->lists, a) ||
        r.n > LONGEST_OVERLAP || J.n > LONGEST_OVERLAP)
        return RS_TOO_FEW_BITS;
    int64_t ideal[SMALL_LABELS], N = ideal_ranks(&J, ideal), whole = r.n > N ? r.n : N;
    for (int64_t j = 0; j < x->nk; j++)
        if (x->k[j] != RS_WHOLE && x->k[j] > LONGEST_OVERLAP)
            return RS_TOO_FEW_BITS;
    if (!count_entering(x, &r, ideal, N, whole))
        return RS_TOO_FEW_BITS;
    overlaps(x, N, whole);
    return RS_KNOWN;
}

RS_TEMPLATE int64_t write_overlap(void *kernel, int64_t a, bool known, const rs_results *to)
{
    const overlap_batch *x = kernel;
    return rs_write_quotients(a, x->nk, known, x->above, x->below, to);
}

/* RS-USR-8; lists that are tied are left to the reference */
static int64_t values_of_compat(const rs_measure *m, const rs_block *b, const rs_results *to)
{
    rs_rooms rooms = {0};
    overlap_batch x = {.lists = b->lists, .pools = b->pools, .normalized = m->norm,
                       .p = rs_float_of_double(m->p), .k = m->k, .nk = m->nk};
    x.shown = rs_room(&rooms, rs_longest(b->lists, b->n), 1);
    x.pooled = rs_room(&rooms, rs_longest(b->pools, b->n), 1);
    x.entering = rs_room(&rooms, rs_longest_of(b->lists, b->pools, b->n), sizeof *x.entering);
    x.above = rs_room(&rooms, m->nk, sizeof *x.above);
    x.below = rs_room(&rooms, m->nk, sizeof *x.below);
    int64_t open = RS_NO_MEMORY;
    if (!rooms.lacking)
        open = rs_for_each_list(&x, b->n, take_in_overlap, write_overlap, to);
    rs_leave(&rooms);
    return open;
}

const rs_metric rs_metrics_of_overlap[] = {
    {.metric = RS_COMPAT, .needs = RS_NEEDS_POOLS, .values = values_of_compat},
    {0},
};
