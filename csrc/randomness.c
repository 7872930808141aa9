/* Random words and the arrangements made of them. Spec: chapter "randomness".
 *
 * All is in integers: a result does not depend on the number of threads, nor on which replicates are
 * computed in one call.
 */
#include "randomness.h"

#include <string.h>

#include "binding.h"
#include "memory.h"
#include "numerics.h"
#include "stopping.h"

enum { DRAWS = 2, PERMUTATIONS = 3, PURPOSES = 256, ROUNDS = 10 };

/* ---- words ------------------------------------------------------------------------------ */

typedef struct {
    uint32_t c[4][RS_LANES];
} counters;

/* Philox4x32-10 of RS_LANES counters with one key. RS-RND-1 */
RS_CLONES static void philox(counters *x, uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int lane = 0; lane < RS_LANES; lane++) {
            uint64_t p0 = 0xD2511F53ull * x->c[0][lane], p1 = 0xCD9E8D57ull * x->c[2][lane];
            x->c[0][lane] = (uint32_t)(p1 >> 32) ^ x->c[1][lane] ^ k0;
            x->c[2][lane] = (uint32_t)(p0 >> 32) ^ x->c[3][lane] ^ k1;
            x->c[1][lane] = (uint32_t)p1;
            x->c[3][lane] = (uint32_t)p0;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

/* RS-RND-2 */
void rs_words(const rs_stream *stream, const uint64_t position[RS_LANES],
              uint32_t to[4][RS_LANES])
{
    counters x;
    for (int lane = 0; lane < RS_LANES; lane++) {
        x.c[0][lane] = (uint32_t)position[lane];
        x.c[1][lane] = (uint32_t)(position[lane] >> 32);
        x.c[2][lane] = stream->replicate;
        x.c[3][lane] = stream->purpose;
    }
    philox(&x, (uint32_t)stream->seed, (uint32_t)(stream->seed >> 32));
    memcpy(to, x.c, sizeof x.c);
}

/* The word at a place of a stream, by itself. RS-RND-2 */
static uint32_t word(const rs_stream *stream, uint64_t place)
{
    uint64_t position[RS_LANES] = {place / 4};
    uint32_t words[4][RS_LANES];
    rs_words(stream, position, words);
    return words[place % 4][0];
}

/* An integer from 0 to n - 1 of the word w at a place, or of the first attempt after it that is
 * accepted. The divisor is needed only where the rest is small. RS-RND-3 */
static inline uint32_t below(uint32_t n, uint32_t w, const rs_stream *stream, uint64_t place)
{
    uint64_t product = (uint64_t)w * n;
    rs_stream attempt = *stream;
    while ((uint32_t)product < n && (uint32_t)product < (uint32_t)-n % n) {
        attempt.purpose += PURPOSES;
        product = (uint64_t)word(&attempt, place) * n;
    }
    return (uint32_t)(product >> 32);
}

/* ---- draws ------------------------------------------------------------------------------ */

/* How often each of the queries is drawn, in each of the replicates first to first + n - 1: n rows.
 * RS-RND-5 */
void rs_draws(uint64_t seed, int64_t first, int64_t n, int64_t queries, double *counts)
{
    RS_STOPPABLE();
    for (int64_t r = 0; r < n; r++) {
        rs_stream stream = {seed, DRAWS, (uint32_t)(first + r)};
        double *row = counts + r * queries;
        memset(row, 0, (size_t)queries * sizeof *row);
        rs_pause(4 * queries);
        for (int64_t begin = 0; begin < queries; begin += 4 * RS_LANES) {
            uint64_t position[RS_LANES];
            uint32_t words[4][RS_LANES];
            for (int lane = 0; lane < RS_LANES; lane++)
                position[lane] = (uint64_t)begin / 4 + (uint64_t)lane;
            rs_words(&stream, position, words);
            for (int i = 0; i < 4 * RS_LANES && begin + i < queries; i++)
                row[below((uint32_t)queries, words[i % 4][i / 4], &stream,
                          (uint64_t)(begin + i))] += 1;
        }
    }
}

/* ---- permutations within topics --------------------------------------------------------- */

/* X: topics x systems, summed over the topics after each has been permuted. */
typedef struct {
    const int64_t *X;
    int64_t topics, systems;
    uint32_t (*words)[RS_LANES]; /* by step, of some topics at once */
    int64_t *row, *sums;
} permuting;

/* The words of the steps of some topics, from the first on. RS-RND-6 */
static void words_of_topics(permuting *of, const rs_stream *stream, int64_t first)
{
    for (int64_t step = 0; step < of->systems - 1; step += 4) {
        uint64_t position[RS_LANES];
        for (int lane = 0; lane < RS_LANES; lane++)
            position[lane] = ((uint64_t)(first + lane) << 32) + (uint64_t)step / 4;
        rs_words(stream, position, of->words + step);
    }
}

/* Adds a topic to the sums, its values permuted by Fisher and Yates. RS-RND-6 */
static inline void add_permuted(permuting *of, const rs_stream *stream, int64_t topic, int lane)
{
    int64_t m = of->systems, *row = of->row;
    memcpy(row, of->X + topic * m, (size_t)m * sizeof *row);
    for (int64_t step = 0; step < m - 1; step++) {
        int64_t last = m - 1 - step;
        uint32_t other = below((uint32_t)last + 1, of->words[step][lane], stream,
                               ((uint64_t)topic << 34) + (uint64_t)step);
        int64_t value = row[last];
        row[last] = row[other];
        row[other] = value;
        of->sums[last] += row[last];
    }
    of->sums[0] += row[0];
}

/* The greatest less the least of the sums of the systems, in each of the replicates first to
 * first + n - 1. No sum of values, and no difference of such sums, is beyond int64_t. RS-RND-11 */
int64_t rs_permuted_ranges(uint64_t seed, int64_t first, int64_t n, const int64_t *X,
                           int64_t topics, int64_t systems, int64_t *ranges)
{
    RS_STOPPABLE(RS_STOPPED);
    rs_rooms rooms = {0};
    permuting of = {.X = X, .topics = topics, .systems = systems};
    of.words = rs_room(&rooms, systems + 4, sizeof *of.words);
    of.row = rs_room(&rooms, systems, sizeof *of.row);
    of.sums = rs_room(&rooms, systems, sizeof *of.sums);
    for (int64_t r = 0; r < n && !rooms.lacking; r++) {
        rs_stream stream = {seed, PERMUTATIONS, (uint32_t)(first + r)};
        memset(of.sums, 0, (size_t)systems * sizeof *of.sums);
        rs_pause(6 * topics * systems);
        for (int64_t begin = 0; begin < topics; begin += RS_LANES) {
            words_of_topics(&of, &stream, begin);
            for (int lane = 0; lane < RS_LANES && begin + lane < topics; lane++)
                add_permuted(&of, &stream, begin + lane, lane);
        }
        int64_t low = of.sums[0], high = of.sums[0];
        for (int64_t a = 1; a < systems; a++) {
            low = of.sums[a] < low ? of.sums[a] : low;
            high = of.sums[a] > high ? of.sums[a] : high;
        }
        ranges[r] = high - low;
    }
    int64_t verdict = rooms.lacking ? RS_NO_MEMORY : 0;
    rs_leave(&rooms);
    return verdict;
}
