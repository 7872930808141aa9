/* rankspec._dicts: qrels and runs in dicts, joined where they are.
 *
 * The core knows no Python, and cffi gives it no dict: its ids would be copied out of Python one by
 * one, which takes ten times as long as all else. So this module stands beside it. It computes no
 * value: from dicts it makes the labels of ranked lists, as lists.c does from ids and scores.
 *
 * It takes plain dicts alone, {query: {document: number}}, in which each id is exactly a str that
 * has bytes of its own, or each exactly an int of 64 bits, and each number exactly an int or a float.
 * For anything else, right or wrong, the answer is None: joined.py takes the long way then, which has
 * the conventions on odd ids and numbers, and the words for what is wrong.
 *
 * To look up an id in a dict calls the __eq__ of a key that has its hash, to make an object may
 * collect garbage, and whatever Python runs then, in this thread or in another, may change any dict.
 * So two rules hold. The dicts of queries are copied, and the copies alone are read: they own the
 * dicts of documents, and nobody else can change them. And from the first look at the documents of a
 * query until its list is written nothing runs Python: no object is made but texts of integers, and
 * an id is looked up only in a dict of which each key is known to be plain. Sizes are not kept from
 * one query to the next.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef Py_GIL_DISABLED
#error "rankspec._dicts reads dicts under the lock of the interpreter, and this one has none"
#endif

/* What a reader says: go on, an exception is set, or the dicts are not plain. */
typedef enum { DONE, FAILED, NOT_PLAIN } outcome;

enum { STRIDE = 1 << 12 }; /* documents between two looks for a signal */

/* Whether Ctrl-C waits to be answered, which runs Python: so that is left to whoever called, to whom
 * NOT_PLAIN goes back, and the signal is set again. */
static inline bool is_interrupted(Py_ssize_t documents)
{
    if (documents % STRIDE != STRIDE - 1 || !PyOS_InterruptOccurred())
        return false;
    PyErr_SetInterrupt();
    return true;
}

/* ---- ids and numbers ---------------------------------------------------------------- */

/* What the ids of a dict are; of an empty one it is not known yet. */
typedef enum { NO_IDS, TEXTS, INTEGERS } id_kind;

/* Whether the error that is set is that of something which is not plain: then there is none. */
static outcome without_error_of(PyObject *type)
{
    if (!PyErr_ExceptionMatches(type))
        return FAILED;
    PyErr_Clear();
    return NOT_PLAIN;
}

/* Whether an id is plain, and of the kind of those before it. RS-CONV-19, RS-CONV-44 */
static inline outcome check_id(PyObject *id, id_kind *kind)
{
    if (PyUnicode_CheckExact(id) && *kind != INTEGERS) {
        *kind = TEXTS;
        Py_ssize_t length; /* an id with a surrogate has no UTF-8 */
        return PyUnicode_AsUTF8AndSize(id, &length) ? DONE : without_error_of(PyExc_UnicodeError);
    }
    if (PyLong_CheckExact(id) && *kind != TEXTS) {
        *kind = INTEGERS;
        int beyond;
        PyLong_AsLongLongAndOverflow(id, &beyond);
        return beyond ? NOT_PLAIN : DONE;
    }
    return NOT_PLAIN;
}

enum { MOST_BITS_OF_A_DOUBLE = 53 };

/* A number as a double that is exactly it. RS-CONV-6 */
static inline outcome read_double(PyObject *number, double *x)
{
    if (PyFloat_CheckExact(number)) {
        *x = PyFloat_AsDouble(number);
        return *x - *x == 0 ? DONE : NOT_PLAIN; /* NaN or infinite */
    }
    if (!PyLong_CheckExact(number))
        return NOT_PLAIN;
    int beyond;
    long long whole = PyLong_AsLongLongAndOverflow(number, &beyond);
    const long long most = 1LL << MOST_BITS_OF_A_DOUBLE;
    if (beyond || whole > most || whole < -most)
        return NOT_PLAIN;
    *x = (double)whole;
    return DONE;
}

/* ---- arrays ------------------------------------------------------------------------- */

/* An array.array, and where its numbers are. */
typedef struct {
    PyObject *object;
    void *at;
} numbers;

/* An array of one 0 of each type, of which longer ones are made. */
static PyObject *zero_bytes, *zero_integers, *zero_doubles;

static PyObject *make_zero(PyObject *array_type, const char *typecode, Py_ssize_t size)
{
    static const char zero[8]; /* all bits of any 0 */
    return PyObject_CallFunction(array_type, "sy#", typecode, zero, size);
}

