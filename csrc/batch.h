/* The loop of every batch, which takes lists in, refuses, writes values and marks what is undecided.
 *
 * It is a template: a kernel gives two functions that the compiler knows where it inlines the loop,
 * so that no list costs a call by a pointer.
 */
#ifndef RANKSPEC_BATCH_H
#define RANKSPEC_BATCH_H

#include "memory.h"
#include "numerics.h"
#include "stopping.h"

/* A build for size, as that for WebAssembly is, has its own. */
#ifndef RS_TEMPLATE
#define RS_TEMPLATE static inline __attribute__((always_inline))
#endif

/* Where the results of a batch go: rules 3 and 4 of rankspec.h. */
typedef struct {
    double *out;
    uint8_t *undecided;
    int64_t *refused;
    int32_t *in_pool;
} rs_results;

/* What is known of a list that was taken in: its numbers, or that they take more bits than these. */
enum { RS_KNOWN, RS_TOO_FEW_BITS };

/* Refuses a label of a list or of its pool. */
static inline int64_t rs_refuse(const rs_results *to, int64_t position, bool in_pool)
{
    *to->refused = position;
    *to->in_pool = in_pool;
    return RS_REFUSED;
}

/* take_in: reads list a and its pool and makes numbers of them: RS_KNOWN, RS_TOO_FEW_BITS, what
 * rs_refuse() returns, or RS_NO_MEMORY. write: writes its values, and returns how many of them are
 * undecided, all of them where it is not known. */
typedef int64_t rs_take_in(void *kernel, int64_t a, const rs_results *to);
typedef int64_t rs_write(void *kernel, int64_t a, bool known, const rs_results *to);

enum { RS_WORK_OF_A_LIST = 1 << 10 }; /* of a short one: loops over the labels of a long list pause */

RS_TEMPLATE int64_t rs_for_each_list(void *kernel, int64_t n, rs_take_in *take_in, rs_write *write,
                                     const rs_results *to)
{
    int64_t open = 0;
    for (int64_t a = 0; a < n; a++) {
        rs_pause(RS_WORK_OF_A_LIST);
        int64_t taken = take_in(kernel, a, to);
        if (taken < 0)
            return taken;
        open += write(kernel, a, taken == RS_KNOWN, to);
    }
    return open;
}

/* The value at the cut-off j, which rises; false where it is undecided. */
typedef bool rs_value_at(void *kernel, int64_t j, double *out);

/* What write() is of a measure: the values of list a at nk cut-offs. */
RS_TEMPLATE int64_t rs_write_values(void *kernel, int64_t a, int64_t nk, bool known,
                                    rs_value_at *value, const rs_results *to)
{
    int64_t open = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t cell = a * nk + j;
        bool decided = known && value(kernel, j, &to->out[cell]);
        to->undecided[cell] = !decided;
        open += !decided;
    }
    return open;
}

/* The same of a measure whose value at each cut-off is above / below. */
RS_TEMPLATE int64_t rs_write_quotients(int64_t a, int64_t nk, bool known, const rs_number *above,
                                       const rs_number *below, const rs_results *to)
{
    int64_t open = 0;
    for (int64_t j = 0; j < nk; j++) {
        int64_t cell = a * nk + j;
        bool decided = known && rs_round_quotient(&above[j], &below[j], &to->out[cell]);
        to->undecided[cell] = !decided;
        open += !decided;
    }
    return open;
}

/* Lists as the caller knows them: what lies behind the structure's size is NULL. */
static inline rs_lists rs_known_lists(const rs_lists *given)
{
    const size_t least = offsetof(rs_lists, unjudged);
    size_t size = given->size < sizeof *given ? given->size : sizeof *given;
    rs_lists known = {0};
    memcpy(&known, given, size < least ? least : size);
    return known;
}

/* Where the tie groups of list a begin; NULL: its order is settled, or each item is one. */
static inline const uint8_t *rs_starts_of(const rs_lists *lists, int64_t a)
{
    if (!lists->starts)
        return NULL;
    const uint8_t *starts = lists->starts + lists->offsets[a];
    size_t n = (size_t)(lists->offsets[a + 1] - lists->offsets[a]);
    return n > 1 && memchr(starts + 1, 0, n - 1) ? starts : NULL;
}

/* Whether nobody judged an item, of those of list a; NULL: the caller does not say. */
static inline const uint8_t *rs_unjudged_of(const rs_lists *lists, int64_t a)
{
    return lists->unjudged ? lists->unjudged + lists->offsets[a] : NULL;
}

/* nk numbers, each of them 1: what is not divided. */
static inline rs_number *rs_room_of_ones(rs_rooms *rooms, int64_t nk)
{
    rs_number *ones = rs_room(rooms, nk, sizeof *ones);
    for (int64_t j = 0; j < nk && ones; j++)
        ones[j] = rs_integer(1);
    return ones;
}

/* The length of the longest of the lists and of the pools. */
static inline int64_t rs_longest_of(const rs_lists *lists, const rs_lists *pools, int64_t n)
{
    int64_t most = rs_longest(lists, n), most_pooled = pools == lists ? 0 : rs_longest(pools, n);
    return most > most_pooled ? most : most_pooled;
}

#endif
