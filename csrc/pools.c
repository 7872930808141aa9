/* Whether pools can be of lists. Spec: RS-CONV-38, chapter "conventions". */

#include "dcg.h"
#include "memory.h"
#include "sorting.h"
#include "stopping.h"

/* Lists and pools at work. bytes: room for the labels of a list and of a pool; keys: for those that
 * are no whole numbers below 256. */
typedef struct {
    gain_table any;
    uint8_t *bytes;
    uint64_t *keys;
    int64_t longest;
} pool_check;

static int rising_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The keys of the labels but 0, rising; returns how many. */
static int64_t keys_of_judged(const rs_lists *lists, int64_t begin, int64_t end, uint64_t *keys)
{
    int64_t n = 0;
    for (int64_t i = begin; i < end; i++)
        if (rs_label_value(lists->labels, lists->type, i) != 0)
            keys[n++] = rs_label_key(lists->labels, lists->type, i);
    rs_quicksort(keys, n, sizeof *keys, rising_keys);
    return n;
}

/* Whether each key is there as often among the others; both rise. */
static bool contains(const uint64_t *others, int64_t m, const uint64_t *keys, int64_t n)
{
    int64_t j = 0;
    for (int64_t i = 0; i < n; i++, j++) {
        while (j < m && others[j] < keys[i])
            j++;
        if (j == m || others[j] != keys[i])
            return false;
    }
    return true;
}

/* How often each of the labels 1 to 4 occurs, and whether a label is above them. */
typedef struct {
    int64_t of[4];
    bool above;
} few_counts;

/* Counts the labels 1 to 4 of at least 16 and at most 16 * 126 bytes. The last vector overlaps the
 * one before it; what has been counted is made 0 there. */
static inline few_counts count_few(const uint8_t *r, int64_t n)
{
    enum { WIDTH = 16 };
    static const uint8_t mask[2 * WIDTH] = {
        [WIDTH] = 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    sixteen ones = {0}, twos = {0}, threes = {0}, fours = {0}, above = {0};
    for (int64_t i = 0; i < n; i += WIDTH) {
        int64_t at = rs_min(i, n - WIDTH);
        sixteen labels = load_sixteen(r + at) & load_sixteen(mask + WIDTH - (i - at));
        ones -= labels == 1;
        twos -= labels == 2;
        threes -= labels == 3;
        fours -= labels == 4;
        above |= (labels + 123) | labels; /* the highest bit: 5 + 123 is 128 */
    }
    return (few_counts){
        {sum_of_bytes(ones), sum_of_bytes(twos), sum_of_bytes(threes), sum_of_bytes(fours)},
        !all_zero(above & 128)};
}

/* Whether a pool has each label of a list but 0 as often, where no label is above 4; else -1. */
static int covers_to_four(const label_list *shown, const label_list *judged)
{
    enum { LEAST = 16, MOST = 16 * 126 };
    if (shown->n < LEAST || judged->n < LEAST || shown->n > MOST || judged->n > MOST)
        return -1;
    few_counts own = count_few(shown->small, shown->n);
    few_counts pooled = count_few(judged->small, judged->n);
    if (own.above || pooled.above)
        return -1;
    return own.of[0] <= pooled.of[0] && own.of[1] <= pooled.of[1] && own.of[2] <= pooled.of[2] &&
           own.of[3] <= pooled.of[3];
}

/* Whether pool p has each label of list a but 0 as often; false, too, where it would take numbers
 * of two kinds to be compared. */
static bool covers(const rs_lists *lists, int64_t a, const rs_lists *pools, int64_t p,
                   pool_check *check)
{
    int64_t begin = lists->offsets[a], end = lists->offsets[a + 1];
    int64_t first = pools->offsets[p], last = pools->offsets[p + 1];
    label_list shown, judged;
    bool read = rs_read_from(lists, begin, end - begin, &check->any, check->bytes, &shown) < 0 &&
                rs_read_from(pools, first, last - first, &check->any,
                             check->bytes + check->longest, &judged) < 0;
    if (read && shown.small && judged.small) {
        int few = covers_to_four(&shown, &judged);
        if (few >= 0)
            return few;
        int64_t own[SMALL_LABELS], pooled[SMALL_LABELS];
        int top = rs_count_labels(shown.small, shown.n, own);
        int highest = rs_count_labels(judged.small, judged.n, pooled);
        for (int label = 1; label <= top; label++)
            if (own[label] > (label <= highest ? pooled[label] : 0))
                return false;
        return true;
    }
    if (lists->type != pools->type && (lists->type == RS_I64 || pools->type == RS_I64))
        return false;
    uint64_t *keys = check->keys, *others = check->keys + check->longest;
    int64_t n = keys_of_judged(lists, begin, end, keys);
    return contains(others, keys_of_judged(pools, first, last, others), keys, n);
}

/* Sets open[a] where a pool is not seen to have each label of list a but 0 as often as the list; it
 * is that of number pool_of[a], or a where pool_of is NULL. Returns how many these are. The m pools
 * and the lists are such as a measure takes. RS-CONV-38 */
int64_t rs_uncovered(const rs_lists *lists, int64_t n, const rs_lists *pools, int64_t m,
                     const int64_t *pool_of, uint8_t *open)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    const rs_gain linear = {.kind = RS_LINEAR};
    int64_t listed = rs_longest(lists, n), pooled = rs_longest(pools, m), found = 0;
    rs_rooms rooms = {0};
    pool_check check = {.longest = listed > pooled ? listed : pooled};
    rs_gain_table(&linear, &check.any);
    check.bytes = rs_room(&rooms, 2 * check.longest, 1);
    check.keys = rs_room(&rooms, 2 * check.longest, sizeof *check.keys);
    if (rooms.lacking)
        found = RS_NO_MEMORY;
    for (int64_t a = 0; a < n && found >= 0; a++) {
        open[a] = !covers(lists, a, pools, pool_of ? pool_of[a] : a, &check);
        found += open[a];
    }
    rs_leave(&rooms);
    return found;
}