/* n zeros of a type of array.array. */
static bool make_numbers(numbers *x, const char *typecode, Py_ssize_t n)
{
    PyObject *zero = *typecode == 'B' ? zero_bytes : *typecode == 'd' ? zero_doubles : zero_integers;
    x->object = PySequence_Repeat(zero, n);
    Py_buffer view;
    if (!x->object || PyObject_GetBuffer(x->object, &view, PyBUF_WRITABLE) < 0)
        return false;
    x->at = view.buf;
    PyBuffer_Release(&view); /* nobody else has the array: it stays where it is */
    return true;
}

/* ---- judgments ---------------------------------------------------------------------- */

enum { MOST_BYTE = 255 };

/* The labels of qrels as they are read. floats: whether some label is one; inexact: whether some
 * whole one is no double; below_0: whether some label is. Those that are bytes are in bytes, the others
 * in the set. */
typedef struct {
    id_kind queries, documents;
    bool floats, inexact, below_0;
    bool bytes[MOST_BYTE + 1];
    PyObject *others;
    int64_t lowest, highest; /* of the whole ones, and 0 */
    double highest_float;    /* of all, as doubles; 0 of none */
    Py_ssize_t n, unusual;   /* unusual: fractions, and those below 0 (RS-CONV-28) */
} survey;

static outcome look_at_label(survey *s, PyObject *label)
{
    double x;
    bool is_byte = false;
    if (PyLong_CheckExact(label)) {
        int beyond;
        int64_t whole = PyLong_AsLongLongAndOverflow(label, &beyond);
        if (beyond)
            return NOT_PLAIN;
        if ((is_byte = whole >= 0 && whole <= MOST_BYTE))
            s->bytes[whole] = true;
        s->lowest = whole < s->lowest ? whole : s->lowest;
        s->highest = whole > s->highest ? whole : s->highest;
        s->inexact = s->inexact || read_double(label, &x) != DONE;
        x = (double)whole;
        s->unusual += whole < 0;
    } else {
        if (read_double(label, &x) != DONE)
            return NOT_PLAIN;
        s->floats = true;
        s->unusual += x < 0 || x != floor(x);
    }
    s->below_0 = s->below_0 || x < 0;
    s->highest_float = s->n++ == 0 || x > s->highest_float ? x : s->highest_float;
    return is_byte || PySet_Add(s->others, label) == 0 ? DONE : FAILED;
}

/* The labels that there are, each once. */
static PyObject *distinct_labels(survey *s)
{
    for (long x = 0; x <= MOST_BYTE; x++)
        if (s->bytes[x]) {
            PyObject *label = PyLong_FromLong(x);
            int failed = !label || PySet_Add(s->others, label) < 0;
            Py_XDECREF(label);
            if (failed)
                return NULL;
        }
    return Py_NewRef(s->others);
}

/* Looks at all judgments. */
static outcome look_at_judgments(PyObject *qrels, survey *s)
{
    PyObject *query, *documents, *document, *label;
    Py_ssize_t q = 0;
    while (PyDict_Next(qrels, &q, &query, &documents)) {
        outcome is = check_id(query, &s->queries);
        if (is != DONE || !PyDict_CheckExact(documents))
            return is == FAILED ? FAILED : NOT_PLAIN;
        Py_ssize_t d = 0;
        while (PyDict_Next(documents, &d, &document, &label)) {
            if ((is = check_id(document, &s->documents)) != DONE)
                return is;
            if ((is = look_at_label(s, label)) != DONE)
                return is;
            if (is_interrupted(s->n))
                return NOT_PLAIN;
        }
    }
    return s->floats && s->inexact ? NOT_PLAIN : DONE;
}

/* The type of labels in an array, as ranked.typecode_of() has it. RS-CONV-1 */
static const char *typecode_of(const survey *s)
{
    return s->floats ? "d" : s->lowest >= 0 && s->highest <= MOST_BYTE ? "B" : "q";
}

static const char judgments_doc[] =
    "judgments(qrels) -> None, or what they are: {query: {document: label}}, a copy but for the\n"
    "dicts in it; the kinds of the ids of queries and of documents, as join() takes them; the type\n"
    "of an array of the labels; whether some label is below 0; the highest, as Judged.highest has\n"
    "it; whether most are like scores (RS-CONV-28); and the set of the labels.";

static PyObject *judgments(PyObject *module, PyObject *qrels)
{
    (void)module;
    if (!PyDict_CheckExact(qrels) || PyDict_Size(qrels) == 0)
        Py_RETURN_NONE;
    survey s = {.others = PySet_New(NULL)};
    PyObject *copy = s.others ? PyDict_Copy(qrels) : NULL, *found = NULL;
    outcome is = copy ? look_at_judgments(copy, &s) : FAILED;
    if (is == DONE) /* an N that is NULL ends it with the error that is set */
        found = Py_BuildValue("OiisNNNN", copy, s.queries, s.documents,
                              typecode_of(&s), PyBool_FromLong(s.below_0),
                              s.floats ? PyFloat_FromDouble(s.highest_float)
                                       : PyLong_FromLongLong(s.highest),
                              PyBool_FromLong(2 * s.unusual > s.n), distinct_labels(&s));
    else if (is == NOT_PLAIN)
        found = Py_NewRef(Py_None);
    Py_XDECREF(copy);
    Py_XDECREF(s.others);
    return found;
}

