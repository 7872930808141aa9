/* A libFuzzer target: qrels and runs through the C reader, called as reader.py calls it.
 *
 * An input is a case, as tests/formats/test_corpus.py reads it too: eight digits (the conventions
 * and the size of a block), a byte ("p": labels are scores), a qrels text, "--" and a newline, a run.
 *
 * All that is handed to the core lies in heap blocks of exactly the promised sizes, so that
 * AddressSanitizer sees any access beyond them.
 */
#include "trec.h"

#include <stdio.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                            \
        }                                                                       \
    } while (0)

/* ---- memory ------------------------------------------------------------------------- */

static void *exact_room(int64_t n, size_t size)
{
    void *room = malloc((size_t)n * size);
    CHECK(room);
    return room;
}

static int64_t *int64s(int64_t n)
{
    return exact_room(n, sizeof(int64_t));
}

/* A text with its padding, of whatever it may be filled with, and with a line end if asked for. */
static char *padded(const char *text, int64_t *size, bool line_end, int fill)
{
    line_end = line_end && (*size == 0 || text[*size - 1] != '\n');
    char *copy = exact_room(*size + line_end + RS_PADDING, 1);
    memcpy(copy, text, (size_t)*size);
    if (line_end)
        copy[(*size)++] = '\n';
    memset(copy + *size, fill, RS_PADDING);
    return copy;
}

static rs_ids ids_for(int64_t n)
{
    return (rs_ids){NULL, int64s(n), int64s(n)};
}

static void free_ids(rs_ids *ids)
{
    free(ids->begin);
    free(ids->length);
}

static rs_judgments judgments_for(int64_t lines)
{
    return (rs_judgments){.queries = ids_for(lines),
                          .documents = ids_for(lines),
                          .labels = int64s(lines),
                          .offsets = int64s(lines + 1),
                          .query_slots = exact_room(4 * lines + 4, sizeof(uint64_t)),
                          .slots = exact_room(8 * lines, sizeof(uint64_t)),
                          .type = RS_I64};
}

static void free_judgments(rs_judgments *j)
{
    free_ids(&j->queries);
    free_ids(&j->documents);
    free(j->labels);
    free(j->offsets);
    free(j->query_slots);
    free(j->slots);
}

static rs_ranked lists_for(int64_t lines, int32_t type)
{
    return (rs_ranked){.ids = ids_for(lines),
                       .queries = int64s(lines),
                       .offsets = int64s(lines + 1),
                       .labels = exact_room(lines, (size_t)rs_label_size(type)),
                       .starts = exact_room(lines, 1),
                       .unjudged = exact_room(lines, 1)};
}

static void free_lists(rs_ranked *lists)
{
    free_ids(&lists->ids);
    free(lists->queries);
    free(lists->offsets);
    free(lists->labels);
    free(lists->starts);
    free(lists->unjudged);
}

/* ---- what must hold ----------------------------------------------------------------- */

static void check_rising(const int64_t *offsets, int64_t n, int64_t most)
{
    CHECK(offsets[0] == 0);
    for (int64_t a = 0; a < n; a++)
        CHECK(offsets[a] <= offsets[a + 1]);
    CHECK(offsets[n] <= most);
}

static void check_refusal(int64_t result, const char *text, int64_t size, int64_t at)
{
    CHECK(RS_UNGROUPED <= result && result <= RS_BAD_LINE);
    if (result == RS_BAD_LINE || result == RS_DUPLICATE || result == RS_NEGATIVE)
        CHECK(0 <= at && at < size);
    if (result == RS_BAD_LINE)
        CHECK(at == 0 || text[at - 1] == '\n');
}

/* A label as a double, which no greater label is below. */
static double label_at(const void *labels, int32_t type, int64_t i)
{
    return type == RS_U8    ? ((const uint8_t *)labels)[i]
           : type == RS_I64 ? (double)((const int64_t *)labels)[i]
                            : ((const double *)labels)[i];
}

static void check_judgments(const rs_judgments *j, int64_t lines, bool scored)
{
    CHECK(0 <= j->n && j->n <= lines);
    check_rising(j->offsets, j->n, lines);
    double lowest = 0;
    for (int64_t q = 0; q < j->n; q++) {
        const char *query = j->queries.text + j->queries.begin[q];
        const judged_query own = judgments_of(j, q);
        CHECK(rs_find_query(j, query, j->queries.length[q]) == q);
        for (int64_t i = j->offsets[q]; i < j->offsets[q + 1]; i++) {
            const char *id = j->documents.text + j->documents.begin[i];
            int64_t length = j->documents.length[i];
            CHECK(find_judgment(&own, rs_hash(id, length), id, length) == i);
            double label = label_at(j->labels, j->type, i);
            CHECK(label - label == 0 && (scored || label >= 0));
            CHECK(j->type == RS_F64 || label <= (double)j->highest);
            lowest = label < lowest ? label : lowest;
        }
    }
    if (j->type != RS_F64)
        CHECK((j->type == RS_U8) == (lowest >= 0 && j->highest <= UINT8_MAX));
}

