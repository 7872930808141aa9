/* Ids of documents and queries, their hashes and the tables that find them. */
#ifndef RANKSPEC_IDS_H
#define RANKSPEC_IDS_H

#include "numerics.h"

uint64_t rs_hash(const char *id, int64_t length);
uint64_t rs_hash_of_number(int64_t x);
bool rs_same_id(const char *x, int64_t x_length, const char *y, int64_t y_length);
bool rs_id_above(const rs_ids *ids, int64_t x, int64_t y);
int64_t rs_slots_for(int64_t n);

/* Eight bytes as a number, the first is the lowest. */
static inline uint64_t rs_load_eight(const char *at)
{
    uint64_t x;
    memcpy(&x, at, sizeof x);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/* The first bytes of an id, at most eight, the others 0; the first is the lowest byte. */
static inline uint64_t rs_first_bytes(const char *id, int64_t length)
{
    if (length <= 0)
        return 0;
    uint64_t x = rs_load_eight(id); /* reads into the padding */
    return length >= 8 ? x : x & (((uint64_t)1 << 8 * length) - 1);
}

/* rs_same_id() of two ids behind which there are bytes that may be read: most are short. */
static inline bool rs_is_same(const char *x, int64_t x_length, const char *y, int64_t y_length)
{
    return x_length == y_length && rs_first_bytes(x, x_length) == rs_first_bytes(y, y_length) &&
           (x_length <= 8 || memcmp(x + 8, y + 8, (size_t)(x_length - 8)) == 0);
}

/* An entry of a hash table: 0, or the upper half of the hash and the index plus 1. */
static inline uint64_t rs_slot(uint64_t hash, int64_t index)
{
    return (hash & ~(uint64_t)UINT32_MAX) | (uint64_t)(index + 1);
}

static inline int64_t rs_index_in(uint64_t slot)
{
    return (int64_t)(slot & UINT32_MAX) - 1;
}

/* Where an id is in a table, or the empty slot where it would be. The lower half of the hash
 * chooses the slot, the upper half is in it. */
static inline int64_t rs_slot_of(const uint64_t *slots, int64_t size, uint64_t hash,
                                 const rs_ids *ids, const char *id, int64_t length)
{
    const uint64_t upper = ~(uint64_t)UINT32_MAX;
    int64_t s = (int64_t)(hash & (uint64_t)(size - 1));
    for (;; s = (s + 1) & (size - 1)) {
        if (slots[s] == 0)
            return s;
        if (((slots[s] ^ hash) & upper) != 0)
            continue;
        int64_t found = rs_index_in(slots[s]);
        if (rs_is_same(ids->text + ids->begin[found], ids->length[found], id, length))
            return s;
    }
}

#endif
