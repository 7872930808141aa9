/* Memory: the one place that asks for it. */
#include "memory.h"

static bool bytes_of(int64_t n, size_t size, size_t *bytes)
{
    return n >= 0 && !__builtin_mul_overflow((uint64_t)n + 1, size, bytes);
}

void *rs_allocate(int64_t n, size_t size)
{
    size_t bytes;
    return bytes_of(n, size, &bytes) ? malloc(bytes) : NULL;
}

void *rs_allocate_zeros(int64_t n, size_t size)
{
    return n >= 0 ? calloc((size_t)n + 1, size) : NULL;
}

bool rs_enlarge(void **room, int64_t n, size_t size)
{
    size_t bytes;
    void *larger = bytes_of(n, size, &bytes) ? realloc(*room, bytes) : NULL;
    *room = larger ? larger : *room;
    return larger;
}

static _Thread_local rs_rooms *held_rooms;

static void *noted(rs_rooms *rooms, void *room)
{
    if (room && rooms->n == 0) {
        rooms->next = held_rooms;
        held_rooms = rooms;
    }
    if (room && rooms->n < RS_MOST_ROOMS)
        return rooms->of[rooms->n++] = room;
    free(room);
    rooms->lacking = true;
    return NULL;
}

void *rs_room(rs_rooms *rooms, int64_t n, size_t size)
{
    return noted(rooms, rs_allocate(n, size));
}

void *rs_room_of_zeros(rs_rooms *rooms, int64_t n, size_t size)
{
    return noted(rooms, rs_allocate_zeros(n, size));
}

void rs_leave(rs_rooms *rooms)
{
    rs_rooms **at = &held_rooms;
    while (*at && *at != rooms)
        at = &(*at)->next;
    if (*at)
        *at = rooms->next;
    for (int32_t a = 0; a < rooms->n; a++)
        free(rooms->of[a]);
    rooms->n = 0;
    rooms->lacking = false;
}

const rs_rooms *rs_held_rooms(void)
{
    return held_rooms;
}

void rs_leave_after(const rs_rooms *before)
{
    while (held_rooms != before)
        rs_leave(held_rooms);
}
