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

/* The head of a room, before its memory. */
struct rs_room_head {
    _Alignas(max_align_t) struct rs_room_head *before;
};

static void leave_rooms(rs_held *held)
{
    rs_leave((rs_rooms *)held);
}

static void *noted(rs_rooms *rooms, struct rs_room_head *room)
{
    if (!room) {
        rooms->lacking = true;
        return NULL;
    }
    if (!rooms->last) {
        rooms->held.leave = leave_rooms;
        rs_hold(&rooms->held);
    }
    room->before = rooms->last;
    rooms->last = room;
    return room + 1;
}

static bool bytes_of_room(int64_t n, size_t size, size_t *bytes)
{
    return bytes_of(n, size, bytes) &&
           !__builtin_add_overflow(*bytes, sizeof(struct rs_room_head), bytes);
}

void *rs_room(rs_rooms *rooms, int64_t n, size_t size)
{
    size_t bytes;
    return noted(rooms, bytes_of_room(n, size, &bytes) ? malloc(bytes) : NULL);
}

void *rs_room_of_zeros(rs_rooms *rooms, int64_t n, size_t size)
{
    size_t bytes;
    return noted(rooms, bytes_of_room(n, size, &bytes) ? calloc(1, bytes) : NULL);
}

void rs_leave(rs_rooms *rooms)
{
    rs_release(&rooms->held);
    for (struct rs_room_head *room = rooms->last, *before; room; room = before) {
        before = room->before;
        free(room);
    }
    *rooms = (rs_rooms){0};
}
