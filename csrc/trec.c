/* TREC files: qrels and runs, read from text in memory. Spec: RS-CONV-19.
 *
 * What is refused here is read again by trec.py, which finds the words for it; so both must
 * refuse the same. A text ends with a newline, and RS_PADDING bytes that may be read follow it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__) || defined(__FreeBSD__)
#include <xlocale.h>
#endif

#include "lists.h"
#include "memory.h"
#include "stopping.h"

/* ---- lines and columns -------------------------------------------------------------- */

enum { QRELS_COLUMNS = 4, RUN_COLUMNS = 6, MOST_COLUMNS = 6 };

typedef struct {
    const char *begin, *end;
} token;

/* Where the columns of a line begin and end, in turns; n: how many columns there are, of which only
 * the first MOST_COLUMNS, and one more, are kept: 64 bytes have up to 64 edges. */
typedef struct {
    const char *edges[2 * MOST_COLUMNS + 2 + 64];
    int64_t n;
} split_columns;

static inline token column(const split_columns *line, int i)
{
    return (token){line->edges[2 * i], line->edges[2 * i + 1]};
}

static inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

/* The end of the token at p, in a text that a newline ends; NULL: a NUL byte is in it. */
static const char *token_end(const char *p)
{
    while (*p && *p != '\n' && !is_blank(*p))
        p++;
    return *p ? p : NULL;
}

/* What 64 bytes are, a bit for each, the first is the lowest. blank: between columns, a newline too;
 * stop: a newline, or the NUL byte that no line may have. */
typedef struct {
    uint64_t blank, stop;
} kinds;

/* The kinds of the bytes at p; those from `end` on are newlines. */
static inline kinds kinds_at(const char *p, const char *end)
{
    char rest[64];
    if (end - p < 64) {
        memset(rest, '\n', sizeof rest);
        memcpy(rest, p, (size_t)(end - p));
        p = rest;
    }
    kinds found = {0, 0};
    for (int i = 0; i < 64; i += 16) {
        sixteen x = load_sixteen((const uint8_t *)p + i), newline = (sixteen)(x == '\n');
        sixteen space = (sixteen)(x == ' ') | (sixteen)(x - '\t' <= '\r' - '\t');
        found.blank |= (uint64_t)bits_of_bytes(space) << i;
        found.stop |= (uint64_t)bits_of_bytes(newline | (sixteen)(x == 0)) << i;
    }
    return found;
}

/* Splits the line that begins at p, of a text that ends before `end` with a newline; returns the
 * place of the newline, or NULL for a line with a NUL byte. Columns begin and end where what is
 * blank and what is not meet. */
static inline const char *split_line(const char *p, const char *end, split_columns *line)
{
    int64_t n = 0;
    uint64_t before = 1; /* whether the byte before is blank */
    for (;; p += 64) {
        kinds found = kinds_at(p, end);
        uint64_t meet = found.blank ^ (found.blank << 1 | before);
        if (found.stop)
            meet &= found.stop ^ (found.stop - 1); /* not behind the first */
        for (; meet; meet &= meet - 1)
            line->edges[n++] = p + __builtin_ctzll(meet);
        if (found.stop) {
            p += __builtin_ctzll(found.stop);
            break;
        }
        before = found.blank >> 63;
        if (n > 2 * MOST_COLUMNS) /* one column more, which has ended or not */
            n = 2 * MOST_COLUMNS + 2 - n % 2;
    }
    line->n = n / 2;
    return *p ? p : NULL;
}

/* Whether a line with columns is a comment. RS-CONV-33 */
static inline bool is_comment(const split_columns *line, const rs_conventions *by)
{
    return by->comments && *line->edges[0] == '#';
}

/* Whether one of the first n columns is too long, which in a short line none is. RS-CONV-30 */
static inline bool any_too_long(const split_columns *line, int n, const rs_conventions *by)
{
    bool any = false;
    if (!by->longest || line->edges[2 * n - 1] - line->edges[0] <= by->longest)
        return false;
    for (int i = 0; i < n; i++)
        any |= line->edges[2 * i + 1] - line->edges[2 * i] > by->longest;
    return any;
}

