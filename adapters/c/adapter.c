/* Answers the cases of rankspec's test vectors by the C core, through its public header alone.
 *
 *     cc -std=gnu11 -O2 adapters/c/adapter.c csrc/core.c -o adapter -lm
 *     rankspec conform --grade exact -- ./adapter
 *
 * Metrics of lists, with their bounds and ties. "unsupported": sessions, and discounts that
 * rankspec.h has no function for. What the core leaves undecided, the reference would settle.
 */
#include <math.h>

#include "../../csrc/rankspec.h"
#include "json.h"

enum { NONE = -1, MOST_CUTOFFS = 64, DEPTH = 4096 };

typedef struct {
    const char *name;
    int32_t is;
} word;

static const word METRICS[] = {
    {"CG", RS_DCG}, {"DCG", RS_DCG}, {"IDCG", RS_IDCG}, {"nDCG", RS_NDCG}, {"LDCG", RS_LDCG},
    {"ILDCG", RS_ILDCG}, {"LNDCG", RS_LNDCG}, {"DCG_phi", RS_DCG_PHI}, {"nDCG_phi", RS_NDCG_PHI},
    {"P", RS_PRECISION}, {"R", RS_RECALL}, {"RR", RS_RR}, {"SP", RS_SP}, {"AP", RS_AP},
    {"GAP", RS_GAP}, {"ERR", RS_ERR}, {"nERR", RS_NERR}, {"RBP", RS_RBP}, {"Rprec", RS_RPREC},
    {"Success", RS_SUCCESS}, {"Bpref", RS_BPREF}, {"LERR", RS_LERR}, {"LAP", RS_LAP},
    {"LRBP", RS_LRBP}, {"LGAP", RS_LGAP}, {NULL, NONE},
};
static const word BOUNDS[] = {
    {"IUB", RS_IUB}, {"RLB", RS_RLB}, {"WLB", RS_WLB}, {"U", RS_U}, {"UL1", RS_UL1},
    {"UL2", RS_UL2}, {"MinMax", RS_MIN_MAX}, {"Ratio", RS_RATIO}, {"variance", RS_VARIANCE},
    {"expected", RS_EXPECTED_VALUE}, {"z_value", RS_Z_VALUE}, {NULL, NONE},
};
static const word TIES[] = {
    {"id-descending", RS_ID_DESCENDING}, {"id-ascending", RS_ID_ASCENDING}, {"input", RS_INPUT},
    {"best", RS_BEST}, {"worst", RS_WORST}, {"expected", RS_EXPECTED}, {NULL, NONE},
};
static const word NORMS[] = {
    {"R", RS_NORM_R}, {"min", RS_NORM_MIN}, {"k", RS_NORM_K}, {"hits", RS_NORM_HITS},
    {"retrieved", RS_NORM_RETRIEVED}, {NULL, NONE},
};
static const word QUARTILES[] = {
    {"linear", RS_QUARTILES_LINEAR}, {"hinges", RS_HINGES}, {"weibull", RS_WEIBULL},
    {"median-unbiased", RS_MEDIAN_UNBIASED}, {NULL, NONE},
};
static const word IDEALS[] = {
    {"k", RS_IDEAL_OF_POOL}, {"all", RS_IDEAL_OF_POOL}, {"shown", RS_IDEAL_OF_SHOWN},
    {"perfect", RS_IDEAL_PERFECT}, {"true", RS_IDEAL_TRUE}, {"eq7", RS_IDEAL_EQ7}, {NULL, NONE},
};
/* What a case may require; measure_of() says no to what discounts there are not. */
static const char CAN[] =
    " bound gain:linear gain:exp2 gain:table discount:log discount:zipf discount:none base"
    " prior:discount prior:uniform prior:log prior:zipf prior:none Z:M Z:none ideal:k ideal:all"
    " ideal:shown ideal:perfect ideal:true ideal:eq7 norm:R norm:min norm:k norm:hits"
    " norm:retrieved lower:random lower:worst bounds:exact variant:text variant:authors-program"
    " quartiles:own quartiles:linear quartiles:hinges quartiles:weibull quartiles:median-unbiased"
    " points rel stop labels:integer labels:graded labels:fractional k k:none k:list judged scores"
    " ties:id-descending ties:id-ascending ties:input ties:best ties:worst ties:expected"
    " ids:string ids:integer unjudged ";

static int32_t is(const word *words, const json *x)
{
    while (x && words->name && strcmp(words->name, x->text) != 0)
        words++;
    return x ? words->is : NONE;
}

static double number(const json *x)
{
    return x ? strtod(x->text, NULL) : 0;
}