static bool labels_are_scores; /* RS-CONV-20 */

/* What orders tied documents by their labels. */
static double order_of(const rs_ranked *lists, int32_t type, int64_t i)
{
    return lists->unjudged[i] ? -1.0 / 0.0 : label_at(lists->labels, type, i);
}

static void check_list(const rs_ranked *lists, int64_t a, const rs_judgments *j,
                       const rs_conventions *by)
{
    int64_t begin = lists->offsets[a], end = lists->offsets[a + 1];
    CHECK(end - begin <= by->depth);
    CHECK(lists->queries[a] >= 0 || by->unjudged_too || begin == end);
    for (int64_t i = begin; i < end; i++) {
        double label = label_at(lists->labels, j->type, i);
        CHECK(labels_are_scores || 0 <= label);
        CHECK(labels_are_scores || j->type == RS_F64 || label <= (double)j->highest);
        CHECK(lists->starts[i] == 1 || (lists->starts[i] == 0 && i > begin));
        CHECK(lists->unjudged[i] == 0 || (lists->unjudged[i] == 1 && label == 0));
        CHECK(!(lists->unjudged[i] && by->condensed));
        if (lists->starts[i])
            continue;
        double before = order_of(lists, j->type, i - 1);
        if (by->rule == RS_BEST)
            CHECK(order_of(lists, j->type, i) <= before);
        if (by->rule == RS_WORST)
            CHECK(order_of(lists, j->type, i) >= before);
    }
}

static void check_pools(const rs_ranked *lists, const rs_judgments *j)
{
    int64_t size = 0, *offsets = int64s(lists->n + 1);
    for (int64_t a = 0; a < lists->n; a++)
        size += lists->queries[a] < 0 ? 0 : number_of_judgments(j, lists->queries[a]);
    void *pool = exact_room(size, (size_t)rs_label_size(j->type));
    rs_pools(j, lists->queries, lists->n, pool, offsets);
    check_rising(offsets, lists->n, size);
    CHECK(offsets[lists->n] == size);
    free(pool);
    free(offsets);
}

static void check_lists(const rs_ranked *lists, const rs_judgments *j, const rs_conventions *by,
                        int64_t lines)
{
    CHECK(0 <= lists->n && lists->n <= lines);
    check_rising(lists->offsets, lists->n, lines);
    bool *seen = calloc((size_t)j->n + 1, sizeof *seen);
    CHECK(seen);
    for (int64_t a = 0; a < lists->n; a++) {
        check_list(lists, a, j, by);
        CHECK(lists->queries[a] < 0 || !seen[lists->queries[a]]);
        seen[lists->queries[a] < 0 ? j->n : lists->queries[a]] = true;
    }
    free(seen);
    check_pools(lists, j);
}

/* ---- what was read, to be compared --------------------------------------------------- */

/* Lists one behind the other; n of them. */
typedef struct {
    char *bytes;
    size_t size, room;
    int64_t n;
} transcript;

static void note(transcript *t, const void *bytes, int64_t n)
{
    while (t->size + (size_t)n > t->room) {
        t->room = 2 * t->room + 256;
        t->bytes = realloc(t->bytes, t->room);
        CHECK(t->bytes);
    }
    memcpy(t->bytes + t->size, bytes, (size_t)n);
    t->size += (size_t)n;
}

static void note_lists(transcript *t, const rs_ranked *lists, int32_t type)
{
    for (int64_t a = 0; a < lists->n; a++) {
        int64_t begin = lists->offsets[a], n = lists->offsets[a + 1] - begin;
        int64_t head[] = {lists->ids.length[a], lists->queries[a], n};
        note(t, head, sizeof head);
        note(t, lists->ids.text + lists->ids.begin[a], lists->ids.length[a]);
        note(t, (char *)lists->labels + begin * rs_label_size(type), n * rs_label_size(type));
        note(t, lists->starts + begin, n);
        note(t, lists->unjudged + begin, n);
    }
    t->n += lists->n;
}

static bool same(const transcript *x, const transcript *y)
{
    return x->n == y->n && x->size == y->size &&
           (x->size == 0 || memcmp(x->bytes, y->bytes, x->size) == 0);
}

