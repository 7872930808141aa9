/* The core for WebAssembly: what a page calls, in one translation unit.
 *
 * Left out: what reads files and tables (lists.c, columns.c, trec.c), resampling, metrics that no page
 * asks for, and the built-in table of 1 / log2(i + 1), which the page has made by
 * rs_discount_logarithm(). tools/wasm.py compiles it; docs/assets/calculator/core.js calls it.
 */
#define _GNU_SOURCE /* as ids.c has it, before the first header of the system */
#define RS_NO_TABLES
#define RS_FEWER_METRICS
#define RS_TEMPLATE static /* each kernel once, not once a measure: for size */
#define RS_INLINE __attribute__((noinline)) static
#include "../memory.c"
#include "../numerics.c"
#include "../discount.c"
#include "../gain.c"
#include "../sorting.c"
#include "../ties.c"
#include "../bounds.c"
#include "../adjust.c"
#include "../filter.c"
#include "../whole_gains.c"
#include "../dcg.c"
#include "../precision.c"
#include "../length.c"
#include "../relevance.c"
#include "../cascade.c"
#include "../users.c"
#include "../utility.c"
#include "../session.c"
#include "../values.c"
#include "../pools.c"
#include "../ids.c"
