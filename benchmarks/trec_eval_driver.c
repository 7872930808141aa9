/* The means of nDCG@10 and AP by trec_eval's own library: what the trec_eval program does for
 * `trec_eval -m ndcg_cut.10 -m map QRELS RUN`.
 *
 * PyPI has no source of trec_eval, but pytrec_eval-terrier's wheels have all of it but main,
 * compiled (-O3), in their extension module; trec.py links this file with that module. The types
 * below are the module's binary interface, as its debugging information gives it; the names are
 * our own, and what is not needed is void.
 *
 * The order of calls is that of the program: read both files, prepare the measures, and for each
 * query of the run search the qrels from their start. Nothing is freed at the end, which is to
 * trec_eval's favour.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>

struct argument {
    char *measure, *parameters;
};

struct options {
    long per_query, summary, debug_level;
    char *debug_query;
    long relational, over_all_judged_queries, judged_only, collection_size;
    long relevance_level, depth;
    char *qrels_format, *run_format;
    long zscores;
    struct argument *arguments; /* to a null measure */
};

struct value {
    char *name;
    double value;
};

struct values {
    char *query;
    long queries;
    struct value *values;
    long length, capacity;
};

struct judged_query {
    char *id, *format;
    void *judgments;
};

struct judged_queries {
    long length, capacity;
    struct judged_query *queries;
};

struct retrieved_query {
    char *id, *tag, *format;
    void *documents;
};

struct retrieved_queries {
    long length, capacity;
    struct retrieved_query *queries;
};

struct measure {
    char *name, *explanation;
    int (*prepare)(struct options *, struct measure *, struct values *);
    int (*evaluate)(const struct options *, const struct judged_query *,
                    const struct retrieved_query *, const struct measure *, struct values *);
    int (*add)(const struct options *, const struct measure *, const struct values *,
               struct values *);
    int (*average)(const struct options *, const struct measure *, const struct judged_queries *,
                   struct values *);
    int (*print_query)(const struct options *, const struct measure *, const struct values *);
    int (*print_mean)(const struct options *, struct measure *, struct values *);
    void *parameters;
    long index;
};

extern int te_get_qrels(struct options *, char *, struct judged_queries *);
extern int te_get_trec_results(struct options *, char *, struct retrieved_queries *);
extern struct measure te_meas_ndcg_cut, te_meas_map;

/* The module refers to these, and the linker wants them at start-up; the functions of Python that
 * it calls are looked for only when called, which never happens here. */
char PyExc_TypeError[8], PyFloat_Type[512], PySet_Type[512], _Py_NoneStruct[64];

static void must(int status, const char *what)
{
    if (status == -1) {
        fprintf(stderr, "trec_eval_driver: %s failed\n", what);
        exit(1);
    }
}

static struct judged_query *find(struct judged_queries *judged, const char *id)
{
    for (long j = 0; j < judged->length; j++)
        if (strcmp(id, judged->queries[j].id) == 0)
            return &judged->queries[j];
    return NULL;
}

int main(int argc, char **argv)
{
    char name[] = "ndcg_cut", cutoffs[] = "10\0"; /* trec_eval writes into its arguments */
    struct argument arguments[] = {{name, cutoffs}, {NULL, NULL}};
    struct options options = {.summary = 1, .relational = 1, .relevance_level = 1,
                              .depth = LONG_MAX, .qrels_format = "qrels",
                              .run_format = "trec_results", .arguments = arguments};
    struct measure *measures[] = {&te_meas_ndcg_cut, &te_meas_map};
    struct judged_queries judged = {0};
    struct retrieved_queries retrieved = {0};
    struct values sum = {.query = "all"}, values;

    if (argc != 3) {
        fputs("usage: trec_eval_driver QRELS RUN\n", stderr);
        return 2;
    }
    must(te_get_qrels(&options, argv[1], &judged), "te_get_qrels");
    must(te_get_trec_results(&options, argv[2], &retrieved), "te_get_trec_results");
    for (int m = 0; m < 2; m++)
        must(measures[m]->prepare(&options, measures[m], &sum), "init_meas");

    values = sum;
    values.values = malloc((size_t)sum.length * sizeof *sum.values);
    memcpy(values.values, sum.values, (size_t)sum.length * sizeof *sum.values);
    for (long i = 0; i < retrieved.length; i++) {
        struct judged_query *query = find(&judged, retrieved.queries[i].id);
        if (query == NULL)
            continue;
        values.query = query->id;
        for (long v = 0; v < values.length; v++)
            values.values[v].value = 0;
        for (int m = 0; m < 2; m++) {
            must(measures[m]->evaluate(&options, query, &retrieved.queries[i], measures[m],
                                       &values),
                 "calc_meas");
            must(measures[m]->add(&options, measures[m], &values, &sum), "acc_meas");
        }
        sum.queries++;
    }
    for (int m = 0; m < 2; m++) {
        must(measures[m]->average(&options, measures[m], &judged, &sum), "calc_avg_meas");
        must(measures[m]->print_mean(&options, measures[m], &sum), "print_final");
    }
    return 0;
}
