/* Random words, which are functions of a seed and of where they stand. */
#ifndef RANKSPEC_RANDOMNESS_H
#define RANKSPEC_RANDOMNESS_H

#include <stdint.h>

enum { RS_LANES = 16 };

/* A stream of words: those of a seed for a purpose, of one replicate. */
typedef struct {
    uint64_t seed;
    uint32_t purpose, replicate;
} rs_stream;

/* The words of the blocks position[0] to position[RS_LANES - 1]: to[j][lane] is word j of its block.
 */
void rs_words(const rs_stream *stream, const uint64_t position[RS_LANES],
              uint32_t to[4][RS_LANES]);

#endif
