/* Qrels and runs by column: rows of any order, grouped by query and joined. Spec: RS-CONV-41.
 *
 * The buffers are those of other programs. A column says how long they are; whatever else is in
 * them, codes and offsets, is looked at before it is followed, and read once, as another thread may
 * write there. What is refused here is read again by frames.py, which has the words for it.
 */
#include <string.h>

#include "lists.h"
#include "memory.h"
#include "stopping.h"

/* ---- the id of a row ---------------------------------------------------------------- */

enum { MOST_DIGITS_OF_ID = 20 };

typedef struct {
    const char *begin;
    int64_t length;
    char digits[MOST_DIGITS_OF_ID];
} row_id;

static inline int64_t read_once(const int64_t *at)
{
    return *(const volatile int64_t *)at;
}

static inline int64_t offset_at(const rs_id_column *c, int64_t a)
{
    return c->offsets ? read_once(&c->offsets[a]) : *(const volatile int32_t *)&c->short_offsets[a];
}

static void write_digits(row_id *id, int64_t x, bool is_unsigned)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    bool negative = x < 0 && !is_unsigned;
    uint64_t rest = negative ? 0 - (uint64_t)x : (uint64_t)x;
    char *p = id->digits + MOST_DIGITS_OF_ID;
    for (; rest >= 10; rest /= 100)
        memcpy(p -= 2, &pairs[2 * (rest % 100)], 2);
    if (rest || p == id->digits + MOST_DIGITS_OF_ID)
        *--p = (char)('0' + rest);
    if (negative)
        *--p = '-';
    id->begin = p;
    id->length = id->digits + MOST_DIGITS_OF_ID - p;
}

/* Which of the ids of a column a row has, or -1. */
static inline int64_t code_at(const rs_id_column *c, int64_t row)
{
    int64_t code = c->codes ? read_once(&c->codes[row]) : row;
    return code < c->n ? code : -1;
}

/* The id of this number; false: there is none, or it is beyond the text. No byte behind it may be
 * read. RS-CONV-41 */
static bool find_id(const rs_id_column *c, int64_t a, row_id *id)
{
    if (a < 0)
        return false;
    if (c->integers) {
        write_digits(id, read_once(&c->integers[a]), c->is_unsigned);
        return true;
    }
    int64_t begin = offset_at(c, a), end = offset_at(c, a + 1);
    if (begin < 0 || end < begin || end > c->size)
        return false;
    id->begin = c->text + begin;
    id->length = end - begin;
    return true;
}

/* ---- texts of our own --------------------------------------------------------------- */

/* Ids one behind the other, and RS_PADDING bytes that may be read. */
typedef struct {
    char *text;
    int64_t size, room;
} own_text;

/* Copies an id behind the others, where it is not counted yet; false: there is no memory. */
static bool copy_id(own_text *own, const row_id *id)
{
    int64_t size;
    if (__builtin_add_overflow(own->size + RS_PADDING, id->length, &size))
        return false;
    if (size > own->room) {
        int64_t room = size < INT64_MAX / 2 ? 2 * size : size;
        if (!rs_enlarge((void **)&own->text, room, 1))
            return false;
        own->room = room;
    }
    if (id->length)
        memcpy(own->text + own->size, id->begin, (size_t)id->length);
    memset(own->text + own->size + id->length, 0, RS_PADDING);
    return true;
}

/* How many bytes the ids of all rows have; RS_BAD_COLUMN: one of them is none. */
int64_t rs_bytes_of(const rs_id_column *c)
{
    int64_t bytes = 0;
    row_id id;
    for (int64_t row = 0; row < c->rows; row++) {
        if (!find_id(c, code_at(c, row), &id))
            return RS_BAD_COLUMN;
        if (__builtin_add_overflow(bytes, id.length, &bytes))
            return RS_NO_MEMORY;
    }
    return bytes;
}

/* ---- rows by their query ------------------------------------------------------------ */

/* Rows in a row that have one query: they go on to the next ones' first. */
typedef struct {
    int64_t query, first;
} stretch;

/* Queries as they are found, and what finds them. of_code: the query of an id of the column by its
 * number, or -1; or NULL */
