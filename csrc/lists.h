/* Ids, their hash tables, and the ranking of documents. */
#ifndef RANKSPEC_LISTS_H
#define RANKSPEC_LISTS_H

#include "numerics.h"

/* A document to be ranked. */
typedef struct {
    uint64_t score;   /* rises with the score */
    uint64_t rule;    /* falls with the rank among equal scores */
    int64_t position; /* in the order of the input */
} ranked_item;

/* The order of the ids at the items' positions. */
typedef struct {
    const rs_ids *ids;
    bool ascending;
} id_order;

void rs_sort(ranked_item *items, ranked_item *scratch, int64_t n, const id_order *ids);

enum { RS_NO_RANK = -1, RS_RANK, RS_RANK_OPEN };

/* The rank column of a line; where it is RS_RANK_OPEN, it may be a whole number that is not
 * read here. */
typedef struct {
    int64_t rank;
    int32_t kind;
} said_rank;

/* The documents of one query as they come, and room for what ranking them needs. ranks: as the
 * lines say them, where somebody asks for remarks. */
typedef struct {
    const rs_judgments *judgments;
    const rs_conventions *by;
    rs_ids ids;
    uint64_t *hash;
    double *score;
    said_rank *ranks;
    int64_t *judgment; /* of each document, or -1 */
    int64_t n, room;
    ranked_item *items, *scratch;
    uint64_t *slots;
} ranker;

uint64_t rs_hash(const char *id, int64_t length);
uint64_t rs_hash_of_number(int64_t x);
bool rs_same_id(const char *x, int64_t x_length, const char *y, int64_t y_length);
bool rs_id_above(const rs_ids *ids, int64_t x, int64_t y);
bool rs_add(ranker *r, int64_t begin, int64_t length, double score);
int64_t rs_rank_query(ranker *r, int64_t query, rs_ranked *lists, int64_t *at);
int64_t rs_slot_of(const uint64_t *slots, int64_t size, uint64_t hash, const rs_ids *ids,
                   const char *id, int64_t length);
int64_t rs_slots_for(int64_t n);
void rs_free_ranker(ranker *r);

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

/* An entry of a hash table: 0, or the upper half of the hash and the index plus 1. */
static inline uint64_t rs_slot(uint64_t hash, int64_t index)
{
    return (hash & ~(uint64_t)UINT32_MAX) | (uint64_t)(index + 1);
}

static inline int64_t rs_index_in(uint64_t slot)
{
    return (int64_t)(slot & UINT32_MAX) - 1;
}

#endif