static double *numbers(const json *list)
{
    double *x = calloc((size_t)(list ? list->n : 0) + 1, sizeof *x);
    for (int64_t i = 0; list && i < list->n; i++)
        x[i] = number(&list->members[i]);
    return x;
}

/* ---- discounts in fixed point -------------------------------------------------------------- */

typedef struct {
    uint32_t low[DEPTH];
    uint64_t high[DEPTH], sum_low[DEPTH + 1], sum_high[DEPTH + 1];
} tables;

/* The discount p^(i-1), for p = 1 or a multiple of 2^-64: D(1) = 2^95, D(i + 1) = D(i) p rounded
 * down. The error of D(i) is that of D(i - 1) times p, and less than 1 more: below 1/(1 - p). */
static void powers(tables *t, rs_discount *d, double p)
{
    unsigned __int128 D = (unsigned __int128)1 << 95, sum = 0;
    uint64_t factor = p < 1 ? (uint64_t)ldexp(p, 64) : 0;
    for (int i = 0; i < DEPTH; i++) {
        t->low[i] = (uint32_t)D, t->high[i] = (uint64_t)(D >> 32);
        sum += D;
        t->sum_low[i + 1] = (uint64_t)sum, t->sum_high[i + 1] = (uint64_t)(sum >> 64);
        if (p < 1) /* D p, rounded down */
            D = (D >> 64) * factor + (((unsigned __int128)(uint64_t)D * factor) >> 64);
    }
    uint64_t unit = p < 1 ? 1 + (uint64_t)(1 / (1 - p)) : 0;
    *d = (rs_discount){t->low, t->high, t->sum_low, t->sum_high, DEPTH, unit, -95};
}

/* Whether rankspec.h has the discount. */
static bool discount(const json *given, rs_discount *log2, rs_discount *zipf, rs_discount *none,
                     const rs_discount **to)
{
    const json *base = json_get(given, "base");
    if (json_is(given, "kind", "log") && number(base) == 2)
        *to = log2;
    else if (json_is(given, "kind", "zipf"))
        *to = zipf;
    else if (json_is(given, "kind", "none") || json_is(given, "kind", "uniform"))
        *to = none;
    else
        return false;
    return true;
}

/* ---- lists ---------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const json *x = *(const json *const *)a, *y = *(const json *const *)b;
    if (x->kind == '"')
        return strcmp(x->text, y->text); /* UTF-8, by bytes */
    return (number(x) > number(y)) - (number(x) < number(y));
}

/* The place of each id among them, rising; equal ids have one. */
static int64_t *ranks_of_ids(const json *ids)
{
    int64_t *rank = calloc((size_t)(ids ? ids->n : 0) + 1, sizeof *rank);
    const json **sorted = calloc((size_t)(ids ? ids->n : 0) + 1, sizeof *sorted);
    for (int64_t i = 0; ids && i < ids->n; i++)
        sorted[i] = &ids->members[i];
    if (ids)
        qsort(sorted, (size_t)ids->n, sizeof *sorted, by_id);
    for (int64_t i = 0; ids && i < ids->n; i++)
        rank[sorted[i] - ids->members] =
            i && by_id(&sorted[i], &sorted[i - 1]) == 0 ? rank[sorted[i - 1] - ids->members] : i;
    free(sorted);
    return rank;
}

typedef struct {
    double *labels;
    uint8_t *starts, *unjudged;
    int64_t offsets[2];
} ranked;

/* The labels in the order of their scores, and what stands beside them. */
static ranked list_of(const json *input, const json *labels)
{
    int64_t n = labels ? labels->n : 0;
    const json *flags = json_get(input, "unjudged"), *scores = json_get(input, "scores");
    ranked x = {numbers(labels), NULL, NULL, {0, n}};
    double *unjudged = numbers(flags);
    if (scores) {
        double *known = numbers(labels); /* what is unjudged is below all labels */
        for (int64_t i = 0; flags && i < n; i++)
            known[i] = unjudged[i] ? -1 : known[i];
        rs_lists given = {.labels = known, .offsets = x.offsets, .type = RS_F64};
        double *by = numbers(scores), *in_order = numbers(labels), *flags_in_order = numbers(flags);
        int64_t *ids = ranks_of_ids(json_get(input, "ids")), refused;
        int64_t *order = calloc((size_t)n + 1, sizeof *order);
        x.starts = calloc((size_t)n + 1, 1);
        int32_t rule = is(TIES, json_get(input, "ties"));
        rs_order(by, RS_F64, &given, 1, ids, rule, order, x.starts, &refused);
        rs_gather(x.labels, RS_F64, order, n, in_order);
        if (flags)
            rs_gather(unjudged, RS_F64, order, n, flags_in_order);
        memcpy(x.labels, in_order, (size_t)n * sizeof *in_order);
        memcpy(unjudged, flags_in_order, (size_t)(flags ? n : 0) * sizeof *unjudged);
        if (rule != RS_EXPECTED)
            free(x.starts), x.starts = NULL;
        free(known), free(by), free(in_order), free(flags_in_order), free(ids), free(order);
    }
    if (flags) {
        x.unjudged = calloc((size_t)n + 1, 1);
        for (int64_t i = 0; i < n; i++)
            x.unjudged[i] = unjudged[i] != 0;
    }
    free(unjudged);
    return x;
}

