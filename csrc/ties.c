/* Ties: the order of scored lists, and what expectations and variances over orders share. Spec:
 * chapter "ties". The closed forms of a metric stand in its chapter.
 */
#include "ties.h"

#include <string.h>

#include "gain.h"
#include "ids.h"
#include "memory.h"
#include "sorting.h"
#include "stopping.h"

/* ---- the order of a scored list ----------------------------------------------------- */

static bool before(const ranked_item *x, const ranked_item *y, const id_order *ids)
{
    if (x->score != y->score)
        return x->score > y->score;
    if (x->rule != y->rule || !ids)
        return x->rule > y->rule;
    return ids->ascending ? rs_id_above(ids->ids, y->position, x->position)
                          : rs_id_above(ids->ids, x->position, y->position);
}

/* Sorts by insertion, stably, where few items are out of place; false: too many are. */
static bool insertion_sort(ranked_item *items, int64_t n, const id_order *ids, int64_t moves)
{
    for (int64_t i = 1; i < n; i++) {
        if (!before(&items[i], &items[i - 1], ids))
            continue;
        ranked_item moved = items[i];
        int64_t j = i;
        for (; j > 0 && before(&moved, &items[j - 1], ids); j--)
            items[j] = items[j - 1];
        items[j] = moved;
        moves -= i - j;
        if (moves < 0)
            return false;
    }
    return true;
}