typedef struct {
    rs_groups *groups;
    own_text own;
    uint64_t *slots;
    int64_t size_of_slots, room, n_of_stretches, room_of_stretches;
    stretch *stretches;
    int64_t *of_code;
} grouping;

static bool enlarge_slots(grouping *x)
{
    const rs_ids *ids = &x->groups->ids;
    int64_t size = 2 * x->size_of_slots;
    uint64_t *slots = rs_allocate_zeros(size, sizeof *slots);
    if (!slots)
        return false;
    for (int64_t q = 0; q < x->groups->n; q++) {
        uint64_t hash = rs_hash(ids->text + ids->begin[q], ids->length[q]);
        int64_t s = (int64_t)(hash & (uint64_t)(size - 1));
        while (slots[s])
            s = (s + 1) & (size - 1);
        slots[s] = rs_slot(hash, q);
    }
    free(x->slots);
    x->slots = slots;
    x->size_of_slots = size;
    return true;
}

/* Room for one more query. */
static bool make_room_for_query(grouping *x)
{
    rs_ids *ids = &x->groups->ids;
    if (x->groups->n == RS_LONGEST) /* an entry of a hash table holds an index of 32 bits */
        return false;
    if (2 * (x->groups->n + 1) > x->size_of_slots && !enlarge_slots(x))
        return false;
    if (x->groups->n < x->room)
        return true;
    int64_t room = x->room ? 2 * x->room : 64;
    if (!rs_enlarge((void **)&ids->begin, room, sizeof *ids->begin) ||
        !rs_enlarge((void **)&ids->length, room, sizeof *ids->length))
        return false;
    x->room = room;
    return true;
}

/* The number of the query with this id, by order of first mention; or RS_NO_MEMORY. */
static int64_t number_query(grouping *x, const row_id *id)
{
    rs_ids *ids = &x->groups->ids;
    if (!make_room_for_query(x) || !copy_id(&x->own, id))
        return RS_NO_MEMORY;
    ids->text = x->own.text;
    const char *copy = x->own.text + x->own.size;
    uint64_t hash = rs_hash(copy, id->length);
    int64_t s = rs_slot_of(x->slots, x->size_of_slots, hash, ids, copy, id->length);
    if (!x->slots[s]) {
        ids->begin[x->groups->n] = x->own.size;
        ids->length[x->groups->n] = id->length;
        x->own.size += id->length;
        x->slots[s] = rs_slot(hash, x->groups->n++);
    }
    return rs_index_in(x->slots[s]);
}

/* Whether an id is that of the query of this number. */
static inline bool is_of(const rs_groups *g, int64_t query, const row_id *id)
{
    return rs_same_id(g->ids.text + g->ids.begin[query], g->ids.length[query], id->begin,
                      id->length);
}

/* The query of a row; last: that of the row before, or -1. */
static int64_t query_of_row(grouping *x, const rs_id_column *c, int64_t row, int64_t last)
{
    row_id id;
    int64_t a = code_at(c, row);
    if (a >= 0 && x->of_code && x->of_code[a] >= 0)
        return x->of_code[a];
    if (!find_id(c, a, &id))
        return RS_BAD_COLUMN;
    if (last >= 0 && is_of(x->groups, last, &id))
        return last;
    int64_t query = number_query(x, &id);
    if (x->of_code)
        x->of_code[a] = query; /* an error ends the reading */
    return query;
}

static bool begin_stretch(grouping *x, int64_t query, int64_t row)
{
    if (x->n_of_stretches == x->room_of_stretches) {
        int64_t room = x->room_of_stretches ? 2 * x->room_of_stretches : 64;
        if (!rs_enlarge((void **)&x->stretches, room, sizeof *x->stretches))
            return false;
        x->room_of_stretches = room;
    }
    x->stretches[x->n_of_stretches++] = (stretch){query, row};
    return true;
}

/* Reads all rows: stretches, and the queries that they are of. */
static int64_t find_stretches(grouping *x, const rs_id_column *c)
{
    int64_t last = -1;
    for (int64_t row = 0; row < c->rows; row++) {
        if (row % RS_STRIDE == 0 && rs_is_stopped(RS_STRIDE * 20))
            return RS_STOPPED;
        int64_t query = query_of_row(x, c, row, last);
        if (query < 0)
            return query;
        if (query != last && !begin_stretch(x, query, row))
            return RS_NO_MEMORY;
        last = query;
    }
    return 0;
}