/* ---- the list of one query ---------------------------------------------------------- */

/* The order among equal scores. RS-TIE-2 */
typedef enum { INPUT, ID_DESCENDING, ID_ASCENDING, BEST, WORST, EXPECTED, NO_RULE } tie_rule;

static tie_rule rule_named(const char *name)
{
    static const char *const names[] = {"input", "id-descending", "id-ascending",
                                        "best",  "worst",         "expected"};
    int rule = 0;
    while (rule < NO_RULE && strcmp(names[rule], name) != 0)
        rule++;
    return (tie_rule)rule;
}

/* A label, as the array of labels has it. */
typedef union {
    int64_t whole;
    double real;
} label_value;

/* A judged document that is retrieved; later its rank, from 0. */
typedef struct {
    double score;
    label_value label;
} hit;

/* A score that judged documents have, and how many documents of the list have a better one, or
 * this one. */
typedef struct {
    double score;
    Py_ssize_t first_hit, hits, above, equal;
} level;

/* A document of a tie group: whose label matters, or not. */
typedef struct {
    Py_ssize_t level, position;
    const char *id;
    Py_ssize_t length;
    label_value label;
    bool judged;
} tied;

/* What a call asks for, and room for the list of one query. */
typedef struct {
    tie_rule rule;
    bool float32, condensed, unjudged_too, real_labels, bytes;
    Py_ssize_t depth; /* below 0: none */
    id_kind queries, documents;
    Py_ssize_t n; /* documents in the list */
    double *scores;
    hit *hits;
    level *levels;
    tied *ties;
    double *bounds;   /* bounds[1] to bounds[n] are the scores of n levels, the lowest first; before
                       * them is -infinity, behind them infinity */
    Py_ssize_t *seen; /* how many documents are between bounds, and how many are on one */
    Py_ssize_t room, room_of_hits, room_of_ties;
    Py_ssize_t lists, listed, pooled; /* how many lists and labels there is room for in the arrays */
    PyObject *texts;                  /* of integers that are compared by their digits */
    numbers labels, unjudged, starts, offsets, pool, pool_offsets;
} joining;

static bool enlarge(void **at, Py_ssize_t n, size_t size)
{
    void *larger = (size_t)n > PY_SSIZE_T_MAX / size ? NULL : PyMem_Realloc(*at, (size_t)n * size);
    if (!larger) {
        PyErr_NoMemory();
        return false;
    }
    *at = larger;
    return true;
}

/* Room for lists of n documents, and for so many judged ones. */
static bool make_room(joining *j, Py_ssize_t n, Py_ssize_t judged)
{
    if (n > j->room) {
        if (!enlarge((void **)&j->scores, n, sizeof *j->scores))
            return false;
        j->room = n;
    }
    if (judged > j->room_of_hits) {
        if (!enlarge((void **)&j->hits, judged, sizeof *j->hits) ||
            !enlarge((void **)&j->levels, judged, sizeof *j->levels) ||
            !enlarge((void **)&j->bounds, judged + 2, sizeof *j->bounds) ||
            !enlarge((void **)&j->seen, 2 * (judged + 1), sizeof *j->seen))
            return false;
        j->room_of_hits = judged;
    }
    return true;
}

static void free_room(joining *j)
{
    void *rooms[] = {j->scores, j->hits, j->levels, j->ties, j->bounds, j->seen};
    for (size_t a = 0; a < sizeof rooms / sizeof *rooms; a++)
        PyMem_Free(rooms[a]);
    PyObject *objects[] = {j->texts,         j->labels.object, j->unjudged.object,
                           j->starts.object, j->offsets.object, j->pool.object,
                           j->pool_offsets.object};
    for (size_t a = 0; a < sizeof objects / sizeof *objects; a++)
        Py_XDECREF(objects[a]);
}

/* A score as it is compared (RS-CONV-12). One that is infinite as a float is NOT_PLAIN: what ranks
 * here takes differences of scores. */
static inline outcome read_score(const joining *j, PyObject *number, double *score)
{
    outcome is = read_double(number, score);
    if (is == DONE && j->float32) {
        *score = (double)(float)*score;
        is = *score - *score == 0 ? DONE : NOT_PLAIN;
    }
    return is;
}

/* A label. Those of a dict that another thread has changed since judgments() looked at it may be
 * others, and NOT_PLAIN. */