/* Sixteen bytes are compared at once, and added up before a byte could overflow. */
int64_t rs_count_lines(const char *text, int64_t size)
{
    int64_t lines = 0, i = 0;
    while (size - i >= 16) {
        sixteen found = {0};
        for (int round = 0; round < 127 && size - i >= 16; round++, i += 16)
            found -= (sixteen)(load_sixteen((const uint8_t *)text + i) == '\n');
        lines += sum_of_bytes(found);
    }
    for (; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

/* ---- numbers ------------------------------------------------------------------------ */

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A whole number within int64. */
static bool read_label(token t, int64_t *label)
{
    const char *p = t.begin;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (p == t.end)
        return false;
    uint64_t limit = (uint64_t)INT64_MAX + negative, magnitude = 0;
    for (; p < t.end; p++) {
        if (!is_digit(*p))
            return false;
        uint64_t digit = (uint64_t)(*p - '0');
        if (magnitude > (limit - digit) / 10)
            return false;
        magnitude = 10 * magnitude + digit;
    }
    *label = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* A decimal number as it is written: digits 10^exponent; exact: no digit was left out. */
typedef struct {
    uint64_t digits;
    int64_t exponent;
    bool exact;
} decimal;

/* Reads [+-] digits [. digits] [e [+-] digits] without its sign, with a digit on one side of the
 * point at least. */
static bool read_decimal(const char *p, const char *end, decimal *d)
{
    const uint64_t most = 1000000000000000000u; /* below it one digit more fits */
    const int64_t enormous = 1000000000;
    bool any = false, point = false;
    *d = (decimal){.exact = true};
    for (; p < end; p++) {
        if (*p == '.' && !point) {
            point = true;
        } else if (is_digit(*p)) {
            any = true;
            if (d->digits < most) {
                d->digits = 10 * d->digits + (uint64_t)(*p - '0');
                d->exponent -= point;
            } else {
                d->exact = d->exact && *p == '0';
                d->exponent += !point;
            }
        } else {
            break;
        }
    }
    if (!any || p == end)
        return any;
    if (*p != 'e' && *p != 'E')
        return false;
    p++;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    int64_t exponent = 0;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        if (exponent < enormous)
            exponent = 10 * exponent + (*p - '0');
    }
    d->exponent += negative ? -exponent : exponent;
    return true;
}

/* The number that n digits are, from 1 to 8; false: a byte is none. Behind them there are bytes that
 * may be read. The first digit is the lowest byte of a word: zeros come before it, and then pairs of
 * digits, fours and eights are put together at once. */
static inline bool read_digits(const char *p, int64_t n, uint64_t *x)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word = (rs_load_eight(p) ^ ones * '0') << (64 - 8 * n);
    if (((word + ones * (127 - 9)) | word) & ones << 7)
        return false;
    word = word * 10 + (word >> 8);
    word = (word & 0x000000ff000000ffu) * (100 + (1000000ull << 32)) +
           (word >> 16 & 0x000000ff000000ffu) * (1 + (10000ull << 32));
    *x = word >> 32;
    return true;
}

/* The same as read_decimal() for what most scores are: at most 8 digits, or so many before a point
 * and from 1 to 8 behind it. false: it may be a number of another form. */
static inline bool read_short_decimal(const char *p, const char *end, decimal *d)
{
    static const uint64_t ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    const char *point = p;
    while (point < end && *point != '.')
        point++;
    uint64_t whole, part = 0;
    int64_t n = point - p, places = point < end ? end - point - 1 : 0;
    if (n < 1 || n > 8 || places > 8 || end - point == 1 || !read_digits(p, n, &whole))
        return false;
    if (places && !read_digits(point + 1, places, &part))
        return false;
    *d = (decimal){ten[places] * whole + part, -places, true};
    return true;
}

/* 10^e is a double for e up to 22, and so are whole numbers up to 2^53: one operation rounds
 * once. */
static bool round_at_once(const decimal *d, double *x)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->exact || d->digits > 1ull << 53 || d->exponent < -22 || d->exponent > 22)
        return false;
    *x = d->exponent < 0 ? (double)d->digits / ten[-d->exponent]
                         : (double)d->digits * ten[d->exponent];
    return true;
}

/* 5^27 is below 2^63: the quotient of two whole numbers is rounded as the metrics are. */
static bool round_in_integers(const decimal *d, double *x)
{
    if (!d->exact || d->exponent < -27 || d->exponent > 18)
        return false;
    int32_t e = (int32_t)d->exponent;
    uint64_t power = 1; /* of 5 */
    for (int32_t i = 0; i < (e < 0 ? -e : e); i++)
        power *= 5;
    rs_number above = {.low = d->digits, .exponent = e}, below = rs_integer(1);
    if (e < 0)
        below.low = power;
    else
        above.low = (u128)d->digits * power;
    return rs_round_quotient(&above, &below, x);
}

