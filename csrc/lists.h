/* The ranking of the documents of a query. */
#ifndef RANKSPEC_LISTS_H
#define RANKSPEC_LISTS_H

#include "ids.h"
#include "sorting.h"
#include "ties.h"

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
    rs_sorter order;               /* by score */
    ranked_item *items, *scratch; /* of a tie group */
    uint64_t *slots, *bits;
    int64_t size_of_slots;
} ranker;

bool rs_add(ranker *r, int64_t begin, int64_t length, double score);
int64_t rs_rank_query(ranker *r, int64_t query, rs_ranked *lists, int64_t *at);
void rs_free_ranker(ranker *r);

#endif