/* The rows of each query, from the stretches: where these are as many as queries, the rows are
 * grouped as they are. */
static bool order_rows(grouping *x, int64_t rows)
{
    rs_groups *g = x->groups;
    int64_t n = x->n_of_stretches;
    int64_t *offsets = g->offsets = rs_allocate_zeros(g->n, sizeof *offsets);
    if (!offsets || !begin_stretch(x, -1, rows))
        return false;
    const stretch *stretches = x->stretches;
    for (int64_t i = 0; i < n; i++)
        offsets[stretches[i].query + 1] += stretches[i + 1].first - stretches[i].first;
    for (int64_t q = 0; q < g->n; q++)
        offsets[q + 1] += offsets[q];
    if (n == g->n)
        return true;
    g->rows = rs_allocate(rows, sizeof *g->rows);
    if (!g->rows)
        return false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t row = stretches[i].first; row < stretches[i + 1].first; row++)
            g->rows[offsets[stretches[i].query]++] = row;
    for (int64_t q = g->n; q > 0; q--)
        offsets[q] = offsets[q - 1];
    offsets[0] = 0;
    return true;
}

/* Groups the rows of a column by its ids, those of a query in their order. rs_free_groups() frees
 * what this leaves in groups, which is 0 before, whatever this returns: 0, RS_NO_MEMORY or
 * RS_BAD_COLUMN. */
int64_t rs_group_rows(const rs_id_column *c, rs_groups *groups)
{
    RS_STOPPABLE_BY_ITSELF;
    grouping x = {.groups = groups, .size_of_slots = 64};
    int64_t result = RS_NO_MEMORY;
    *groups = (rs_groups){0};
    x.slots = rs_allocate_zeros(x.size_of_slots, sizeof *x.slots);
    bool enough = x.slots;
    if (enough && c->codes) {
        x.of_code = rs_allocate(c->n, sizeof *x.of_code);
        enough = x.of_code;
        for (int64_t a = 0; enough && a < c->n; a++)
            x.of_code[a] = -1;
    }
    if (enough)
        result = find_stretches(&x, c);
    if (result == 0 && !order_rows(&x, c->rows))
        result = RS_NO_MEMORY;
    groups->text = x.own.text;
    free(x.slots);
    free(x.stretches);
    free(x.of_code);
    return result;
}

void rs_free_groups(rs_groups *groups)
{
    free(groups->text);
    free(groups->ids.begin);
    free(groups->ids.length);
    free(groups->offsets);
    free(groups->rows);
    *groups = (rs_groups){0};
}

static inline int64_t row_at(const rs_groups *g, int64_t i)
{
    return g->rows ? g->rows[i] : i;
}

/* ---- judgments ---------------------------------------------------------------------- */

/* The judgments of rows, by query; rs_index() comes next. The queries are those of the groups, of
 * which as many are left; labels: eight bytes a row; text: room for the ids of the documents and
 * RS_PADDING more bytes. */
int64_t rs_judge_rows(const rs_id_column *documents, const rs_groups *groups, const void *labels,
                      char *text, int64_t size, rs_judgments *j)
{
    RS_STOPPABLE_BY_ITSELF;
    const uint64_t *words = labels;
    uint64_t *kept = j->labels;
    int64_t used = 0;
    row_id id;
    j->n = groups->n;
    j->queries = groups->ids;
    j->documents.text = text;
    memcpy(j->offsets, groups->offsets, (size_t)(groups->n + 1) * sizeof *j->offsets);
    for (int64_t i = 0; i < documents->rows; i++) {
        if (i % RS_STRIDE == 0 && rs_is_stopped(RS_STRIDE * 20))
            return RS_STOPPED;
        int64_t row = row_at(groups, i);
        if (!find_id(documents, code_at(documents, row), &id) || id.length > size - used)
            return RS_BAD_COLUMN;
        if (id.length)
            memcpy(text + used, id.begin, (size_t)id.length);
        j->documents.begin[i] = used;
        j->documents.length[i] = id.length;
        kept[i] = words[row];
        used += id.length;
    }
    return 0;
}

