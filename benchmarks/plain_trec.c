/* nDCG@10 and AP of a run that is grouped by query, as a plain program in doubles has them: the
 * least that must be done. It trusts its files, and numbers of another form than digits with a point.
 *
 *     plain_trec QRELS RUN
 *
 * Ties are ordered by id, descending, as trec_eval does; a document that a list has twice counts
 * twice. benchmarks/trec.py compiles it.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { CUT = 10, MOST_LABEL = 16 };

typedef struct {
    const char *at;
    long n;
} text;

typedef struct {
    text id;
    double score;
    int label;
} document;

/* Judgments in a table by the hash of both ids, and the labels of each query. */
typedef struct {
    text query, id;
    int label, used;
} judgment;

typedef struct {
    text id;
    long count[MOST_LABEL];
    int used;
} pool;

static judgment *judgments;
static pool *pools;
static unsigned long mask;

static unsigned long hash_of(text x, unsigned long h)
{
    for (long i = 0; i < x.n; i++)
        h = (h ^ (unsigned char)x.at[i]) * 1099511628211u;
    return h ^ h >> 29;
}

static int same(text x, text y)
{
    return x.n == y.n && memcmp(x.at, y.at, (size_t)x.n) == 0;
}

static judgment *judgment_of(text query, text id)
{
    unsigned long s = hash_of(id, hash_of(query, 14695981039346656037u)) & mask;
    while (judgments[s].used && !(same(judgments[s].id, id) && same(judgments[s].query, query)))
        s = (s + 1) & mask;
    return &judgments[s];
}

static pool *pool_of(text query)
{
    unsigned long s = hash_of(query, 14695981039346656037u) & mask;
    while (pools[s].used && !same(pools[s].id, query))
        s = (s + 1) & mask;
    return &pools[s];
}

static text map_file(const char *name)
{
    struct stat about;
    int file = open(name, O_RDONLY);
    if (file < 0 || fstat(file, &about) != 0)
        exit(1);
    const char *at = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    return (text){at, about.st_size};
}

static text next_column(const char **p, const char *end)
{
    while (*p < end && (**p == ' ' || **p == '\t' || **p == '\n'))
        ++*p;
    text found = {*p, 0};
    while (*p < end && **p != ' ' && **p != '\t' && **p != '\n')
        ++*p;
    found.n = *p - found.at;
    return found;
}

static double number(text x)
{
    static const double ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    long i = x.n && x.at[0] == '-', negative = i, point = x.n - 1;
    double digits = 0;
    for (; i < x.n; i++)
        if (x.at[i] == '.')
            point = i;
        else
            digits = 10 * digits + (x.at[i] - '0');
    digits /= ten[x.n - 1 - point];
    return negative ? -digits : digits;
}

static int above(const void *x, const void *y)
{
    const document *a = x, *b = y;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    int order = memcmp(b->id.at, a->id.at, (size_t)(a->id.n < b->id.n ? a->id.n : b->id.n));
    return order ? order : (int)(b->id.n - a->id.n);
}

static void read_qrels(text file)
{
    const char *end = file.at + file.n;
    unsigned long size = 2, lines = 0;
    for (const char *p = file.at; p < end; p++)
        lines += *p == '\n';
    while (size < 2 * lines + 2)
        size *= 2;
    mask = size - 1;
    judgments = calloc(size, sizeof *judgments);
    pools = calloc(size, sizeof *pools);
    for (const char *p = file.at;;) {
        text query = next_column(&p, end);
        next_column(&p, end);
        text id = next_column(&p, end), label = next_column(&p, end);
        if (!label.n)
            return;
        judgment *j = judgment_of(query, id);
        pool *own = pool_of(query);
        *j = (judgment){query, id, atoi(label.at), 1};
        own->id = query;
        own->used = 1;
        own->count[j->label]++;
    }
}

static double sums[2];

static void evaluate(const pool *own, document *list, long n)
{
    double dcg = 0, ideal = 0, precisions = 0;
    long relevant = 0, all = 0, rank = 0, rises = 0;
    for (long i = 1; i < n; i++)
        rises |= above(&list[i - 1], &list[i]) > 0;
    if (rises)
        qsort(list, (size_t)n, sizeof *list, above);
    for (long i = 0; i < n; i++) {
        if (list[i].label > 0)
            precisions += (double)++relevant / (double)(i + 1);
        if (i < CUT)
            dcg += list[i].label / log2((double)i + 2);
    }
    for (int label = MOST_LABEL - 1; label > 0; label--) {
        all += own->count[label];
        for (long i = 0; i < own->count[label] && rank < CUT; i++)
            ideal += label / log2((double)++rank + 1);
    }
    sums[0] += ideal > 0 ? dcg / ideal : 0;
    sums[1] += all ? precisions / (double)all : 0;
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments != 3)
        return 1;
    read_qrels(map_file(arguments[1]));
    text run = map_file(arguments[2]), query = {NULL, 0};
    const char *end = run.at + run.n;
    const pool *own = NULL;
    document *list = NULL;
    long n = 0, room = 0, queries = 0;
    for (const char *p = run.at;;) {
        text name = next_column(&p, end);
        if (!name.n || !query.at || !same(name, query)) {
            if (own && own->used)
                evaluate(own, list, n);
            if (!name.n)
                break;
            query = name;
            own = pool_of(query);
            n = 0;
        }
        next_column(&p, end);
        text id = next_column(&p, end);
        next_column(&p, end);
        text score = next_column(&p, end);
        next_column(&p, end);
        if (n == room && !(list = realloc(list, (size_t)(room = 2 * room + 1024) * sizeof *list)))
            return 1;
        const judgment *j = judgment_of(query, id);
        list[n++] = (document){id, number(score), j->used ? j->label : 0};
    }
    for (unsigned long s = 0; s <= mask; s++)
        queries += pools[s].used;
    printf("nDCG@10 %.4f\nAP %.4f\n", sums[0] / (double)queries, sums[1] / (double)queries);
    return 0;
}
