/* What of the core reads TREC files: all of it would take a minute to compile with sanitizers. */
#define _GNU_SOURCE /* as ids.c and trec.c have it, before the first header of the system */
#include "../../csrc/memory.c"
#include "../../csrc/stopping.c"
#include "../../csrc/numerics.c"
#include "../../csrc/gain.c"
#include "../../csrc/sorting.c"
#include "../../csrc/ties.c"
#include "../../csrc/ids.c"
#include "../../csrc/lists.c"
#include "../../csrc/trec.c"
