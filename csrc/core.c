/* The core as one translation unit, so that the compiler sees across the chapters. */
#define _GNU_SOURCE /* strtod_l */
#include "numerics.c"
#include "gain.c"
#include "dcg.c"
#include "precision.c"
#include "expectation.c"
#include "length.c"
#include "relevance.c"
#include "cascade.c"
#include "variance.c"
#include "bounds.c"
#include "lists.c"
#include "trec.c"
