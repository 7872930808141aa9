/* Long calls can be stopped, by whoever has set a function that is asked now and then.
 *
 * A loop that may run long says how much work it has done, in nanoseconds by rule of thumb; after some
 * tens of milliseconds of it the function is asked. If it says so, the call ends with RS_STOPPED:
 * rs_pause() goes back to its beginning at once, when all its rooms have been left; where memory is not
 * in rooms, a loop asks rs_is_stopped() and returns by itself.
 */
#ifndef RANKSPEC_STOPPING_H
#define RANKSPEC_STOPPING_H

#include "memory.h"

/* A loop over labels or rows pauses once in so many. */
enum { RS_STRIDE = 1 << 12 };

#ifdef __wasm__ /* which has no setjmp(): no call can be stopped */

#define RS_STOPPABLE(result)
#define RS_STOPPABLE_BY_ITSELF
static inline bool rs_is_stopped(int64_t work)
{
    (void)work;
    return false;
}
static inline void rs_pause(int64_t work)
{
    (void)work;
}
static inline void rs_when_stopped(void (*leave)(void *), void *room)
{
    (void)leave, (void)room;
}

#else

#include <setjmp.h>

/* A call at work. leave: frees what is not in rooms, or NULL; jumps: whether `back` is where it
 * begins; before: the rooms that there were. */
typedef struct {
    jmp_buf back;
    bool jumps;
    const rs_rooms *before;
    void (*leave)(void *);
    void *room;
} rs_call;

/* false: nobody can stop the call, or it is part of one that can be stopped. */
bool rs_begin_call(rs_call *call, bool jumps);
void rs_end_call(rs_call *call);

bool rs_is_stopped(int64_t work);
void rs_pause(int64_t work);

/* Sets the function that frees memory outside of rooms if the call at work is stopped; NULL: none. */
void rs_when_stopped(void (*leave)(void *), void *room);

/* From here on the function that this stands in can be stopped; what it returns then. */
#define RS_STOPPABLE(result)                                                  \
    rs_call call_at_work __attribute__((cleanup(rs_end_call)));               \
    if (rs_begin_call(&call_at_work, true))                                   \
        if (setjmp(call_at_work.back))                                        \
    return result

/* The same where each loop asks by itself. */
#define RS_STOPPABLE_BY_ITSELF                                                \
    rs_call call_at_work __attribute__((cleanup(rs_end_call)));               \
    rs_begin_call(&call_at_work, false)

#endif

/* Pauses where n items are many, each of which was so much work. */
static inline void rs_pause_over(int64_t n, int64_t each)
{
    if (n > RS_STRIDE)
        rs_pause(n * each);
}

/* Pauses once a stride, where a loop goes on from item s to item end; each: the work of one. */
static inline void rs_pause_at(int64_t s, int64_t end, int64_t each)
{
    if ((s ^ end) & ~(int64_t)(RS_STRIDE - 1))
        rs_pause(RS_STRIDE * each);
}

#endif
