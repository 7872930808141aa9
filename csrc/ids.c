/* Ids of documents and queries, their hashes and the tables that find them. Spec: RS-NUM-27. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* getentropy */
#endif
#include "ids.h"

#include <string.h>
#include <sys/random.h> /* getentropy */
#include <time.h>
#include <unistd.h> /* the same where it is not there */

#include "memory.h"

/* ---- hashes ------------------------------------------------------------------------- */

static uint64_t hash_key[4];

/* A key that nobody can know who writes a file, made when the core is loaded. The address alone is
 * what is left where the system gives no random bytes. */
__attribute__((constructor)) static void choose_hash_key(void)
{
    if (getentropy(hash_key, sizeof hash_key) != 0) {
        hash_key[0] = hash_key[2] = (uint64_t)(uintptr_t)&hash_key;
        hash_key[1] = hash_key[3] = (uint64_t)time(NULL);
    }
}

static inline uint64_t rotated(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

/* SipHash-1-3 of an id: without the key, nobody finds ids of one hash (J.-P. Aumasson and D. J.
 * Bernstein, SipHash: a fast short-input PRF, 2012). */
static inline uint64_t keyed_hash(const char *id, int64_t length, const uint64_t key[2])
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                     key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
    uint64_t last = (uint64_t)length << 56;
    for (; length >= 8; id += 8, length -= 8) {
        uint64_t word = rs_load_eight(id);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    last |= rs_first_bytes(id, length);
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* No result depends on hashes. RS-NUM-27 */
uint64_t rs_hash(const char *id, int64_t length)
{
    return keyed_hash(id, length, hash_key);
}

/* Of a number: the upper half of a x + b, of 128 bits, which two numbers share with a probability of
 * 2^-63; and then mixed, so that numbers in a row do not stand in rows.
 * RS-NUM-27 */
uint64_t rs_hash_of_number(int64_t x)
{
    u128 a = (u128)hash_key[0] << 64 | hash_key[1] | 1, b = (u128)hash_key[2] << 64 | hash_key[3];
    u128 product = (u128)(uint64_t)((a * (uint64_t)x + b) >> 64) * 0x9E3779B97F4A7C15u;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* ---- ids ---------------------------------------------------------------------------- */

bool rs_same_id(const char *x, int64_t x_length, const char *y, int64_t y_length)
{
    return x_length == y_length && memcmp(x, y, (size_t)x_length) == 0;
}

/* Whether id x is above id y in the order of their bytes. */
bool rs_id_above(const rs_ids *ids, int64_t x, int64_t y)
{
    int64_t x_length = ids->length[x], y_length = ids->length[y];
    int order = memcmp(ids->text + ids->begin[x], ids->text + ids->begin[y],
                       (size_t)rs_min(x_length, y_length));
    return order != 0 ? order > 0 : x_length > y_length;
}

/* The ids that newlines divide. Returns how many there are, which is one more than newlines. */
int64_t rs_split(const char *text, int64_t size, rs_ids *ids)
{
    int64_t n = 0, begin = 0;
    for (;;) {
        const char *end = memchr(text + begin, '\n', (size_t)(size - begin));
        int64_t length = end ? end - (text + begin) : size - begin;
        ids->begin[n] = begin;
        ids->length[n++] = length;
        begin += length + 1;
        if (!end)
            break;
    }
    ids->text = text;
    return n;
}

/* ---- hash tables -------------------------------------------------------------------- */

/* The size of a table for n ids: a power of two, and at most half full. */
int64_t rs_slots_for(int64_t n)
{
    int64_t size = 2;
    while (size < 2 * n)
        size *= 2;
    return size;
}

/* How many slots are looked at to put n different ids into a table, by hashes of a key; NULL: that of
 * this process. -2: there is no memory. For tests. */
int64_t rs_count_probes(const rs_ids *ids, int64_t n, const uint64_t *key)
{
    int64_t size = rs_slots_for(n), probes = 0;
    uint64_t *slots = rs_allocate_zeros(size, sizeof *slots);
    if (!slots)
        return RS_NO_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        const char *id = ids->text + ids->begin[i];
        uint64_t hash = keyed_hash(id, ids->length[i], key ? key : hash_key);
        int64_t s = rs_slot_of(slots, size, hash, ids, id, ids->length[i]);
        slots[s] = rs_slot(hash, i);
        probes += ((s - (int64_t)(hash & (uint64_t)(size - 1))) & (size - 1)) + 1;
    }
    free(slots);
    return probes;
}