/* ---- runs --------------------------------------------------------------------------- */

/* The ranked lists of n queries of a run, from number `first` of the groups on. scores: of the rows;
 * NULL: their order is that of the documents (RS-CONV-32). RS_BAD_COLUMN, RS_REFUSED: a score is not
 * finite; or as rs_rank() has it, and *at is the query. */
int64_t rs_rank_rows(const rs_judgments *j, const rs_id_column *documents, const double *scores,
                     const rs_groups *groups, int64_t first, int64_t n, const rs_conventions *by,
                     rs_ranked *lists, int64_t *at)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE_BY_ITSELF;
    ranker r = {.judgments = j, .by = by};
    own_text own = {0};
    int64_t result = 0;
    row_id id;
    lists->n = lists->offsets[0] = lists->judged = 0;
    for (int64_t q = first; q < first + n && result == 0; q++) {
        int64_t begin = groups->offsets[q];
        r.n = own.size = 0;
        for (int64_t i = begin; i < groups->offsets[q + 1] && result == 0; i++) {
            int64_t row = row_at(groups, i);
            double score = scores ? *(const volatile double *)&scores[row]
                                  : 0.0 - (double)(i - begin);
            if (i % RS_STRIDE == 0 && rs_is_stopped(RS_STRIDE * 30))
                result = RS_STOPPED;
            else if (!find_id(documents, code_at(documents, row), &id))
                result = RS_BAD_COLUMN;
            else if (score - score != 0) /* NaN or infinite: RS-CONV-6 */
                result = RS_REFUSED;
            else if (!copy_id(&own, &id))
                result = RS_NO_MEMORY;
            if (result)
                break;
            r.ids.text = own.text;
            if (!rs_add(&r, own.size, id.length, score))
                result = RS_NO_MEMORY;
            own.size += id.length;
        }
        if (result == 0)
            result = rs_rank_query(
                &r, rs_find_query(j, groups->ids.text + groups->ids.begin[q], groups->ids.length[q]),
                lists, at);
        *at = q;
    }
    free(own.text);
    rs_free_ranker(&r);
    return result;
}

/* ---- string views of Arrow ---------------------------------------------------------- */

enum { INLINE_BYTES = 12, BYTES_OF_A_VIEW = 16 };

/* Where the bytes of a view are; false: they are beyond its buffers. */
static bool find_view(const unsigned char *view, const char *const *buffers, const int64_t *sizes,
                      int64_t n, row_id *id)
{
    int32_t part[4]; /* the length, and the text or its first bytes, its buffer and where it begins */
    memcpy(part, view, sizeof part);
    id->length = part[0];
    id->begin = (const char *)view + sizeof part[0];
    if (part[0] <= INLINE_BYTES)
        return part[0] >= 0;
    if (part[2] < 0 || part[2] >= n || part[3] < 0 || part[3] > sizes[part[2]] - part[0])
        return false;
    id->begin = buffers[part[2]] + part[3];
    return true;
}

/* The ends of the texts of n views, one behind the other, in offsets[1] to offsets[n], which begin
 * with offsets[0]; and these texts, from text[0] on, where text has room for so many bytes: or NULL.
 * Returns the last end, or RS_BAD_COLUMN: a view leads out of its buffers, or there is no room. */
int64_t rs_read_views(const unsigned char *views, int64_t n, const char *const *buffers,
                      const int64_t *sizes, int64_t n_of_buffers, int64_t *offsets, char *text,
                      int64_t room)
{
    const int64_t begin = offsets[0]; /* 0 for the first chunk of a column only */
    int64_t used = 0;
    row_id id;
    for (int64_t i = 0; i < n; i++) {
        if (!find_view(views + i * BYTES_OF_A_VIEW, buffers, sizes, n_of_buffers, &id) ||
            (text && id.length > room - used))
            return RS_BAD_COLUMN;
        if (text && id.length)
            memcpy(text + used, id.begin, (size_t)id.length);
        used += id.length;
        offsets[i + 1] = begin + used;
    }
    return begin + used;
}