/* Sorts items by rank, stably. ids: what decides where score and rule are equal, or NULL. */
void rs_sort(ranked_item *items, ranked_item *scratch, int64_t n, const id_order *ids)
{
    enum { RUN = 16 };
    if (insertion_sort(items, n, ids, 4 * n)) /* many runs are nearly in order */
        return;
    for (int64_t begin = 0; begin < n; begin += RUN)
        insertion_sort(items + begin, rs_min(RUN, n - begin), ids, RUN * RUN);
    ranked_item *from = items, *to = scratch;
    for (int64_t run = RUN; run < n; run *= 2) {
        rs_pause_over(n, 20);
        for (int64_t begin = 0; begin < n; begin += 2 * run) {
            int64_t middle = rs_min(begin + run, n), end = rs_min(begin + 2 * run, n);
            int64_t left = begin, right = middle;
            for (int64_t i = begin; i < end; i++) {
                bool take_left =
                    left < middle && (right == end || !before(&from[right], &from[left], ids));
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        ranked_item *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != items)
        memcpy(items, from, (size_t)n * sizeof *items);
}

static uint64_t rule_key(int32_t rule, const rs_lists *lists, const int64_t *ids, int64_t position)
{
    const uint64_t top = 1ull << 63;
    if (!ids && (rule == RS_ID_DESCENDING || rule == RS_ID_ASCENDING))
        return 0; /* nothing to order by: input order */
    switch ((enum rs_ties)rule) {
    case RS_ID_DESCENDING:
        return (uint64_t)ids[position] ^ top;
    case RS_ID_ASCENDING:
        return ~((uint64_t)ids[position] ^ top);
    case RS_BEST:
        return rs_label_key(lists->labels, lists->type, position);
    case RS_WORST:
        return ~rs_label_key(lists->labels, lists->type, position);
    case RS_INPUT:
    case RS_EXPECTED:
        break; /* the sort is stable */
    }
    return 0;
}

/* Room to order lists: by scores, and the items of a tie group by what their rule asks. */
typedef struct {
    rs_sorter by_score, by_rule;
} sorters;

/* Whether a rule orders the items of a tie group otherwise than they come. */
static bool reorders_ties(int32_t rule, const int64_t *ids)
{
    return rule == RS_BEST || rule == RS_WORST ||
           (ids && (rule == RS_ID_DESCENDING || rule == RS_ID_ASCENDING));
}

/* Orders the tie group at the ranks begin + 1 to end; `first` is where its list begins. */
static void order_group(sorters *x, int64_t begin, int64_t end, int32_t rule,
                        const rs_lists *lists, const int64_t *ids, int64_t first)
{
    rs_sorter *group = &x->by_rule;
    int64_t n = end - begin, *words = x->by_score.words + begin, *ordered = x->by_score.scratch;
    for (int64_t i = 0; i < n; i++)
        group->keys[i] = rule_key(rule, lists, ids, first + rs_item_at(&x->by_score, begin + i));
    rs_pause_over(n, 20);
    rs_order_by_keys(group, n, n);
    rs_pause_over(n, 20);
    for (int64_t i = 0; i < n; i++)
        ordered[i] = words[rs_item_at(group, i)];
    memcpy(words, ordered, (size_t)n * sizeof *words);
}

/* Orders list a down to rank `depth`, and to the end of its tie group. Returns how many items that
 * are, or RS_REFUSED: *refused is the position of a score that is not finite. RS-CONV-6, RS-TIE-1,
 * RS-TIE-2 */
static int64_t order_list(sorters *x, const void *scores, int32_t score_type,
                          const rs_lists *lists, int64_t a, const int64_t *ids, int32_t rule,
                          int64_t depth, int64_t *refused)
{
    int64_t first = lists->offsets[a], n = lists->offsets[a + 1] - first;
    int64_t wrong = rs_label_keys(rs_label_at(scores, score_type, first), score_type, n,
                                  x->by_score.keys);
    if (wrong >= 0) {
        *refused = first + wrong;
        return RS_REFUSED;
    }
    rs_pause_over(n, 6);
    int64_t ordered = rs_order_by_keys(&x->by_score, n, depth);
    if (!reorders_ties(rule, ids))
        return ordered;
    for (int64_t begin = 0, end; begin < ordered; begin = end) {
        for (end = begin + 1; end < ordered && rs_is_tied(&x->by_score, end);)
            end++;
        rs_pause_at(begin, end, 20);
        if (end - begin > 1)
            order_group(x, begin, end, rule, lists, ids, first);
    }
    return ordered;
}

static sorters room_for_lists(const rs_lists *lists, int64_t n, rs_rooms *rooms)
{
    int64_t most = rs_longest(lists, n);
    return (sorters){rs_room_to_sort(rooms, most), rs_room_to_sort(rooms, most)};
}

static __attribute__((noinline)) int64_t
order_lists(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
            const int64_t *ids, int32_t rule, int64_t *order, uint8_t *starts, int64_t *refused)
{
    rs_rooms rooms = {0};
    sorters x = room_for_lists(lists, n, &rooms);
    int64_t result = rooms.lacking ? RS_NO_MEMORY : 0;
    for (int64_t a = 0; a < n && result >= 0; a++) {
        int64_t begin = lists->offsets[a];
        rs_pause(20 * (lists->offsets[a + 1] - begin));
        result = order_list(&x, scores, score_type, lists, a, ids, rule, RS_WHOLE, refused);
        for (int64_t i = 0; i < result; i++) {
            rs_pause_at(i, i + 1, 20); /* keys are read here and there */
            order[begin + i] = begin + rs_item_at(&x.by_score, i);
            starts[begin + i] = !rs_is_tied(&x.by_score, i);
        }
    }
    rs_leave(&rooms);
    return rs_min(result, 0);
}

int64_t rs_order(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
                 const int64_t *ids, int32_t rule, int64_t *order, uint8_t *starts,
                 int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    return order_lists(scores, score_type, lists, n, ids, rule, order, starts, refused);
}

/* The labels of the first items of a list that is in order. */
static void gather_first(const rs_sorter *s, int64_t n, const void *labels, int32_t type, void *to)
{
    switch (rs_label_size(type)) {
#define GATHER(size, T)                                            \
    case size:                                                     \
        for (int64_t i = 0; i < n; i++)                            \
            ((T *)to)[i] = ((const T *)labels)[rs_item_at(s, i)];  \
        break;
        GATHER(1, uint8_t)
        GATHER(2, uint16_t)
        GATHER(4, uint32_t)
        GATHER(8, uint64_t)
#undef GATHER
    }
}

static __attribute__((noinline)) int64_t
first_of_lists(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
               const int64_t *ids, int32_t rule, int64_t depth, void *labels, uint8_t *starts,
               int64_t *lengths, int64_t *refused)
{
    rs_rooms rooms = {0};
    sorters x = room_for_lists(lists, n, &rooms);
    int64_t result = rooms.lacking ? RS_NO_MEMORY : 0;
    int32_t type = lists->type;
    for (int64_t a = 0; a < n && result >= 0; a++) {
        int64_t begin = lists->offsets[a];
        rs_pause(20 * (lists->offsets[a + 1] - begin));
        result = order_list(&x, scores, score_type, lists, a, ids, rule, depth, refused);
        lengths[a] = rs_min(result, rule == RS_EXPECTED ? result : depth);
        rs_pause_over(lengths[a], 20);
        gather_first(&x.by_score, lengths[a], rs_label_at(lists->labels, type, begin), type,
                     (char *)labels + begin * rs_label_size(type));
        rs_pause_over(lengths[a], 20);
        for (int64_t i = 0; i < lengths[a]; i++)
            starts[begin + i] = !rs_is_tied(&x.by_score, i);
    }
    rs_leave(&rooms);
    return rs_min(result, 0);
}

int64_t rs_first(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
                 const int64_t *ids, int32_t rule, int64_t depth, void *labels, uint8_t *starts,
                 int64_t *lengths, int64_t *refused)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    return first_of_lists(scores, score_type, lists, n, ids, rule, depth, labels, starts, lengths,
                          refused);
}

void rs_close_up(void *labels, int32_t type, uint8_t *starts, const int64_t *begins,
                 const int64_t *lengths, int64_t n, int64_t *offsets)
{
    int64_t size = rs_label_size(type), end = 0;
    for (int64_t a = 0; a < n; a++) {
        offsets[a] = end;
        memmove((char *)labels + end * size, (char *)labels + begins[a] * size,
                (size_t)(lengths[a] * size));
        memmove(starts + end, starts + begins[a], (size_t)lengths[a]);
        end += lengths[a];
    }
    offsets[n] = end;
}

/* Labels in another order: to[i] = from[order[i]]. */
void rs_gather(const void *from, int32_t type, const int64_t *order, int64_t n, void *to)
{
    switch (rs_label_size(type)) {
#define GATHER(size, T)                                \
    case size:                                         \
        for (int64_t i = 0; i < n; i++)                \
            ((T *)to)[i] = ((const T *)from)[order[i]]; \
        break;
        GATHER(1, uint8_t)
        GATHER(2, uint16_t)
        GATHER(4, uint32_t)
        GATHER(8, uint64_t)
    }
}

/* ---- squares of discounts ------------------------------------------------------------ */

/* Of each square the lowest 96 bits are dropped: it lacks less than 1 for them, and less than 2
 * units for what the entry lacks. RS-NUM-20 */
bool rs_squares(const rs_discount *d, int64_t depth, rs_discount *squares, rs_rooms *rooms)
{
    uint32_t *low = rs_room(rooms, depth, sizeof *low);
    uint64_t *high = rs_room(rooms, depth, sizeof *high);
    uint64_t *sum_low = rs_room(rooms, depth, sizeof *sum_low);
    uint64_t *sum_high = rs_room(rooms, depth, sizeof *sum_high);
    if (rooms->lacking)
        return false;
    bool exact = d->unit == 0;
    u128 sum = 0;
    sum_low[0] = sum_high[0] = 0;
    for (int64_t i = 0; i < depth;)
        for (int64_t end = rs_part(i, depth, 8); i < end; i++) {
            u128 D = rs_discount_at(d, i + 1), square = rs_wide_product(D, D);
            exact = exact && D * D << 32 == 0;
            sum += square;
            low[i] = (uint32_t)square;
            high[i] = (uint64_t)(square >> 32);
            sum_low[i + 1] = (uint64_t)sum;
            sum_high[i + 1] = (uint64_t)(sum >> 64);
        }
    *squares = (rs_discount){
        .low = low, .high = high, .sum_low = sum_low, .sum_high = sum_high, .depth = depth,
        .unit = exact ? 0 : 2 * d->unit + 1, .exponent = 2 * d->exponent + 96,
    };
    return true;
}

/* ---- variances ------------------------------------------------------------------------ */

rs_spread rs_spread_of(int64_t n, const rs_number *sum, const rs_number *squares)
{
    rs_number all = rs_multiple((u128)n, squares), square = rs_product(sum, sum);
    rs_spread found;
    found.sign = rs_difference(&all, &square, &found.size);
    return found;
}

/* Of r numbers 1 among numbers 0. */
rs_spread rs_spread_of_counts(int64_t n, int64_t r)
{
    rs_spread found = {.size = rs_integer((uint64_t)r * (uint64_t)(n - r))};
    found.sign = found.size.low ? RS_POSITIVE_DIFFERENCE : RS_ZERO_DIFFERENCE;
    return found;
}

/* x y / (n^2 (n - 1)), with the spread x of the gains and y of the discounts. */
rs_variance rs_variance_of_spreads(int64_t n, const rs_spread *x, const rs_spread *y)
{
    rs_variance v = {.sign = RS_ZERO_DIFFERENCE};
    if (n < 2 || x->sign == RS_ZERO_DIFFERENCE || y->sign == RS_ZERO_DIFFERENCE)
        return v;
    bool known = x->sign == RS_POSITIVE_DIFFERENCE && y->sign == RS_POSITIVE_DIFFERENCE;
    v.sign = known ? RS_POSITIVE_DIFFERENCE : RS_OPEN;
    v.square = rs_product(&x->size, &y->size);
    v.square = rs_multiple((u128)(n - 1), &v.square);
    v.per = rs_integer((uint64_t)n * (uint64_t)(n - 1));
    return v;
}

/* The variance of the metric that is divided by `by`. RS-NUM-20 */
bool rs_round_variance(const rs_variance *v, const rs_number *by, double *out)
{
    *out = 0.0;
    if (v->sign != RS_POSITIVE_DIFFERENCE)
        return v->sign == RS_ZERO_DIFFERENCE;
    rs_number per = rs_product(&v->per, by), below = rs_product(&per, &per);
    return rs_round_quotient(&v->square, &below, out);
}
