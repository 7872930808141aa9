/* Items in falling order of their keys, as far down as somebody asks. Spec: RS-TIE-1.
 *
 * What is sorted are words of 64 bits, each of which has half of a key above and its item below: so
 * all of them are different, and items of equal keys keep their order. The other half of the keys is
 * looked at only where it decides.
 */
#include "sorting.h"

#include <stdlib.h> /* qsort */
#include <string.h>

#include "stopping.h"

/* ---- by comparison ---------------------------------------------------------------------- */

enum { SORTED_AT_ONCE = 1 << 19, WIDEST_ITEM = 16 };

static void swap_items(char *x, char *y, size_t size)
{
    char other[WIDEST_ITEM];
    memcpy(other, x, size);
    memcpy(x, y, size);
    memcpy(y, other, size);
}

static char *median_of(char *x, char *y, char *z, rs_compare compare)
{
    if (compare(x, y) > 0) {
        char *other = x;
        x = y;
        y = other;
    }
    return compare(z, y) >= 0 ? y : compare(z, x) > 0 ? z : x;
}

/* Divides items until a part is sorted in some tens of milliseconds. So that no order takes it long,
 * a part that was divided too often is sorted as a whole. */
static void sort_parts(char *items, int64_t n, size_t size, rs_compare compare, int divisions)
{
    for (; n > SORTED_AT_ONCE && divisions > 0; divisions--) {
        char *middle = items + (size_t)(n / 2) * size, *last = items + (size_t)(n - 1) * size;
        swap_items(items, median_of(items, middle, last, compare), size);
        int64_t before = 0, behind = n; /* between them are those that equal the pivot */
        for (int64_t i = 1; i < behind;) {
            char *item = items + (size_t)i * size, *pivot = items + (size_t)before * size;
            int order = compare(item, pivot);
            if (order < 0) {
                swap_items(item, pivot, size);
                before++;
            }
            if (order > 0)
                swap_items(item, items + (size_t)--behind * size, size);
            else
                i++;
            rs_pause_at(i, i + 1, 10);
        }
        sort_parts(items, before, size, compare, divisions - 1);
        items += (size_t)behind * size;
        n -= behind;
    }
    qsort(items, (size_t)n, size, compare);
    rs_pause_over(n, 100);
}

void rs_quicksort(void *items, int64_t n, size_t size, rs_compare compare)
{
    sort_parts(items, n, size, compare, 2 * rs_bits((u128)n));
}

/* ---- words ------------------------------------------------------------------------------ */

enum { FEW = 32, BITS_OF_AN_ITEM = 32 };
static const uint64_t TOP = 1ull << 63, ITEM = UINT32_MAX;

/* A word that is higher where the digit is, and of equal digits where the item comes first. Words are
 * signed, which processors compare faster. */
static inline int64_t word_of(uint64_t digit, uint64_t item)
{
    return (int64_t)((digit << BITS_OF_AN_ITEM | (~item & ITEM)) ^ TOP);
}

/* The lowest word of the same digit. */
static inline int64_t lowest_of_digit(int64_t word)
{
    return (int64_t)((uint64_t)word & ~ITEM);
}

/* Sorts at most FEW words: as many stand before one as are above it. */
RS_CLONES static void sort_few(int64_t *words, int64_t n)
{
    int64_t copy[FEW], above[FEW] = {0};
    for (int64_t i = 0; i < FEW; i++)
        copy[i] = i < n ? words[i] : INT64_MIN;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < FEW; i++)
            above[i] += copy[j] > copy[i];
    for (int64_t i = 0; i < n; i++)
        words[above[i]] = copy[i];
}

/* Merges two runs that stand one behind the other. */
static void merge_words(const int64_t *left, int64_t n_left, int64_t n, int64_t *to)
{
    const int64_t *right = left + n_left, *middle = right, *end = left + n;
    while (left < middle && right < end)
        *to++ = *left > *right ? *left++ : *right++;
    memcpy(to, left, (size_t)(middle - left) * sizeof *to);
    memcpy(to + (middle - left), right, (size_t)(end - right) * sizeof *to);
}

static void merge_sort(int64_t *words, int64_t *scratch, int64_t n)
{
    for (int64_t begin = 0; begin < n; begin += FEW)
        sort_few(words + begin, rs_min(FEW, n - begin));
    int64_t *from = words, *to = scratch;
    for (int64_t run = FEW; run < n; run *= 2) {
        rs_pause_over(n, 4);
        for (int64_t begin = 0; begin < n; begin += 2 * run)
            merge_words(from + begin, rs_min(run, n - begin), rs_min(2 * run, n - begin), to + begin);
        int64_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != words)
        memcpy(words, from, (size_t)n * sizeof *words);
}

/* Moves the words that are not below the pivot before the others, without a jump that depends on
 * them. Returns how many these are. */
static int64_t divide(int64_t *words, int64_t *scratch, int64_t n, int64_t pivot)
{
    int64_t above = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t word = words[i];
        words[above] = word;
        scratch[i - above] = word;
        above += word >= pivot;
    }
    memcpy(words + above, scratch, (size_t)(n - above) * sizeof *words);
    return above;
}

