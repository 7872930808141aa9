/* Long calls can be stopped. */
#include "stopping.h"

#include <stdatomic.h>
#include <stddef.h>

#include "rankspec.h"

#ifdef __wasm__

void rs_on_pause(int32_t (*asked)(void))
{
    (void)asked;
}

#else

enum { WORK_BETWEEN = 1 << 25 }; /* nanoseconds, or some of them */

static int32_t (*is_asked_to_stop)(void);
static _Thread_local rs_call *at_work;

/* The calls at work in all threads. Where there are none, short calls are spared the look at a
 * variable of their thread, which glibc before 2.39 may take 20 nanoseconds to find. */
static _Atomic int32_t n_at_work;

static rs_call *own_call(void)
{
    return atomic_load_explicit(&n_at_work, memory_order_relaxed) ? at_work : NULL;
}

void rs_on_pause(int32_t (*asked)(void))
{
    is_asked_to_stop = asked;
}

bool rs_begin_call(rs_call *call, bool jumps)
{
    *call = (rs_call){.begun = false};
    if (!is_asked_to_stop || own_call())
        return false;
    call->begun = true;
    call->jumps = jumps;
    call->work_left = WORK_BETWEEN;
    at_work = call;
    atomic_fetch_add_explicit(&n_at_work, 1, memory_order_relaxed);
    return true;
}

void rs_end_call(rs_call *call)
{
    if (!call->begun)
        return;
    atomic_fetch_sub_explicit(&n_at_work, 1, memory_order_relaxed);
    at_work = NULL;
}

void rs_when_stopped(void (*leave)(void *), void *room)
{
    rs_call *call = own_call();
    if (!call)
        return;
    call->leave = leave;
    call->room = room;
}

void rs_hold(rs_held *x)
{
    rs_call *call = own_call();
    x->held = call;
    if (!call)
        return;
    x->next = call->held;
    call->held = x;
}

void rs_release(rs_held *x)
{
    if (!x->held)
        return;
    rs_held **at = &own_call()->held;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    x->held = false;
}

/* Counts the work of a call, and after enough of it asks whether to stop. */
static bool is_stopped(rs_call *call, int64_t work)
{
    if ((call->work_left -= work) > 0)
        return false;
    at_work = NULL; /* who is asked may call the core */
    bool stopped = is_asked_to_stop() != 0;
    at_work = call;
    call->work_left = stopped ? 0 : WORK_BETWEEN;
    return stopped;
}

__attribute__((noinline)) bool rs_is_stopped(int64_t work)
{
    rs_call *call = own_call();
    return call && is_stopped(call, work);
}

__attribute__((noinline)) void rs_pause(int64_t work)
{
    rs_call *call = own_call();
    if (!call || !call->jumps || !is_stopped(call, work))
        return;
    if (call->leave)
        call->leave(call->room);
    while (call->held)
        call->held->leave(call->held);
    longjmp(call->back, 1);
}

#endif