/* ---- the ways to read ----------------------------------------------------------------- */

/* The judgments of a text, or none if it is refused. The caller frees the text with them. */
static rs_judgments read_qrels(const char *qrels, int64_t size, int32_t keep, int32_t negative,
                               bool scored, char **text)
{
    int64_t at = -1;
    *text = padded(qrels, &size, true, 'x');
    int64_t lines = rs_count_lines(*text, size);
    rs_judgments j = judgments_for(lines);
    rs_conventions by = {0};
    int64_t result = rs_read_qrels(*text, size, &by, &j, &at);
    if (result >= 0) {
        CHECK(result <= lines);
        result = rs_index(&j, keep, scored ? RS_NEGATIVE_KEPT : negative, &at);
    }
    if (result < 0) {
        check_refusal(result, *text, size, at);
        free_judgments(&j);
        free(*text);
        return read_qrels("", 0, keep, negative, scored, text);
    }
    check_judgments(&j, lines, scored);
    return j;
}

/* Ids in a text of their own, divided by newlines: as those of dictionaries come. */
static char *joined(const rs_ids *ids, int64_t n, rs_ids *own)
{
    int64_t size = n ? n - 1 : 0;
    for (int64_t a = 0; a < n; a++)
        size += ids->length[a];
    char *text = exact_room(size + RS_PADDING, 1), *to = text;
    for (int64_t a = 0; a < n; a++) {
        if (a)
            *to++ = '\n';
        memcpy(to, ids->text + ids->begin[a], (size_t)ids->length[a]);
        to += ids->length[a];
    }
    memset(text + size, 0xff, RS_PADDING);
    own->text = text;
    if (n)
        CHECK(rs_split(text, size, own) == n);
    return text;
}

/* The first n of some queries, without documents. The caller frees the text with them. */
static rs_judgments wanted(const rs_ids *ids, int64_t n, char **text)
{
    int64_t at;
    rs_judgments j = judgments_for(n);
    *text = joined(ids, n, &j.queries);
    j.documents.text = *text;
    j.n = n;
    memset(j.offsets, 0, (size_t)(n + 1) * sizeof *j.offsets);
    CHECK(rs_index(&j, RS_KEEP_NONE, RS_NEGATIVE_ZERO, &at) == 0);
    return j;
}

/* How many documents of a list are at its first ranks, with the rest of the tie group there. */
static int64_t first_ranks(const rs_ranked *lists, int64_t a, int64_t ranks)
{
    int64_t begin = lists->offsets[a], all = lists->offsets[a + 1] - begin, n = rs_min(ranks, all);
    while (0 < n && n < all && !lists->starts[begin + n])
        n++;
    return n;
}

/* Reads a text of whole queries once more, down to some rank: the lists are the first of these. */
static void check_first_ranks(const char *text, int64_t size, const rs_judgments *j,
                              const rs_conventions *by, const rs_ranked *whole)
{
    int64_t at, lines = rs_count_lines(text, size), bytes = rs_label_size(j->type);
    rs_conventions few = *by;
    few.reads = 1 + lines % 4;
    rs_ranked lists = lists_for(lines, j->type);
    CHECK(rs_read_run(text, size, j, &few, &lists, &at) == 0);
    CHECK(lists.n == whole->n && lists.judged == whole->judged);
    for (int64_t a = 0; a < lists.n; a++) {
        int64_t begin = lists.offsets[a], old = whole->offsets[a];
        size_t n = (size_t)(lists.offsets[a + 1] - begin);
        CHECK((int64_t)n == first_ranks(whole, a, few.reads));
        CHECK(memcmp((char *)lists.labels + begin * bytes, (char *)whole->labels + old * bytes,
                     n * (size_t)bytes) == 0);
        CHECK(memcmp(lists.starts + begin, whole->starts + old, n) == 0);
        CHECK(memcmp(lists.unjudged + begin, whole->unjudged + old, n) == 0);
    }
    free_lists(&lists);
}

/* The lists of a text of whole queries, added to a transcript. */
static int64_t read_run(const char *run, int64_t size, int fill, const rs_judgments *j,
                        const rs_conventions *by, transcript *t)
{
    int64_t at = -1;
    char *text = padded(run, &size, true, fill);
    int64_t lines = rs_count_lines(text, size);
    rs_ranked lists = lists_for(lines, j->type);
    int64_t result = rs_read_run(text, size, j, by, &lists, &at);
    if (result == 0) {
        check_lists(&lists, j, by, lines);
        note_lists(t, &lists, j->type);
        if (by->depth == RS_WHOLE)
            check_first_ranks(text, size, j, by, &lists);
    } else {
        check_refusal(result, text, size, at);
    }
    free_lists(&lists);
    free(text);
    return result;
}

