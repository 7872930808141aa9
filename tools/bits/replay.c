/* Calls of the core, as tools/bits/same_bits.py has recorded them, made once more: the values must have the
 * same bits on this machine, by this compiler.
 *
 *     replay < calls
 *
 * Its input is numbers, of which floats are written as their bits, so that it is the same for every
 * order of bytes. First the arrays, each once: how many, the bytes of an element, the elements. An
 * array is then named by its place, 0 is NULL. Then the calls, until the word "end".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../csrc/rankspec.h"

enum { MOST_MEASURES = 8, MOST_SHOWN = 5 };

static void **arrays;
static long long compared, different;

static void *allocated(size_t n)
{
    void *p = calloc(n ? n : 1, 1);
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return p;
}

static uint64_t next(void)
{
    unsigned long long x;
    if (scanf("%llx", &x) != 1) {
        fprintf(stderr, "the calls are cut off\n");
        exit(2);
    }
    return x;
}

static double as_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void read_arrays(void)
{
    size_t n = next();
    arrays = allocated((n + 1) * sizeof *arrays);
    for (size_t i = 1; i <= n; i++) {
        size_t size = next(), bytes = next();
        char *to = arrays[i] = allocated(size * bytes);
        for (size_t j = 0; j < size; j++, to += bytes) {
            uint64_t x = next();
            uint8_t of_8 = (uint8_t)x;
            uint16_t of_16 = (uint16_t)x;
            uint32_t of_32 = (uint32_t)x;
            memcpy(to, bytes == 1 ? (void *)&of_8 : bytes == 2 ? (void *)&of_16
                       : bytes == 4 ? (void *)&of_32 : (void *)&x, bytes);
        }
    }
}

/* ---- what a call takes: its fields in the order in which rankspec.h has them -------------- */

static void *array(void)
{
    return arrays[next()];
}

/* 0: none; 2: the structure that stands before it, which pools may be */
static const rs_lists *lists(const rs_lists *before)
{
    uint64_t kind = next();
    if (kind != 1)
        return kind ? before : NULL;
    rs_lists *x = allocated(sizeof *x);
    x->labels = array(), x->offsets = array(), x->starts = array(), x->unjudged = array();
    x->type = (int32_t)next(), x->size = sizeof *x;
    return x;
}

static const rs_gain *gain(void)
{
    if (!next())
        return NULL;
    rs_gain *x = allocated(sizeof *x);
    x->table = array(), x->size = (int64_t)next(), x->kind = (int32_t)next();
    return x;
}

static const rs_discount *discount(void)
{
    if (!next())
        return NULL;
    rs_discount *x = allocated(sizeof *x);
    x->low = array(), x->high = array(), x->sum_low = array(), x->sum_high = array();
    x->depth = (int64_t)next(), x->unit = next(), x->exponent = (int32_t)next();
    return x;
}

static const rs_points *points(void)
{
    if (!next())
        return NULL;
    rs_points *x = allocated(sizeof *x);
    x->scores = array(), x->relevance = array(), x->n = (int64_t)next();
    x->variant = (int32_t)next(), x->quartiles = (int32_t)next();
    return x;
}

static void measure(rs_measure *x)
{
    x->size = sizeof *x;
    x->metric = (int32_t)next(), x->bound = (int32_t)next(), x->worst = (int32_t)next();
    x->k = array(), x->nk = (int64_t)next(), x->k_ideal = array();
    x->gain = gain(), x->discount = discount(), x->weights = discount(), x->points = points();
    x->q = array(), x->n_q = (int64_t)next();
    x->theta = as_double(next()), x->p = as_double(next());
    x->padding = (int64_t)next(), x->norm = (int32_t)next(), x->ideal = (int32_t)next();
    x->z = (int32_t)next(), x->over = (int32_t)next(), x->first = (int32_t)next();
}

/* ---- what it gives ---------------------------------------------------------------------- */

static void compare(const char *name, uint64_t is, uint64_t expected)
{
    compared++;
    if (is == expected || ++different > MOST_SHOWN)
        return;
    printf("%s: %016llx is not %016llx\n", name, (unsigned long long)is,
           (unsigned long long)expected);
}

static void check_columns(const char *name, const rs_column *to, int64_t m, const int64_t *cells)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t a = 0; a < cells[i]; a++) {
            uint64_t undecided = next(), expected = next(), bits;
            memcpy(&bits, &to[i].out[a], sizeof bits);
            compare(name, to[i].undecided[a], undecided);
            if (!undecided)
                compare(name, bits, expected);
        }
}

static void replay(const char *name)
{
    int is_session = (int)next();
    int64_t n = (int64_t)next(), m = (int64_t)next();
    rs_measure measures[MOST_MEASURES] = {{0}};
    rs_column to[MOST_MEASURES];
    int64_t cells[MOST_MEASURES];
    if (m > MOST_MEASURES)
        exit(2);
    rs_sessions sessions = {.lists = lists(NULL)};
    const rs_lists *pools = lists(sessions.lists);
    sessions.sessions = array(), sessions.documents = array();
    for (int64_t i = 0; i < m; i++) {
        measure(&measures[i]);
        cells[i] = n * measures[i].nk;
        to[i].out = allocated((size_t)cells[i] * sizeof(double));
        to[i].undecided = allocated((size_t)cells[i]);
    }
    rs_trouble trouble = {0};
    int64_t open = is_session ? rs_values_of_sessions(&sessions, pools, n, measures, m, to, &trouble)
                              : rs_values(sessions.lists, pools, n, measures, m, to, &trouble);
    int64_t expected = (int64_t)next();
    compare(name, (uint64_t)open, (uint64_t)expected);
    if (expected >= 0) {
        check_columns(name, to, m, cells);
        return;
    }
    compare(name, (uint64_t)trouble.position, next());
    compare(name, (uint64_t)trouble.in_pool, next());
}

int main(void)
{
    char name[64];
    read_arrays();
    while (scanf("%63s", name) == 1 && strcmp(name, "end") != 0)
        replay(name);
    printf("%lld numbers compared, %lld differ\n", compared, different);
    return different || !compared || strcmp(name, "end") != 0;
}