static outcome read_label(const joining *j, PyObject *label, label_value *x)
{
    if (j->real_labels)
        return read_double(label, &x->real);
    if (!PyLong_CheckExact(label))
        return NOT_PLAIN;
    int beyond;
    x->whole = PyLong_AsLongLongAndOverflow(label, &beyond);
    bool fits = !beyond && (!j->bytes || (x->whole >= 0 && x->whole <= MOST_BYTE));
    return fits ? DONE : NOT_PLAIN;
}

/* True if all ids of a dict are plain, so that looking up another one there runs no foreign code. */
static outcome check_ids(PyObject *table, id_kind *kind)
{
    PyObject *id, *unread;
    Py_ssize_t position = 0;
    outcome is = DONE;
    while (is == DONE && PyDict_Next(table, &position, &id, &unread))
        is = check_id(id, kind);
    return is;
}

/* Reads the scores of a query's documents, of the judged ones alone where lists are condensed
 * (RS-CONV-13), whose ids are plain. falling: whether none is above the one before it. */
static outcome read_scores(joining *j, PyObject *run, PyObject *judged, bool *falling)
{
    PyObject *document, *number;
    Py_ssize_t position = 0, n = 0;
    double before = INFINITY, score;
    bool falls = true;
    while (PyDict_Next(run, &position, &document, &number)) {
        outcome is = check_id(document, &j->documents);
        if (is != DONE)
            return is;
        if (read_score(j, number, &score) != DONE)
            return NOT_PLAIN;
        if (j->condensed && !(judged && PyDict_GetItemWithError(judged, document))) {
            if (PyErr_Occurred())
                return FAILED;
            continue;
        }
        falls = falls && score <= before;
        j->scores[n++] = before = score;
        if (is_interrupted(n))
            return NOT_PLAIN;
    }
    j->n = n;
    *falling = falls;
    return DONE;
}

static void write_label(const joining *j, const numbers *to, Py_ssize_t at, label_value x)
{
    if (j->bytes)
        ((uint8_t *)to->at)[at] = (uint8_t)x.whole;
    else if (j->real_labels)
        ((double *)to->at)[at] = x.real;
    else
        ((int64_t *)to->at)[at] = x.whole;
}

/* The judged documents that are retrieved; the labels of all go to the pool, from pool_begin. */
static outcome find_hits(joining *j, PyObject *run, PyObject *judged, Py_ssize_t pool_begin,
                         Py_ssize_t *n_of_hits)
{
    PyObject *document, *label;
    Py_ssize_t position = 0, n = 0, pooled = pool_begin;
    while (PyDict_Next(judged, &position, &document, &label)) {
        hit *found = &j->hits[n];
        if (check_id(document, &j->documents) != DONE || read_label(j, label, &found->label) != DONE)
            return PyErr_Occurred() ? FAILED : NOT_PLAIN;
        if (j->pool.object)
            write_label(j, &j->pool, pooled++, found->label);
        PyObject *number = PyDict_GetItemWithError(run, document);
        if (!number) {
            if (PyErr_Occurred())
                return FAILED;
            continue;
        }
        if (read_score(j, number, &found->score) != DONE || is_interrupted(n))
            return NOT_PLAIN;
        n++;
    }
    *n_of_hits = n;
    return DONE;
}

static int higher_score_first(const void *x, const void *y)
{
    double a = ((const hit *)x)->score, b = ((const hit *)y)->score;
    return (a < b) - (a > b);
}

/* The different scores of hits, the highest first; the hits of each stand together. */
static Py_ssize_t make_levels(joining *j, Py_ssize_t hits)
{
    Py_ssize_t n = 0;
    qsort(j->hits, (size_t)hits, sizeof *j->hits, higher_score_first);
    for (Py_ssize_t a = 0; a < hits; a++)
        if (a && j->hits[a].score == j->hits[a - 1].score)
            j->levels[n - 1].hits++;
        else
            j->levels[n++] = (level){.score = j->hits[a].score, .first_hit = a, .hits = 1};
    return n;
}

static void make_bounds(joining *j, Py_ssize_t n)
{
    j->bounds[0] = -INFINITY;
    for (Py_ssize_t a = 1; a <= n; a++)
        j->bounds[a] = j->levels[n - a].score;
    j->bounds[n + 1] = INFINITY;
}

