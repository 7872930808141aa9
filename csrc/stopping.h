/* Long calls can be stopped, by whoever has set a function that is asked now and then.
 *
 * A loop that may run long says how much work it has done, in nanoseconds by rule of thumb; after some
 * tens of milliseconds of it the function is asked. If it says so, the call ends with RS_STOPPED:
 * rs_pause() goes back to its beginning at once, when all its rooms have been left; where memory is not
 * in rooms, a loop asks rs_is_stopped() and returns by itself.
 */
#ifndef RANKSPEC_STOPPING_H
#define RANKSPEC_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

/* What a call holds, in a list: leave() frees it if the call is stopped; held: whether it is there. */
typedef struct rs_held {
    struct rs_held *next;
    void (*leave)(struct rs_held *);
    bool held;
} rs_held;

/* A loop over labels or rows pauses once in so many: where that is tested for each, or in parts. */
enum { RS_STRIDE = 1 << 12, RS_PART = 1 << 20 };

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
static inline void rs_hold(rs_held *x)
{
    (void)x;
}
static inline void rs_release(rs_held *x)
{
    (void)x;
}

#else

#include <setjmp.h>

/* A call at work. begun: by rs_begin_call(); jumps: whether `back` is where it begins; held: since;
 * leave: frees what is not held so, or NULL. */
typedef struct {
    jmp_buf back;
    bool begun, jumps;
    int64_t work_left; /* until it asks whether to stop */
    rs_held *held;
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

/* Adds to what the call at work holds, if there is one, and takes out. */
void rs_hold(rs_held *x);
void rs_release(rs_held *x);

/* From here on the function that this stands in can be stopped; what it returns then. The compiler
 * keeps few variables of such a function in registers: loops stand in others, which it calls. */
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

/* The end of a part of a loop, from item i on, of n items, each of which is so much work. It pauses
 * before: a test of each item would slow down a loop of a few nanoseconds an item. */
static inline int64_t rs_part(int64_t i, int64_t n, int64_t each)
{
    int64_t end = n - i > RS_PART ? i + RS_PART : n;
    rs_pause_over(end - i, each);
    return end;
}

/* Pauses once a stride, where a loop goes on from item s to item end; each: the work of one. */
static inline void rs_pause_at(int64_t s, int64_t end, int64_t each)
{
    if ((s ^ end) & ~(int64_t)(RS_STRIDE - 1))
        rs_pause(RS_STRIDE * each);
}

#endif