/* The locale "C", made when it is needed; NO_LOCALE: there was no memory for it. */
#define NO_LOCALE ((locale_t)-1)

static bool has_c_locale(locale_t *c_locale)
{
    if (!*c_locale)
        *c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!*c_locale)
        *c_locale = NO_LOCALE;
    return *c_locale != NO_LOCALE;
}

static void free_c_locale(locale_t c_locale)
{
    if (c_locale && c_locale != NO_LOCALE)
        freelocale(c_locale);
}

/* What a line is that cannot be read. */
static int64_t bad_line(locale_t c_locale)
{
    return c_locale == NO_LOCALE ? RS_NO_MEMORY : RS_BAD_LINE;
}

/* A finite decimal number as the nearest double; false: it is none, or there is no locale. RS-CONV-6 */
static bool read_score(token t, locale_t *c_locale, double *score)
{
    bool negative = *t.begin == '-';
    const char *p = t.begin + (*t.begin == '-' || *t.begin == '+');
    decimal d;
    double x;
    if (!read_short_decimal(p, t.end, &d) && !read_decimal(p, t.end, &d))
        return false;
    if (!round_at_once(&d, &x) && !round_in_integers(&d, &x)) {
        /* strtod rounds correctly, but reads the decimal point of the locale. */
        if (!has_c_locale(c_locale))
            return false;
        x = strtod_l(p, NULL, *c_locale);
    }
    *score = negative ? -x : x;
    return x - x == 0;
}

/* The labels of the first n lines, whole numbers so far, as the nearest doubles. */
static void labels_as_doubles(rs_judgments *j, int64_t n)
{
    int64_t *labels = j->labels;
    for (int64_t i = 0; i < n; i++) {
        double x = (double)labels[i];
        memcpy(&labels[i], &x, sizeof x);
    }
    j->type = RS_F64;
}

/* The label of line number n: a whole number; a double from the first line on that has none. */
static bool read_any_label(token t, locale_t *c_locale, rs_judgments *j, int64_t n)
{
    int64_t *labels = j->labels;
    bool whole = read_label(t, &labels[n]);
    if (whole && j->type == RS_I64)
        return true;
    double score;
    if (whole)
        score = (double)labels[n];
    else if (!read_score(t, c_locale, &score))
        return false;
    if (j->type == RS_I64)
        labels_as_doubles(j, n);
    memcpy(&labels[n], &score, sizeof score);
    return true;
}

/* The rank of a line, if it is a whole number. Nobody has to write one: where it might be one by
 * other rules, of many digits or with underscores, that is left open. */
static said_rank read_rank(token t)
{
    enum { MOST_DIGITS = 18 };
    said_rank said = {0, RS_RANK};
    const char *digits = t.begin + (*t.begin == '-' || *t.begin == '+');
    if (digits == t.end)
        said.kind = RS_NO_RANK;
    for (const char *p = digits; p < t.end; p++) {
        if (!is_digit(*p) && *p != '_')
            return (said_rank){0, RS_NO_RANK};
        if (*p == '_' || p - digits == MOST_DIGITS)
            said.kind = RS_RANK_OPEN;
        if (said.kind == RS_RANK)
            said.rank = 10 * said.rank + (*p - '0');
    }
    if (*t.begin == '-')
        said.rank = -said.rank;
    return said;
}

/* ---- qrels -------------------------------------------------------------------------- */

