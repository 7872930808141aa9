/* Long calls can be stopped. */
#include "stopping.h"

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
static _Thread_local int64_t work_left;

void rs_on_pause(int32_t (*asked)(void))
{
    is_asked_to_stop = asked;
}

bool rs_begin_call(rs_call *call, bool jumps)
{
    if (at_work || !is_asked_to_stop)
        return false;
    call->jumps = jumps;
    call->leave = NULL;
    call->before = rs_held_rooms();
    at_work = call;
    work_left = WORK_BETWEEN;
    return true;
}

void rs_when_stopped(void (*leave)(void *), void *room)
{
    if (!at_work)
        return;
    at_work->leave = leave;
    at_work->room = room;
}

void rs_end_call(rs_call *call)
{
    if (at_work == call)
        at_work = NULL;
}

bool rs_is_stopped(int64_t work)
{
    rs_call *call = at_work;
    if (!call || (work_left -= work) > 0)
        return false;
    at_work = NULL; /* who is asked may call the core */
    bool stopped = is_asked_to_stop() != 0;
    at_work = call;
    work_left = stopped ? 0 : WORK_BETWEEN;
    return stopped;
}

void rs_pause(int64_t work)
{
    if (!at_work || !at_work->jumps || !rs_is_stopped(work))
        return;
    rs_call *call = at_work;
    if (call->leave)
        call->leave(call->room);
    rs_leave_after(call->before);
    at_work = NULL;
    longjmp(call->back, 1);
}

#endif
