/* The core as one translation unit, so that the compiler sees across the chapters. */
#include "numerics.c"
#include "gain.c"
#include "dcg.c"
#include "precision.c"
#include "expectation.c"