/* Lines as they come: the query of each, by number, with its document and label. */
static int64_t read_judgments(const char *text, int64_t size, const rs_conventions *by,
                              locale_t *c_locale, rs_judgments *j, int64_t *query,
                              int64_t slots, int64_t *at)
{
    rs_ids *queries = &j->queries, *documents = &j->documents;
    int64_t lines = 0, last = -1;
    split_columns line = {.n = 0};
    const char *end = text + size;
    for (const char *p = text; p < end; p++) {
        if (lines % RS_STRIDE == 0 && rs_is_stopped(RS_STRIDE * 40))
            return RS_STOPPED;
        *at = p - text;
        p = split_line(p, end, &line);
        if (p && (line.n == 0 || is_comment(&line, by)))
            continue;
        if (!p || line.n != QRELS_COLUMNS || any_too_long(&line, QRELS_COLUMNS, by) ||
            !read_any_label(column(&line, 3), c_locale, j, lines))
            return bad_line(*c_locale);
        token document = column(&line, 2);
        const char *id = line.edges[0];
        int64_t length = line.edges[1] - id;
        bool same = last >= 0 && rs_is_same(text + queries->begin[last], queries->length[last],
                                            id, length);
        if (!same) {
            uint64_t hash = rs_hash(id, length);
            int64_t s = rs_slot_of(j->query_slots, slots, hash, queries, id, length);
            if (!j->query_slots[s]) {
                j->query_slots[s] = rs_slot(hash, j->n);
                queries->begin[j->n] = id - text;
                queries->length[j->n++] = length;
            }
            last = rs_index_in(j->query_slots[s]);
        }
        query[lines] = last;
        documents->begin[lines] = document.begin - text;
        documents->length[lines++] = document.end - document.begin;
    }
    return lines;
}

/* Moves the judgments of each query together; they keep their order. */
static bool group_judgments(rs_judgments *j, int64_t *query, int64_t lines)
{
    int64_t *begin = j->documents.begin, *length = j->documents.length, *labels = j->labels;
    rs_rooms rooms = {0};
    int64_t *old_begin = rs_room(&rooms, lines, sizeof *old_begin);
    int64_t *old_length = rs_room(&rooms, lines, sizeof *old_length);
    int64_t *old_labels = rs_room(&rooms, lines, sizeof *old_labels);
    bool enough = !rooms.lacking;
    if (enough) {
        memcpy(old_begin, begin, (size_t)lines * sizeof *begin);
        memcpy(old_length, length, (size_t)lines * sizeof *length);
        memcpy(old_labels, labels, (size_t)lines * sizeof *labels);
        memset(j->offsets, 0, (size_t)(j->n + 1) * sizeof *j->offsets);
        for (int64_t i = 0; i < lines; i++)
            j->offsets[query[i] + 1]++;
        for (int64_t q = 0; q < j->n; q++)
            j->offsets[q + 1] += j->offsets[q];
        for (int64_t i = 0; i < lines; i++) {
            int64_t to = j->offsets[query[i]]++;
            begin[to] = old_begin[i];
            length[to] = old_length[i];
            labels[to] = old_labels[i];
        }
        for (int64_t q = j->n; q > 0; q--)
            j->offsets[q] = j->offsets[q - 1];
        j->offsets[0] = 0;
    }
    rs_leave(&rooms);
    return enough;
}

/* The judgments of a qrels file, by query in the order of first mention; rs_index() comes next.
 * There is room for as many queries and documents as lines. */
int64_t rs_read_qrels(const char *text, int64_t size, const rs_conventions *by, rs_judgments *j,
                      int64_t *at)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE_BY_ITSELF;
    int64_t most = rs_count_lines(text, size), slots = rs_slots_for(most);
    if (most > RS_LONGEST) /* an entry of a hash table holds an index of 32 bits */
        return RS_NO_MEMORY;
    int64_t *query = rs_allocate(most, sizeof *query);
    if (!query)
        return RS_NO_MEMORY;
    j->n = 0;
    j->type = RS_I64;
    j->queries.text = j->documents.text = text;
    memset(j->query_slots, 0, (size_t)slots * sizeof *j->query_slots);
    locale_t c_locale = (locale_t)0;
    int64_t lines = read_judgments(text, size, by, &c_locale, j, query, slots, at);
    free_c_locale(c_locale);
    if (lines >= 0 && !group_judgments(j, query, lines))
        lines = RS_NO_MEMORY;
    free(query);
    return lines;
}

/* ---- runs --------------------------------------------------------------------------- */

/* Where the last query of a text begins, whose lines may go on in the text that follows: cut
 * there, all that comes before is whole queries. 0: there is but one query. The text need not
 * end with a line. comments: whether a line that begins with "#" is of no query (RS-CONV-33). */
int64_t rs_last_query(const char *text, int64_t size, int32_t comments)
{
    int64_t end = size, cut = 0;
    const char *id = NULL;
    int64_t length = 0;
    while (end > 0) { /* the line that ends before `end` */
        int64_t begin = end - 1;
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        int64_t p = begin;
        while (p < end && is_blank(text[p]))
            p++;
        int64_t q = p;
        while (q < end && text[q] != '\n' && !is_blank(text[q]))
            q++;
        /* An id at the end of the text may be cut: such a line belongs to what follows. */
        bool of_none = comments && q > p && text[p] == '#';
        if (q > p && q < size && !of_none) {
            if (id && !rs_same_id(id, length, text + p, q - p))
                return cut;
            id = text + p;
            length = q - p;
        }
        if (q > p || end == size)
            cut = begin;
        end = begin;
    }
    return id ? 0 : cut; /* there may be blank lines and comments alone */
}