/* The lists of a run that is read in blocks, cut where the last query of each begins. */
static int64_t read_blocks(const char *run, int64_t size, int64_t block, const rs_judgments *j,
                           const rs_conventions *by, transcript *t)
{
    int64_t result = 0, begin = 0, length = block;
    while (begin < size && result == 0) {
        int64_t cut = size - begin;
        if (length < cut) {
            char *exact = exact_room(length, 1);
            memcpy(exact, run + begin, (size_t)length);
            cut = rs_last_query(exact, length, by->comments);
            CHECK(0 <= cut && cut < length && (cut == 0 || exact[cut - 1] == '\n'));
            free(exact);
        }
        if (cut)
            result = read_run(run + begin, cut, 0xff, j, by, t);
        length = cut ? block : 2 * length;
        begin += cut;
    }
    return result;
}

/* The lines of some queries, those of each query together. */
static char *grouped_lines(const char *text, int64_t size, const rs_ids *queries,
                           const int64_t *bytes, int64_t n, int64_t *grouped_size)
{
    char *names;
    rs_judgments of = wanted(queries, n, &names);
    int64_t own = 0;
    for (int64_t q = 0; q < n; q++)
        own += bytes[q];
    char *exact = exact_room(own, 1), *grouped = exact_room(own, 1), *again = exact_room(own, 1);
    CHECK(rs_collect(text, size, &of, false, exact) == own);
    char *in_place = exact_room(size, 1);
    CHECK(rs_count_lines(in_place, rs_collect(text, size, &of, true, in_place)) ==
          rs_count_lines(text, size));
    free(in_place);
    char *collected = padded(exact, &own, false, '\n');
    CHECK(rs_group(collected, own, grouped) == n);
    free(collected);
    collected = padded(grouped, &own, false, 0);
    CHECK(rs_group(collected, own, again) == n);
    CHECK(memcmp(grouped, again, (size_t)own) == 0);
    free_judgments(&of);
    free(names);
    free(exact);
    free(collected);
    free(again);
    *grouped_size = own;
    return grouped;
}

/* The lists of any run, at most so many queries at a time. */
static int64_t read_shares(const char *run, int64_t size, int64_t share, const rs_judgments *j,
                           const rs_conventions *by, transcript *t)
{
    char *text = padded(run, &size, true, 0xff);
    int64_t lines = rs_count_lines(text, size), *bytes = int64s(lines), result = 0;
    rs_ids queries = ids_for(lines);
    int64_t n = rs_tally(text, size, &queries, bytes);
    CHECK(0 <= n && n <= lines);
    for (int64_t q = 0; q < n && result == 0; q += share) {
        int64_t own;
        rs_ids some = {queries.text, queries.begin + q, queries.length + q};
        char *grouped = grouped_lines(text, size, &some, bytes + q, rs_min(share, n - q), &own);
        result = read_run(grouped, own, '\t', j, by, t);
        free(grouped);
    }
    if (result == 0)
        CHECK(t->n == n);
    free_ids(&queries);
    free(bytes);
    free(text);
    return result;
}

/* The lists of a text of whole queries that can be read, by way of its documents and scores. */
static void rank_documents(const char *run, int64_t size, const rs_judgments *j,
                           const rs_conventions *by, transcript *t)
{
    char *text = padded(run, &size, true, '0');
    int64_t lines = rs_count_lines(text, size), n = 0, documents = 0;
    rs_ids ids = ids_for(lines), own = ids_for(lines);
    rs_ranked lists = lists_for(lines, j->type);
    double *scores = exact_room(lines, sizeof *scores);
    int64_t *offsets = int64s(lines + 1), *numbers = int64s(lines);
    locale_t c_locale = (locale_t)0;
    ids.text = lists.ids.text = text;
    for (const char *p = text; p < text + size; p++) {
        split_columns line;
        p = split_line(p, text + size, &line);
        if (line.n == 0)
            continue;
        token query = column(&line, 0), document = column(&line, 2);
        int64_t length = query.end - query.begin;
        if (n == 0 || !rs_same_id(text + lists.ids.begin[n - 1], lists.ids.length[n - 1],
                                  query.begin, length)) {
            lists.ids.begin[n] = query.begin - text;
            lists.ids.length[n] = length;
            numbers[n] = rs_find_query(j, query.begin, length);
            offsets[n++] = documents;
        }
        ids.begin[documents] = document.begin - text;
        ids.length[documents] = document.end - document.begin;
        CHECK(read_score(column(&line, 4), &c_locale, &scores[documents++]));
    }
    offsets[n] = documents;
    int64_t at = -1;
    char *names = joined(&ids, documents, &own);
    CHECK(rs_rank(j, &own, scores, offsets, numbers, n, by, &lists, &at) == 0);
    check_lists(&lists, j, by, lines);
    note_lists(t, &lists, j->type);
    if (c_locale)
        freelocale(c_locale);
    free_ids(&ids);
    free_ids(&own);
    free(names);
    free_lists(&lists);
    free(scores);
    free(offsets);
    free(numbers);
    free(text);
}

