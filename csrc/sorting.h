/* Items in falling order of their keys, as far down as somebody asks. */
#ifndef RANKSPEC_SORTING_H
#define RANKSPEC_SORTING_H

#include "memory.h"
#include "numerics.h"

typedef int (*rs_compare)(const void *, const void *);

/* Sorts items of at most 16 bytes as qsort() does, but can be stopped. */
void rs_quicksort(void *items, int64_t n, size_t size, rs_compare compare);

/* Room to order the items of a list. keys: what orders them, of each item, which the caller writes
 * words: what is sorted; scratch: for as many */
typedef struct {
    uint64_t *keys;
    int64_t *words, *scratch;
} rs_sorter;

/* Room for lists of at most n items. */
rs_sorter rs_room_to_sort(rs_rooms *rooms, int64_t n);

/* Orders the items 0 to n - 1 by falling key, those of equal key as they come, down to rank `first`
 * and to the last item of the same key. Returns how many that are. */
int64_t rs_order_by_keys(rs_sorter *s, int64_t n, int64_t first);

/* The item at rank i + 1, of those that are in order. */
static inline int64_t rs_item_at(const rs_sorter *s, int64_t i)
{
    return (uint32_t)~(uint64_t)s->words[i];
}

/* Puts an item at rank i + 1, of those that are in order. */
static inline void rs_put_item(rs_sorter *s, int64_t i, int64_t item)
{
    s->words[i] = (int64_t)~(uint64_t)item;
}

/* Whether the item at rank i + 1 has the key of the one above it. */
static inline bool rs_is_tied(const rs_sorter *s, int64_t i)
{
    return i > 0 && s->keys[rs_item_at(s, i)] == s->keys[rs_item_at(s, i - 1)];
}

#endif