typedef struct {
    const char *begin, *end; /* of the query's id */
    int64_t number;          /* in the judgments, or -1 */
} current_query;

/* A line's number that orders it, the highest first. RS-CONV-32 */
static bool read_order(const split_columns *line, const rs_conventions *by, int64_t position,
                       locale_t *c_locale, double *score)
{
    const int64_t most = (int64_t)1 << 53;
    int64_t rank;
    switch ((enum rs_row_order)by->order) {
    case RS_BY_RANK:
        if (!read_label(column(line, 3), &rank) || rank > most || rank < -most)
            return false;
        *score = 0.0 - (double)rank;
        return true;
    case RS_BY_FILE:
        *score = 0.0 - (double)position;
        return true;
    case RS_BY_SCORE:
        break;
    }
    return read_score(column(line, 4), c_locale, score);
}

/* The state of reading a run. seen: 1 for each judged query that came. */
typedef struct {
    ranker r;
    uint8_t *seen;
    locale_t c_locale;
} run_reader;

static void free_run_reader(void *held)
{
    run_reader *x = held;
    rs_free_ranker(&x->r);
    free(x->seen);
    free_c_locale(x->c_locale);
}

static int64_t rank_lines(run_reader *x, const char *text, int64_t size, rs_ranked *lists,
                          int64_t *at)
{
    ranker *r = &x->r;
    const rs_judgments *j = r->judgments;
    const rs_conventions *by = r->by;
    int64_t result = x->seen ? 0 : RS_NO_MEMORY;
    split_columns line = {.n = 0};
    current_query query = {NULL, NULL, -1};
    const char *end = text + size;
    lists->n = lists->offsets[0] = lists->judged = 0;

    for (const char *p = text; p < end && result == 0; p++) {
        double score;
        int64_t begin = p - text;
        if (r->n % RS_STRIDE == 0)
            rs_pause(RS_STRIDE * 40);
        p = split_line(p, end, &line);
        if (p && (line.n == 0 || is_comment(&line, by)))
            continue;
        bool whole = p && (line.n == RUN_COLUMNS || (by->tail && line.n > RUN_COLUMNS));
        if (!whole || any_too_long(&line, RUN_COLUMNS, by) ||
            !read_order(&line, by, begin, &x->c_locale, &score)) {
            *at = begin;
            result = bad_line(x->c_locale);
            break;
        }
        token id = column(&line, 0), document = column(&line, 2);
        if (!query.begin || !rs_is_same(query.begin, query.end - query.begin, id.begin,
                                        id.end - id.begin)) {
            if (query.begin)
                result = rs_rank_query(r, query.number, lists, at);
            if (result)
                break;
            query = (current_query){id.begin, id.end,
                                    rs_find_query(j, id.begin, id.end - id.begin)};
            lists->ids.begin[lists->n] = id.begin - text;
            lists->ids.length[lists->n] = id.end - id.begin;
            r->n = 0;
            if (query.number >= 0 && x->seen[query.number]++)
                result = RS_UNGROUPED;
        }
        if (result == 0 && !rs_add(r, document.begin - text, document.end - document.begin,
                                   score))
            result = RS_NO_MEMORY;
        if (result == 0 && lists->remarks)
            r->ranks[r->n - 1] = read_rank(column(&line, 3));
    }
    if (result == 0 && query.begin)
        result = rs_rank_query(r, query.number, lists, at);
    lists->ids.text = text;
    return result;
}

/* The lists of a text that holds whole queries: nothing of another comes between the lines of
 * one. Returns RS_UNGROUPED if that is not so. There is room for as many lists and labels as
 * lines. */
int64_t rs_read_run(const char *text, int64_t size, const rs_judgments *j,
                    const rs_conventions *by, rs_ranked *lists, int64_t *at)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    run_reader x = {.r = {.judgments = j, .by = by, .ids = {.text = text}},
                    .seen = rs_allocate_zeros(j->n, 1),
                    .c_locale = (locale_t)0};
    rs_when_stopped(free_run_reader, &x);
    int64_t result = rank_lines(&x, text, size, lists, at);
    rs_when_stopped(NULL, NULL);
    free_run_reader(&x);
    return result;
}