static void free_list(ranked *x)
{
    free(x->labels), free(x->starts), free(x->unjudged);
}

/* ---- a measure ------------------------------------------------------------------------------ */

/* The probabilities to stop at the labels, which stand for the gain of ERR. */
static double *stops(const json *m, int64_t *n)
{
    const json *given = json_get(m, "stop");
    int max = (int)number(json_get(m, "max"));
    if (given && given->kind == '[') {
        *n = given->n;
        return numbers(given);
    }
    double *p = calloc((size_t)(*n = max + 1), sizeof *p);
    for (int r = 0; r <= max; r++)
        p[r] = (ldexp(1, r) - 1) / ldexp(1, max);
    return p;
}

/* What a case is made of: its measure points into it. */
typedef struct {
    rs_measure measure;
    rs_gain gain;
    rs_points points;
    rs_discount log2, zipf, none, power;
    double *table, *q, *scores, *relevance;
    int64_t k[MOST_CUTOFFS], k_ideal[MOST_CUTOFFS], nk;
} made;

static void cutoffs(made *to, const json *m)
{
    const json *k = json_get(m, "k");
    to->nk = k && k->kind == '[' ? k->n : 1;
    to->nk = to->nk < MOST_CUTOFFS ? to->nk : MOST_CUTOFFS;
    for (int64_t i = 0; i < to->nk; i++) {
        const json *one = k && k->kind == '[' ? &k->members[i] : k;
        to->k[i] = !one || one->kind == 'n' ? RS_WHOLE : strtoll(one->text, NULL, 10);
        to->k_ideal[i] = RS_WHOLE;
    }
}

static void gains(made *to, const json *m)
{
    const json *gain = json_get(m, "gain"), *table = json_get(gain, "table");
    to->gain.kind = table ? RS_TABLE : json_is(gain, "kind", "exp2") ? RS_EXP2 : RS_LINEAR;
    if (table)
        to->table = numbers(table), to->gain.size = table->n;
    if (json_get(m, "max"))
        to->table = stops(m, &to->gain.size), to->gain.kind = RS_TABLE;
    to->gain.table = to->table;
}

/* The control points of relevance from scores. */
static void points(made *to, const json *m)
{
    const json *given = json_get(m, "points");
    bool program = json_is(m, "variant", "authors-program");
    int32_t quartiles = is(QUARTILES, json_get(m, "quartiles"));
    to->points.variant = program ? RS_AUTHORS_PROGRAM : RS_TEXT;
    if (quartiles == NONE) /* "own" */
        quartiles = program ? RS_HINGES : RS_QUARTILES_LINEAR;
    to->points.quartiles = quartiles;
    if (given && given->kind == '[') {
        to->points.n = given->n;
        to->scores = calloc((size_t)given->n + 1, sizeof(double));
        to->relevance = calloc((size_t)given->n + 1, sizeof(double));
        for (int64_t i = 0; i < given->n; i++) {
            to->scores[i] = number(&given->members[i].members[0]);
            to->relevance[i] = number(&given->members[i].members[1]);
        }
    }
    to->points.scores = to->scores, to->points.relevance = to->relevance;
}

