/* Memory: the one place that asks for it. Whoever gets none returns RS_NO_MEMORY. */
#ifndef RANKSPEC_MEMORY_H
#define RANKSPEC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> /* free */

#include "stopping.h"

/* Room for n + 1 items, so that room for nothing is no NULL; NULL: there is none, or the product is
 * too large. */
void *rs_allocate(int64_t n, size_t size);
void *rs_allocate_zeros(int64_t n, size_t size);

/* Makes room for n + 1 items where *room is for fewer, or NULL; false: it stays as it is. */
bool rs_enlarge(void **room, int64_t n, size_t size);

/* All the rooms of a call, left together; {0} at first. last: that made last, which knows the one
 * before it; lacking: whether one of them is NULL; held, the first: by the call at work. */
typedef struct {
    rs_held held;
    struct rs_room_head *last;
    bool lacking;
} rs_rooms;

void *rs_room(rs_rooms *rooms, int64_t n, size_t size);
void *rs_room_of_zeros(rs_rooms *rooms, int64_t n, size_t size);
void rs_leave(rs_rooms *rooms);

#endif