/* The length of the token at p, of what comes before a NUL byte at least: the line is refused
 * when it is read. */
static int64_t id_length(const char *p)
{
    const char *end = token_end(p);
    return end ? end - p : (int64_t)strlen(p);
}

/* The queries of a text in the order of first mention, and how many bytes the lines of each
 * have; returns how many there are. query: of each line that is not blank, its number there;
 * or NULL. There is room for as many as lines. */
static int64_t number_queries(const char *text, int64_t size, rs_ids *queries, int64_t *bytes,
                              int64_t *query)
{
    rs_rooms rooms = {0};
    int64_t slots_size = rs_slots_for(rs_count_lines(text, size));
    uint64_t *slots = rs_room_of_zeros(&rooms, slots_size, sizeof *slots);
    int64_t n = 0, lines = 0;
    queries->text = text;
    for (const char *p = text; slots && p < text + size; lines++) {
        rs_pause_at(lines, lines + 1, 60);
        const char *line = p;
        p = (const char *)memchr(line, '\n', (size_t)(text + size - line)) + 1;
        const char *id = line;
        while (is_blank(*id))
            id++;
        if (*id == '\n')
            continue;
        int64_t length = id_length(id);
        uint64_t hash = rs_hash(id, length);
        int64_t s = rs_slot_of(slots, slots_size, hash, queries, id, length);
        if (!slots[s]) {
            queries->begin[n] = id - text;
            queries->length[n] = length;
            bytes[n] = 0;
            slots[s] = rs_slot(hash, n++);
        }
        bytes[rs_index_in(slots[s])] += p - line;
        if (query)
            *query++ = rs_index_in(slots[s]);
    }
    rs_leave(&rooms);
    return slots ? n : RS_NO_MEMORY;
}

/* The queries of whole lines of a run, and how many bytes they take. */
int64_t rs_tally(const char *text, int64_t size, rs_ids *queries, int64_t *bytes)
{
    return number_queries(text, size, queries, bytes, NULL);
}

/* Copies the lines of the queries that some judgments have; returns how many bytes are written.
 * others_blank: whether a blank line stands for each other line, so that lines keep their numbers */
int64_t rs_collect(const char *text, int64_t size, const rs_judgments *wanted,
                   int32_t others_blank, char *to)
{
    int64_t copied = 0;
    for (const char *p = text; p < text + size;) {
        const char *line = p, *id = p;
        p = (const char *)memchr(line, '\n', (size_t)(text + size - line)) + 1;
        while (is_blank(*id))
            id++;
        if (*id == '\n' || rs_find_query(wanted, id, id_length(id)) < 0) {
            if (others_blank)
                to[copied++] = '\n';
            continue;
        }
        memcpy(to + copied, line, (size_t)(p - line));
        copied += p - line;
    }
    return copied;
}

static int64_t group_lines(const char *text, int64_t size, char *to)
{
    int64_t lines = rs_count_lines(text, size), n = RS_NO_MEMORY;
    rs_rooms rooms = {0};
    int64_t *query = rs_room(&rooms, lines, sizeof *query);
    int64_t *place = rs_room(&rooms, lines, sizeof *place);
    rs_ids queries = {.text = text};
    queries.begin = rs_room(&rooms, lines, sizeof *queries.begin);
    queries.length = rs_room(&rooms, lines, sizeof *queries.length);
    if (!rooms.lacking)
        n = number_queries(text, size, &queries, place, query);
    for (int64_t q = 0, sum = 0; q < n; q++) { /* the bytes of each become its place */
        int64_t own = place[q];
        place[q] = sum;
        sum += own;
    }
    const char *line = text;
    for (int64_t i = 0; n >= 0 && line < text + size; i++) {
        rs_pause_at(i, i + 1, 40);
        const char *next = (const char *)memchr(line, '\n', (size_t)(text + size - line)) + 1;
        memcpy(to + place[query[i]], line, (size_t)(next - line));
        place[query[i]] += next - line;
        line = next;
    }
    rs_leave(&rooms);
    return n;
}

/* Copies the lines of a text such that those of a query come together, in their order. There
 * are no blank lines. */
int64_t rs_group(const char *text, int64_t size, char *to)
{
    RS_STOPPABLE(RS_STOPPED);
    return group_lines(text, size, to);
}