/* The measure of a case; false: rankspec.h has it not. */
static bool measure_of(made *to, const json *given)
{
    const json *of = json_get(given, "of"), *m = of ? of : given;
    int32_t metric = is(METRICS, json_get(m, "name"));
    int32_t bound = of ? is(BOUNDS, json_get(given, "name")) : RS_NO_BOUND;
    const json *quotient = json_get(m, "discount"), *prior = json_get(m, "prior");
    const rs_discount *d = json_get(m, "gain") ? &to->none : &to->zipf, *w = NULL;
    double p = number(json_get(m, "p"));

    static tables of_none, of_power; /* both at once: of LRBP and its prior */

    rs_discount_log2(&to->log2);
    powers(&of_none, &to->none, 1);
    bool persistent = metric == RS_RBP || metric == RS_LRBP;
    if (persistent) {
        powers(&of_power, &to->power, p);
        d = &to->power;
    }
    if (metric == NONE || bound == NONE || (persistent && (p < 0x1p-11 || p == 1)) ||
        rs_discount_zipf(&to->zipf, DEPTH) != 0)
        return false;
    if (quotient && !discount(quotient, &to->log2, &to->zipf, &to->none, &d))
        return false;
    if (json_is(prior, "kind", "discount"))
        w = d;
    else if (prior && !discount(prior, &to->log2, &to->zipf, &to->none, &w))
        return false;

    cutoffs(to, m);
    gains(to, m);
    points(to, m);
    const json *q = json_get(m, "q"), *rel = json_get(m, "rel");
    to->q = numbers(q);
    to->measure = (rs_measure){
        .size = sizeof(rs_measure),
        .metric = metric,
        .bound = bound,
        .worst = bound == RS_WLB || json_is(given, "lower", "worst"),
        .k = to->k,
        .nk = to->nk,
        .k_ideal = json_is(m, "ideal", "all") ? to->k_ideal : NULL,
        .gain = &to->gain,
        .discount = d,
        .weights = w,
        .points = &to->points,
        .q = to->q,
        .n_q = q ? q->n : 0,
        .theta = number(rel),
        .p = p,
        .norm = json_get(m, "norm") ? is(NORMS, json_get(m, "norm")) : RS_NORM_R,
        .ideal = json_get(m, "ideal") ? is(IDEALS, json_get(m, "ideal")) : RS_IDEAL_TRUE,
        .z = json_is(m, "Z", "M"),
    };
    return true;
}

static void free_made(made *x)
{
    rs_free_discount(&x->zipf);
    free(x->table), free(x->q), free(x->scores), free(x->relevance);
}

/* ---- an answer ------------------------------------------------------------------------------ */

static void say(const char *id, const char *type, const char *reason)
{
    printf("{\"type\":\"%s\",\"id\":\"%s\",\"reason\":\"%s\"}\n", type, id, reason);
}

static void answer(const json *message)
{
    const char *id = json_get(message, "id")->text;
    const json *input = json_get(message, "input"), *needs = json_get(message, "requires");
    const json *labels = json_get(input, "labels"), *pool = json_get(input, "judged");
    for (int64_t i = 0; needs && i < needs->n; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", needs->members[i].text);
        if (!strstr(CAN, word)) {
            say(id, "unsupported", needs->members[i].text);
            return;
        }
    }
    made to = {0};
    if (measure_of(&to, json_get(message, "measure"))) {
        ranked list = list_of(input, labels ? labels : pool);
        ranked judged = list_of(NULL, pool ? pool : labels);
        rs_lists lists = {.labels = list.labels, .offsets = list.offsets, .starts = list.starts,
                          .type = RS_F64, .size = sizeof(rs_lists), .unjudged = list.unjudged};
        rs_lists pools = {.labels = judged.labels, .offsets = judged.offsets, .type = RS_F64,
                          .size = sizeof(rs_lists)};
        if (!pool && list.unjudged) { /* the judged ones of the list */
            int64_t n = 0;
            for (int64_t i = 0; i < list.offsets[1]; i++)
                if (!list.unjudged[i])
                    judged.labels[n++] = list.labels[i];
            judged.offsets[1] = n;
        }
        double values[MOST_CUTOFFS];
        uint8_t undecided[MOST_CUTOFFS];
        rs_column column = {values, undecided};
        rs_trouble trouble;
        int64_t open = rs_values(&lists, &pools, 1, &to.measure, 1, &column, &trouble);
        if (open < 0) {
            say(id, open == RS_REFUSED ? "refused" : "unsupported", "by the core");
        } else if (open > 0) {
            say(id, "unsupported", "undecided: the reference would settle it");
        } else {
            bool several = json_get(json_get(message, "measure"), "k") &&
                           json_get(json_get(message, "measure"), "k")->kind == '[';
            printf("{\"type\":\"value\",\"id\":\"%s\",\"value\":%s", id, several ? "[" : "");
            for (int64_t i = 0; i < to.nk; i++)
                printf("%s\"%a\"", i ? "," : "", values[i]);
            printf("%s}\n", several ? "]" : "");
        }
        free_list(&list), free_list(&judged);
    } else {
        say(id, "unsupported", "not in rankspec.h");
    }
    free_made(&to);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    bool on = true;
    while (on && getline(&line, &size, stdin) > 0) {
        json message;
        if (!json_read(line, &message))
            return 1;
        if (json_is(&message, "type", "start"))
            puts("{\"type\":\"ready\",\"protocol\":1,\"name\":\"example-c\",\"version\":\"1.0\","
                 "\"language\":\"C\"}");
        else if (json_is(&message, "type", "case"))
            answer(&message);
        else
            on = false;
        fflush(stdout);
        json_free(&message);
    }
    free(line);
    return 0;
}