/* The median of three words, or where few are looked for the highest of them: another is below it. */
static inline int64_t pivot_of(const int64_t *words, int64_t n, int64_t first)
{
    int64_t x = words[0], y = words[n / 2], z = words[n - 1];
    int64_t low = x < y ? x : y, high = x < y ? y : x;
    if (z > high)
        return first < n / 4 ? z : high;
    return z < low ? low : first < n / 4 ? high : z;
}

/* Quicksort that leaves alone what is not among the first. So that no order takes it long, or deep,
 * a part that was divided too often is merged. */
static void sort_first(int64_t *words, int64_t *scratch, int64_t n, int64_t first, int divisions)
{
    for (; n > FEW; divisions--) {
        if (divisions == 0) {
            merge_sort(words, scratch, n);
            return;
        }
        rs_pause_over(n, 4);
        int64_t above = divide(words, scratch, n, pivot_of(words, n, first));
        if (above < first)
            sort_first(words + above, scratch, n - above, first - above, divisions - 1);
        n = above;
    }
    sort_few(words, n);
}

RS_CLONES static bool is_falling(const int64_t *words, int64_t n)
{
    int64_t rises = 0;
    for (int64_t i = 1; i < n; i++)
        rises |= words[i - 1] < words[i];
    return !rises;
}

RS_CLONES static bool any_is_above(const int64_t *words, int64_t n, int64_t lowest)
{
    int64_t any = 0;
    for (int64_t i = 0; i < n; i++)
        any |= words[i] >= lowest;
    return any;
}

/* Sorts the first words; whatever is behind them is below them. */
static void sort_words(int64_t *words, int64_t *scratch, int64_t n, int64_t first)
{
    if (!is_falling(words, n))
        sort_first(words, scratch, n, first, 2 * rs_bits((u128)n));
}

/* ---- keys ------------------------------------------------------------------------------- */

rs_sorter rs_room_to_sort(rs_rooms *rooms, int64_t n)
{
    return (rs_sorter){.keys = rs_room(rooms, n, sizeof(uint64_t)),
                       .words = rs_room(rooms, n, sizeof(int64_t)),
                       .scratch = rs_room(rooms, n, sizeof(int64_t))};
}

/* Whether no key is above the one before it, as in most files of runs. */
RS_CLONES static bool keys_fall(const uint64_t *keys, int64_t n)
{
    int64_t rises = 0;
    for (int64_t i = 1; i < n; i++)
        rises |= keys[i - 1] < keys[i];
    return !rises;
}

/* Ranks items as they come, the first and those of the key of the last of them. */
static int64_t leave_in_order(rs_sorter *s, int64_t n, int64_t first)
{
    while (0 < first && first < n && s->keys[first] == s->keys[first - 1])
        first++;
    for (int64_t i = 0; i < first; i++)
        rs_put_item(s, i, i);
    return first;
}

/* The bits in which any two keys differ. */
RS_CLONES static uint64_t differing_bits(const uint64_t *keys, int64_t n)
{
    uint64_t any = 0;
    for (int64_t i = 1; i < n; i++)
        any |= keys[i] ^ keys[0];
    return any;
}

/* Words of the highest half of the keys, but for the bits that they share. */
RS_CLONES static void make_words(const uint64_t *keys, int64_t n, int shared, int64_t *restrict words)
{
    for (int64_t i = 0; i < n; i++)
        words[i] = word_of(keys[i] << shared >> BITS_OF_AN_ITEM, (uint64_t)i);
}

/* Sorts the words behind the first ones that have the digit of the last of these. Returns how many
 * words are in order. */
static int64_t sort_rest_of_digit(rs_sorter *s, int64_t n, int64_t first)
{
    int64_t lowest = lowest_of_digit(s->words[first - 1]), *behind = s->words + first;
    if (!any_is_above(behind, n - first, lowest))
        return first;
    int64_t rest = divide(behind, s->scratch, n - first, lowest);
    sort_words(behind, s->scratch, rest, rest);
    return first + rest;
}

/* Orders words of one digit by the rest of their keys. */
static void sort_by_rest(rs_sorter *s, int64_t begin, int64_t end, int shared)
{
    for (int64_t i = begin; i < end; i++) {
        uint64_t item = (uint64_t)rs_item_at(s, i);
        s->words[i] = word_of(s->keys[item] << shared & ITEM, item);
    }
    sort_words(s->words + begin, s->scratch, end - begin, end - begin);
}

int64_t rs_order_by_keys(rs_sorter *s, int64_t n, int64_t first)
{
    first = rs_min(n, first);
    if (keys_fall(s->keys, n))
        return leave_in_order(s, n, first);
    uint64_t differing = differing_bits(s->keys, n);
    int shared = differing ? 64 - rs_bits(differing) : 0;
    bool rest = differing << shared << BITS_OF_AN_ITEM != 0;
    make_words(s->keys, n, shared, s->words);
    rs_pause_over(n, 6);
    sort_words(s->words, s->scratch, n, first);
    int64_t sorted = 0 < first && first < n ? sort_rest_of_digit(s, n, first) : first;
    for (int64_t begin = 0, end; rest && begin < sorted; begin = end) {
        int64_t lowest = lowest_of_digit(s->words[begin]);
        for (end = begin + 1; end < sorted && s->words[end] >= lowest;)
            end++;
        rs_pause_at(begin, end, 20);
        if (end - begin > 1)
            sort_by_rest(s, begin, end, shared);
    }
    while (first < sorted && rs_is_tied(s, first))
        first++;
    return first;
}