/* How many of n numbers that rise are at most x. */
static inline Py_ssize_t count_up_to(const double *rising, Py_ssize_t n, double x)
{
    Py_ssize_t begin = 0, end = n;
    while (begin < end) {
        Py_ssize_t middle = begin + (end - begin) / 2;
        if (rising[middle] <= x)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

enum { MOST_CELLS = 512, CELLS_A_BOUND = 8 };

/* Where n bounds are: a cell is a stretch of scores, and before[c] bounds are in cells before c. A
 * score's cell does not fall where the score rises, as no rounded operation does: so the bounds of
 * cells before its own are below it, and those of later cells above. */
typedef struct {
    double least, highest;
    double origin, scale; /* both 0 where there is one cell */
    Py_ssize_t before[MOST_CELLS + 1];
} cells;

static inline Py_ssize_t cell_of(const cells *c, double score)
{
    return (Py_ssize_t)((score - c->origin) * c->scale); /* of one from the least to the highest */
}

static void make_cells(cells *c, const double *bounds, Py_ssize_t n)
{
    Py_ssize_t a = 1, wanted = CELLS_A_BOUND * n, number = wanted < MOST_CELLS ? wanted : MOST_CELLS;
    c->least = bounds[1];
    c->highest = bounds[n];
    /* Finite scores may be farther apart than any double, or too close for a scale. */
    double spread = c->highest - c->least;
    double scale = spread > 0 ? (double)(number - 1) / spread : INFINITY;
    bool is_one = !(spread < INFINITY && scale < INFINITY);
    c->origin = is_one ? 0 : c->least;
    c->scale = is_one ? 0 : scale;
    for (Py_ssize_t cell = 0; cell <= number; cell++) {
        while (a <= n && cell_of(c, bounds[a]) < cell)
            a++;
        c->before[cell] = a - 1;
    }
}

/* How many of n bounds are at most a score. Most cells have one bound or none: then it is that one,
 * or the next, which is above the score, that is asked. */
static inline Py_ssize_t count_bounds(const cells *c, const double *bounds, Py_ssize_t n,
                                      double score)
{
    if (score < c->least)
        return 0;
    if (score >= c->highest)
        return n;
    Py_ssize_t cell = cell_of(c, score), a = c->before[cell], own = c->before[cell + 1] - a;
    return a + (own > 1 ? count_up_to(bounds + a + 1, own, score) : bounds[a + 1] <= score);
}

/* Counts the documents above each of n levels, and on it, of a list in any order: a document between
 * two bounds is above all levels up to the lower one. */
static void count_levels(joining *j, Py_ssize_t n)
{
    Py_ssize_t *between = j->seen, *on = j->seen + n + 1, above = 0;
    cells c;
    memset(j->seen, 0, 2 * (size_t)(n + 1) * sizeof *j->seen);
    make_cells(&c, j->bounds, n);
    for (Py_ssize_t i = 0; i < j->n; i++) {
        Py_ssize_t a = count_bounds(&c, j->bounds, n, j->scores[i]);
        between[a]++;
        on[a] += j->bounds[a] == j->scores[i];
    }
    for (Py_ssize_t a = n; a > 0; a--) {
        j->levels[n - a].equal = on[a];
        j->levels[n - a].above = above + between[a] - on[a];
        above += between[a];
    }
}

/* The same of a list whose scores fall: the first document that is not above a level, and the first
 * that is below it, are found by halving. */
static void find_levels(joining *j, Py_ssize_t n)
{
    Py_ssize_t above = 0;
    for (Py_ssize_t a = 0; a < n; a++) {
        double score = j->levels[a].score;
        Py_ssize_t end = j->n;
        while (above < end) {
            Py_ssize_t middle = above + (end - above) / 2;
            if (j->scores[middle] > score)
                above = middle + 1;
            else
                end = middle;
        }
        while (end < j->n && j->scores[end] == score)
            end++;
        j->levels[a].above = above;
        j->levels[a].equal = end - above;
        above = end;
    }
}

/* ---- ties --------------------------------------------------------------------------- */

/* The bytes of an id: those of a text, or the digits of an integer. */
static bool find_bytes(joining *j, PyObject *id, tied *to)
{
    PyObject *text = id;
    if (j->documents == INTEGERS) {
        if (!(text = PyObject_Str(id)))
            return false;
        int failed = PyList_Append(j->texts, text);
        Py_DECREF(text); /* the list has it */
        if (failed)
            return false;
    }
    to->id = PyUnicode_AsUTF8AndSize(text, &to->length);
    return to->id != NULL;
}

/* The documents of the levels that several documents have, in the order of the input. */
static outcome collect_ties(joining *j, Py_ssize_t levels, PyObject *run, PyObject *judged,
                            Py_ssize_t *n_of_ties)
{
    Py_ssize_t wanted = 0, n = 0, i = 0, position = 0;
    for (Py_ssize_t a = 0; a < levels; a++)
        wanted += j->levels[a].equal > 1 ? j->levels[a].equal : 0;
    if (wanted > j->room_of_ties) {
        if (!enlarge((void **)&j->ties, wanted, sizeof *j->ties))
            return FAILED;
        j->room_of_ties = wanted;
    }
    bool by_id = j->rule == ID_DESCENDING || j->rule == ID_ASCENDING;
    PyObject *document, *number;
    while (n < wanted && PyDict_Next(run, &position, &document, &number)) {
        PyObject *label = PyDict_GetItemWithError(judged, document);
        if (!label && PyErr_Occurred())
            return FAILED;
        if (!label && j->condensed)
            continue;
        double score = j->scores[i++];
        Py_ssize_t a = count_up_to(j->bounds + 1, levels, score);
        if (j->bounds[a] != score || j->levels[levels - a].equal == 1)
            continue;
        tied *own = &j->ties[n++];
        *own = (tied){.level = levels - a, .position = i, .judged = label != NULL};
        if (label && read_label(j, label, &own->label) != DONE)
            return NOT_PLAIN;
        if (by_id && !find_bytes(j, document, own))
            return FAILED;
    }
    *n_of_ties = n;
    return DONE;
}

/* The order of bytes, a beginning before what is longer. RS-CONV-7 */
static int compare_bytes(const tied *x, const tied *y)
{
    size_t shared = (size_t)(x->length < y->length ? x->length : y->length);
    int order = memcmp(x->id, y->id, shared);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Which of two documents of a tie group is first, or 0: that of the input. */
static int by_input(const tied *x, const tied *y)
{
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x->position < y->position ? -1 : 1;
}

static int input_order(const void *x, const void *y)
{
    return by_input(x, y);
}

static int id_ascending(const void *x, const void *y)
{
    const tied *a = x, *b = y;
    return a->level != b->level ? by_input(a, b) : compare_bytes(a, b);
}

static int id_descending(const void *x, const void *y)
{
    const tied *a = x, *b = y;
    return a->level != b->level ? by_input(a, b) : compare_bytes(b, a);
}

/* By labels, the highest first; an unjudged document is behind all others. RS-TIE-2 */
static int higher_label_first(const tied *a, const tied *b, bool real)
{
    if (a->judged != b->judged)
        return a->judged ? -1 : 1;
    if (real)
        return (a->label.real < b->label.real) - (a->label.real > b->label.real);
    return (a->label.whole < b->label.whole) - (a->label.whole > b->label.whole);
}

static int best(const tied *a, const tied *b, bool real)
{
    int order = a->level != b->level ? 0 : higher_label_first(a, b, real);
    return order ? order : by_input(a, b);
}

static int worst(const tied *a, const tied *b, bool real)
{
    int order = a->level != b->level ? 0 : higher_label_first(b, a, real);
    return order ? order : by_input(a, b);
}

static int best_of_whole(const void *x, const void *y)
{
    return best(x, y, false);
}

static int best_of_real(const void *x, const void *y)
{
    return best(x, y, true);
}

static int worst_of_whole(const void *x, const void *y)
{
    return worst(x, y, false);
}

static int worst_of_real(const void *x, const void *y)
{
    return worst(x, y, true);
}

static void order_ties(joining *j, Py_ssize_t n)
{
    int (*compare)(const void *, const void *) = input_order;
    switch (j->rule) {
    case ID_DESCENDING:
        compare = id_descending;
        break;
    case ID_ASCENDING:
        compare = id_ascending;
        break;
    case BEST:
        compare = j->real_labels ? best_of_real : best_of_whole;
        break;
    case WORST:
        compare = j->real_labels ? worst_of_real : worst_of_whole;
        break;
    case INPUT:
    case EXPECTED:
    case NO_RULE:
        break;
    }
    qsort(j->ties, (size_t)n, sizeof *j->ties, compare);
}

/* ---- what is written ---------------------------------------------------------------- */

/* Where a list is written: its labels begin at `begin`, and `shown` of them count. */
typedef struct {
    Py_ssize_t begin, shown;
} place;

static void write_judged(const joining *j, const place *at, Py_ssize_t rank, label_value label)
{
    if (rank >= at->shown)
        return;
    write_label(j, &j->labels, at->begin + rank, label);
    ((uint8_t *)j->unjudged.at)[at->begin + rank] = 0;
}

static void write_levels(const joining *j, Py_ssize_t levels, Py_ssize_t ties, const place *at)
{
    for (Py_ssize_t a = 0; a < levels; a++)
        if (j->levels[a].equal == 1)
            write_judged(j, at, j->levels[a].above, j->hits[j->levels[a].first_hit].label);
    Py_ssize_t before = 0; /* documents of the tie group before this one */
    for (Py_ssize_t i = 0; i < ties; i++) {
        const tied *own = &j->ties[i];
        before = i && j->ties[i - 1].level == own->level ? before + 1 : 0;
        if (own->judged)
            write_judged(j, at, j->levels[own->level].above + before, own->label);
    }
}

static int falling_order(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* Where tie groups begin; NOT_PLAIN where the depth cuts one, which is an error (RS-CONV-16). The
 * scores are sorted by it. */
static outcome write_starts(joining *j, const place *at)
{
    if (!at->shown)
        return DONE;
    uint8_t *starts = (uint8_t *)j->starts.at + at->begin;
    qsort(j->scores, (size_t)j->n, sizeof *j->scores, falling_order);
    for (Py_ssize_t i = 0; i < at->shown; i++)
        starts[i] = i == 0 || j->scores[i] != j->scores[i - 1];
    bool cut = j->rule == EXPECTED && at->shown < j->n;
    return cut && j->scores[at->shown] == j->scores[at->shown - 1] ? NOT_PLAIN : DONE;
}

/* qsort() cannot be stopped: more documents than it sorts in some tenths of a second are left to the
 * core, which can be. */
enum { MOST_SORTED = 1 << 22 };

/* The list of one query, from `at` on; judged: the labels of its documents, or NULL. */
static outcome rank_query(joining *j, PyObject *run, PyObject *judged, place *at,
                          Py_ssize_t pool_begin)
{
    Py_ssize_t hits = 0, levels = 0, ties = 0;
    bool falling;
    if (PyDict_Size(run) > MOST_SORTED || (judged && PyDict_Size(judged) > MOST_SORTED))
        return NOT_PLAIN;
    if (!make_room(j, PyDict_Size(run), judged ? PyDict_Size(judged) : 0))
        return FAILED;
    outcome is = j->condensed && judged ? check_ids(judged, &j->documents) : DONE;
    if (is == DONE)
        is = read_scores(j, run, judged, &falling);
    if (is != DONE)
        return is;
    at->shown = j->depth < 0 || j->n < j->depth ? j->n : j->depth;
    if (!judged && !j->unjudged_too)
        at->shown = 0;
    if (at->shown)
        memset((uint8_t *)j->unjudged.at + at->begin, 1, (size_t)at->shown);
    if (judged && (is = find_hits(j, run, judged, pool_begin, &hits)) != DONE)
        return is;
    if (hits) {
        levels = make_levels(j, hits);
        make_bounds(j, levels);
        if (falling)
            find_levels(j, levels);
        else
            count_levels(j, levels);
        for (Py_ssize_t a = 0; a < levels && !ties; a++)
            ties = j->levels[a].equal > 1;
        if (ties && (is = collect_ties(j, levels, run, judged, &ties)) != DONE)
            return is;
        if (ties)
            order_ties(j, ties);
        write_levels(j, levels, ties, at);
    }
    return j->starts.object ? write_starts(j, at) : DONE;
}

/* ---- all queries -------------------------------------------------------------------- */

/* How many labels the lists and the pools have at most, and whether all is plain so far. run: a copy
 * that nobody else has; judgments: one that judgments() made. */
static outcome measure_sizes(joining *j, PyObject *judgments, PyObject *run)
{
    PyObject *query, *documents;
    Py_ssize_t position = 0;
    j->lists = PyDict_Size(run);
    while (PyDict_Next(run, &position, &query, &documents)) {
        outcome is = check_id(query, &j->queries);
        if (is != DONE || !PyDict_CheckExact(documents))
            return is == FAILED ? FAILED : NOT_PLAIN;
        Py_ssize_t n = PyDict_Size(documents);
        j->listed += j->depth >= 0 && j->depth < n ? j->depth : n;
        PyObject *judged = PyDict_GetItemWithError(judgments, query);
        if (!judged && PyErr_Occurred())
            return FAILED;
        if (judged && !PyDict_CheckExact(judged))
            return NOT_PLAIN;
        j->pooled += judged ? PyDict_Size(judged) : 0;
    }
    return DONE;
}

/* True if there is room for one more list: a dict may have grown since it was measured, where the
 * arrays were made or a signal was answered. */
static bool has_room(const joining *j, Py_ssize_t listed, Py_ssize_t pooled)
{
    return listed <= j->listed && pooled <= j->pooled;
}

/* The id of a query as a text. RS-CONV-44 */
static PyObject *text_of(PyObject *query)
{
    return PyLong_CheckExact(query) ? PyObject_Str(query) : Py_NewRef(query);
}

static outcome rank_queries(joining *j, PyObject *judgments, PyObject *run, PyObject *names)
{
    PyObject *query, *documents;
    Py_ssize_t position = 0, q = 0, pooled = 0;
    place at = {0};
    int64_t *offsets = j->offsets.at, *pool_offsets = j->pool_offsets.at;
    while (PyDict_Next(run, &position, &query, &documents)) {
        PyObject *judged = PyDict_GetItemWithError(judgments, query);
        if (!judged && PyErr_Occurred())
            return FAILED;
        Py_ssize_t n = PyDict_Size(documents), pool = judged ? PyDict_Size(judged) : 0;
        n = j->depth >= 0 && j->depth < n ? j->depth : n;
        if (!has_room(j, at.begin + n, pooled + pool))
            return NOT_PLAIN;
        outcome is = rank_query(j, documents, judged, &at, pooled);
        if (is != DONE)
            return is;
        PyObject *name = text_of(query);
        int failed = !name || PyList_Append(names, name) < 0;
        Py_XDECREF(name);
        if (failed)
            return FAILED;
        offsets[++q] = at.begin += at.shown;
        if (pool_offsets)
            pool_offsets[q] = pooled += pool;
        if (PyErr_CheckSignals() < 0) /* nothing is borrowed here */
            return FAILED;
    }
    return DONE;
}

/* The arrays of a result. */
static bool make_arrays(joining *j, const char *typecode, int with_pool, int with_starts)
{
    return make_numbers(&j->labels, typecode, j->listed) &&
           make_numbers(&j->unjudged, "B", j->listed) &&
           make_numbers(&j->offsets, "q", j->lists + 1) &&
           (!with_starts || make_numbers(&j->starts, "B", j->listed)) &&
           (!with_pool || (make_numbers(&j->pool, typecode, j->pooled) &&
                           make_numbers(&j->pool_offsets, "q", j->lists + 1)));
}

/* Leaves out what is behind the last of n labels: lists that nobody asks for are empty. */
static bool cut_behind(const joining *j, PyObject *labels, Py_ssize_t n)
{
    return !labels || n == j->listed || PySequence_DelSlice(labels, n, j->listed) == 0;
}

static bool cut_arrays(const joining *j)
{
    Py_ssize_t n = (Py_ssize_t)((int64_t *)j->offsets.at)[j->lists];
    return cut_behind(j, j->labels.object, n) && cut_behind(j, j->unjudged.object, n) &&
           cut_behind(j, j->starts.object, n);
}

/* An object of a result, or None. */
static PyObject *or_none(PyObject *x)
{
    return x ? x : Py_None;
}

static const char join_doc[] =
    "join(judgments, kinds, typecode, run, rule, float32, condensed, unjudged_too, depth, pool,\n"
    "     starts) -> None, or the ranked lists of a run: the queries, and arrays of the labels,\n"
    "their offsets, whether each is unjudged, where tie groups begin (None: nobody asks), and the\n"
    "labels and offsets of the pools (None: nobody asks).\n\n"
    "judgments, kinds, typecode: as judgments() gives them; depth: -1: none";

static PyObject *join(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *judgments, *run;
    const char *typecode, *rule;
    int queries, documents, float32, condensed, unjudged_too, with_pool, with_starts;
    joining j = {0};
    if (!PyArg_ParseTuple(args, "O!(ii)sOspppnpp", &PyDict_Type, &judgments, &queries, &documents,
                          &typecode, &run, &rule, &float32, &condensed, &unjudged_too, &j.depth,
                          &with_pool, &with_starts))
        return NULL;
    j.rule = rule_named(rule);
    if (!PyDict_CheckExact(run) || j.rule == NO_RULE)
        Py_RETURN_NONE;
    j.queries = (id_kind)queries;
    j.documents = (id_kind)documents;
    j.float32 = float32;
    j.condensed = condensed;
    j.unjudged_too = unjudged_too;
    j.real_labels = *typecode == 'd';
    j.bytes = *typecode == 'B';

    PyObject *own = PyDict_Copy(run), *names = PyList_New(0), *found = NULL;
    j.texts = PyList_New(0);
    outcome is = own && names && j.texts ? measure_sizes(&j, judgments, own) : FAILED;
    if (is == DONE && !make_arrays(&j, typecode, with_pool, with_starts))
        is = FAILED;
    if (is == DONE)
        is = rank_queries(&j, judgments, own, names);
    if (is == DONE && !cut_arrays(&j))
        is = FAILED;
    if (is == DONE)
        found = Py_BuildValue("OOOOOOO", names, j.labels.object, j.offsets.object,
                              j.unjudged.object, or_none(j.starts.object),
                              or_none(j.pool.object), or_none(j.pool_offsets.object));
    else if (is == NOT_PLAIN)
        found = Py_NewRef(Py_None);
    Py_XDECREF(own);
    Py_XDECREF(names);
    free_room(&j);
    return found;
}

/* ---- the module --------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"judgments", judgments, METH_O, judgments_doc},
    {"join", join, METH_VARARGS, join_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "rankspec._dicts",
    .m_doc = "Qrels and runs in dicts, joined where they are.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__dicts(void)
{
    PyObject *module = PyModule_Create(&definition), *array = PyImport_ImportModule("array");
    PyObject *type = array ? PyObject_GetAttrString(array, "array") : NULL;
    Py_XDECREF(array);
    zero_bytes = type ? make_zero(type, "B", 1) : NULL;
    zero_integers = zero_bytes ? make_zero(type, "q", 8) : NULL;
    zero_doubles = zero_integers ? make_zero(type, "d", 8) : NULL;
    Py_XDECREF(type);
    if (!zero_doubles) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