static void check_split(const char *text, int64_t size)
{
    char *exact = exact_room(size, 1);
    memcpy(exact, text, (size_t)size);
    int64_t newlines = rs_count_lines(exact, size), at = 0;
    rs_ids ids = ids_for(newlines + 1);
    CHECK(rs_split(exact, size, &ids) == newlines + 1);
    for (int64_t a = 0; a <= newlines; a++) {
        CHECK(ids.begin[a] == at && ids.length[a] >= 0);
        at += ids.length[a] + 1;
        CHECK(a == newlines ? at == size + 1 : exact[at - 1] == '\n');
    }
    free_ids(&ids);
    free(exact);
}

static void check_run(const char *run, int64_t size, int64_t block, const rs_judgments *j,
                      const rs_conventions *by)
{
    transcript whole = {0}, blocks = {0}, grouped = {0}, shares = {0}, ranked = {0};
    int64_t of_whole = read_run(run, size, 0, j, by, &whole);
    int64_t of_blocks = read_blocks(run, size, block, j, by, &blocks);
    int64_t of_grouped = read_shares(run, size, INT64_MAX / 2, j, by, &grouped);
    int64_t of_shares = read_shares(run, size, 1 + block % 3, j, by, &shares);

    if (of_whole == 0)
        CHECK(of_blocks == 0 && same(&whole, &blocks));
    if (of_blocks == 0)
        CHECK(of_whole == 0 || of_whole == RS_UNGROUPED);
    CHECK(of_grouped != RS_UNGROUPED && of_shares != RS_UNGROUPED);
    if (of_whole == RS_BAD_LINE || of_whole == RS_DUPLICATE)
        CHECK(of_grouped != 0);
    if (of_grouped == 0) {
        CHECK(of_shares == 0 && same(&grouped, &shares));
        CHECK(of_whole != 0 || whole.n != grouped.n || same(&whole, &grouped));
    } else {
        CHECK(of_shares != 0);
    }
    if (of_whole == 0) {
        rank_documents(run, size, j, by, &ranked);
        CHECK(same(&whole, &ranked));
    }
    free(whole.bytes);
    free(blocks.bytes);
    free(grouped.bytes);
    free(shares.bytes);
    free(ranked.bytes);
}

/* ---- a case ----------------------------------------------------------------------------- */

enum { RULE, FLOAT32, CONDENSED, UNJUDGED_TOO, KEEP, NEGATIVE, DEPTH, BLOCK_SIZE, DIGITS };

static const char *second_part(const char *text, int64_t size)
{
    for (const char *p = text; p + 3 <= text + size; p++)
        if (memcmp(p, "--\n", 3) == 0)
            return p + 3;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t digit[DIGITS] = {0};
    memcpy(digit, data, size < DIGITS ? size : DIGITS);
    rs_conventions by = {.depth = digit[DEPTH] % 8 ? digit[DEPTH] % 8 : RS_WHOLE,
                         .reads = RS_WHOLE,
                         .rule = digit[RULE] % 6,
                         .keep = digit[KEEP] % 4,
                         .float32 = digit[FLOAT32] % 2,
                         .condensed = digit[CONDENSED] % 2,
                         .unjudged_too = digit[UNJUDGED_TOO] % 2};
    labels_are_scores = size > DIGITS && data[DIGITS] == 'p';
    const char *end = (const char *)data + size;
    const char *qrels = size > DIGITS ? (const char *)data + DIGITS + 1 : end;
    const char *run = second_part(qrels, end - qrels);
    const char *qrels_end = run ? run - 3 : end;
    int64_t block = 16 + 9 * (digit[BLOCK_SIZE] % 8);
    char *text;
    rs_judgments j = read_qrels(qrels, qrels_end - qrels, by.keep, digit[NEGATIVE] % 3,
                                labels_are_scores, &text);
    if (run) {
        check_run(run, end - run, block, &j, &by);
        check_split(run, end - run);
    }
    free_judgments(&j);
    free(text);
    return 0;
}
