/* From judgments and scored documents to ranked lists of labels: the conventions applied.
 *
 * The functions follow lists.py, which says the same in Python. Spec: chapter "conventions".
 */
#include "lists.h"

#include <string.h>

#include "gain.h"
#include "memory.h"
#include "stopping.h"

/* ---- judgments ---------------------------------------------------------------------- */

static uint64_t *slots_of_query(const rs_judgments *j, int64_t query)
{
    return j->slots + 4 * (j->offsets[query] + query);
}

static int64_t number_of_judgments(const rs_judgments *j, int64_t query)
{
    return j->offsets[query + 1] - j->offsets[query];
}

/* The number of a query, or -1. */
int64_t rs_find_query(const rs_judgments *j, const char *id, int64_t length)
{
    int64_t size = rs_slots_for(j->n);
    int64_t s = rs_slot_of(j->query_slots, size, rs_hash(id, length), &j->queries, id, length);
    return rs_index_in(j->query_slots[s]);
}

/* The judgments of a query, the first of which is `first`; that of number -1 has none. */
typedef struct {
    const uint64_t *slots;
    int64_t size, first;
    rs_ids documents;
} judged_query;

static judged_query judgments_of(const rs_judgments *j, int64_t query)
{
    static const uint64_t none[2] = {0, 0};
    if (query < 0)
        return (judged_query){.slots = none, .size = 2};
    int64_t first = j->offsets[query];
    return (judged_query){
        .slots = slots_of_query(j, query),
        .size = rs_slots_for(number_of_judgments(j, query)),
        .first = first,
        .documents = {j->documents.text, j->documents.begin + first, j->documents.length + first},
    };
}

/* The position of a document's judgment, or -1. */
static inline int64_t find_judgment(const judged_query *own, uint64_t hash, const char *id,
                                    int64_t length)
{
    int64_t s = rs_slot_of(own->slots, own->size, hash, &own->documents, id, length);
    return own->slots[s] ? own->first + rs_index_in(own->slots[s]) : -1;
}

/* A label, of eight bytes, as a number that rises with it. */
static uint64_t key_of_word(int64_t word, int32_t type)
{
    return rs_label_key(&word, type, 0);
}

/* Puts the judgments of one query, which begin at `from`, to their place, each document once; the
 * table of the query is made on the way, as large as for those that it had. RS-CONV-10 */
static int64_t keep_one_of_each(rs_judgments *j, int64_t query, int64_t from, int64_t end,
                                int32_t keep, int64_t *at)
{
    int64_t *begin = j->documents.begin, *length = j->documents.length;
    int64_t *labels = j->labels;
    int64_t first = j->offsets[query], n = 0, size = rs_slots_for(end - from);
    rs_ids own = {j->documents.text, begin + first, length + first};
    uint64_t *slots = slots_of_query(j, query);
    memset(slots, 0, (size_t)size * sizeof *slots);
    for (int64_t i = from; i < end; i++) {
        rs_pause_at(i, i + 1, 60);
        const char *id = j->documents.text + begin[i];
        uint64_t hash = rs_hash(id, length[i]);
        int64_t s = rs_slot_of(slots, size, hash, &own, id, length[i]);
        if (!slots[s]) {
            slots[s] = rs_slot(hash, n);
            begin[first + n] = begin[i];
            length[first + n] = length[i];
            labels[first + n++] = labels[i];
            continue;
        }
        int64_t *known = &labels[first + rs_index_in(slots[s])];
        if (keep == RS_KEEP_NONE) {
            *at = begin[i];
            return RS_DUPLICATE;
        }
        if (keep == RS_KEEP_LAST || (keep == RS_KEEP_BEST &&
                                       key_of_word(labels[i], j->type) >
                                           key_of_word(*known, j->type)))
            *known = labels[i];
    }
    return n;
}

/* Whether a label, of eight bytes, is below 0. */
static bool is_negative(int64_t word, int32_t type)
{
    double x;
    memcpy(&x, &word, sizeof x);
    return type == RS_F64 ? x < 0 : word < 0;
}

/* Leaves out the negative labels of one query, or makes them 0. RS-CONV-15 */
static int64_t without_negative(rs_judgments *j, int64_t query, int64_t n, int32_t negative,
                                int64_t *at)
{
    int64_t *begin = j->documents.begin + j->offsets[query];
    int64_t *length = j->documents.length + j->offsets[query];
    int64_t *labels = (int64_t *)j->labels + j->offsets[query];
    int64_t kept = 0;
    rs_pause_over(n, 4);
    for (int64_t i = 0; i < n; i++) {
        bool below = is_negative(labels[i], j->type);
        if (below && negative == RS_NEGATIVE_ERROR) {
            *at = begin[i];
            return RS_NEGATIVE;
        }
        if (below && negative == RS_NEGATIVE_UNJUDGED)
            continue;
        begin[kept] = begin[i];
        length[kept] = length[i];
        labels[kept++] = below ? 0 : labels[i]; /* all bits of 0.0 are 0 too */
    }
    return kept;
}

/* The table of a query whose documents are different. */
static void make_table(rs_judgments *j, int64_t query, int64_t n)
{
    int64_t first = j->offsets[query], size = rs_slots_for(n);
    uint64_t *slots = slots_of_query(j, query);
    memset(slots, 0, (size_t)size * sizeof *slots);
    for (int64_t i = 0; i < n; i++) {
        rs_pause_at(i, i + 1, 60);
        uint64_t hash = rs_hash(j->documents.text + j->documents.begin[first + i],
                                j->documents.length[first + i]);
        int64_t s = (int64_t)(hash & (uint64_t)(size - 1));
        while (slots[s])
            s = (s + 1) & (size - 1);
        slots[s] = rs_slot(hash, i);
    }
}

/* Whole labels as bytes, where all fit. The bytes overwrite the words that they are made of. */
static void narrow_labels(rs_judgments *j)
{
    int64_t n = j->offsets[j->n];
    int64_t *labels = j->labels;
    int64_t lowest = 0;
    j->highest = 0;
    for (int64_t i = 0; i < n; i++) {
        j->highest = labels[i] > j->highest ? labels[i] : j->highest;
        lowest = rs_min(labels[i], lowest);
    }
    if (j->highest > UINT8_MAX || lowest < 0)
        return;
    uint8_t *bytes = j->labels;
    for (int64_t i = 0; i < n; i++) {
        int64_t label;
        memcpy(&label, (const char *)j->labels + (size_t)i * sizeof label, sizeof label);
        bytes[i] = (uint8_t)label;
    }
    j->type = RS_U8;
}

static int64_t make_index(rs_judgments *j, int32_t keep, int32_t negative, int64_t *at)
{
    int64_t size = rs_slots_for(j->n), from = 0;
    memset(j->query_slots, 0, (size_t)size * sizeof *j->query_slots);
    for (int64_t q = 0; q < j->n; q++) {
        const char *id = j->queries.text + j->queries.begin[q];
        uint64_t hash = rs_hash(id, j->queries.length[q]);
        int64_t s = rs_slot_of(j->query_slots, size, hash, &j->queries, id, j->queries.length[q]);
        j->query_slots[s] = rs_slot(hash, q);
    }
    for (int64_t q = 0; q < j->n; q++) {
        int64_t end = j->offsets[q + 1];
        int64_t n = keep_one_of_each(j, q, from, end, keep, at);
        if (n >= 0 && negative != RS_NEGATIVE_KEPT)
            n = without_negative(j, q, n, negative, at);
        if (n < 0)
            return n;
        if (n < end - from) /* a table for fewer */
            make_table(j, q, n);
        from = end;
        j->offsets[q + 1] = j->offsets[q] + n;
    }
    if (j->type == RS_I64)
        narrow_labels(j);
    return 0;
}

/* Makes judgments ready to be looked up: queries are numbered already, in a table of theirs.
 * Each document is kept once, negative labels are dealt with, and labels are narrowed. */
int64_t rs_index(rs_judgments *j, int32_t keep, int32_t negative, int64_t *at)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    return make_index(j, keep, negative, at);
}

/* The labels of the judged documents of some queries; a query of number -1 has none.
 * RS-CONV-3 */
void rs_pools(const rs_judgments *j, const int64_t *queries, int64_t n, void *pool,
              int64_t *offsets)
{
    size_t size = (size_t)rs_label_size(j->type);
    offsets[0] = 0;
    for (int64_t a = 0; a < n; a++) {
        int64_t q = queries[a], judged = q < 0 ? 0 : number_of_judgments(j, q);
        if (judged)
            memcpy((char *)pool + (size_t)offsets[a] * size,
                   (const char *)j->labels + (size_t)j->offsets[q] * size,
                   (size_t)judged * size);
        offsets[a + 1] = offsets[a] + judged;
    }
}

/* ---- the list of one query ---------------------------------------------------------- */

void rs_free_ranker(ranker *r)
{
    free(r->ids.begin);
    free(r->ids.length);
    free(r->hash);
    free(r->score);
    free(r->ranks);
    free(r->judgment);
    free(r->order.keys);
    free(r->order.words);
    free(r->order.scratch);
    free(r->items);
    free(r->scratch);
    free(r->slots);
    free(r->bits);
}

static bool make_room(ranker *r)
{
    int64_t room = r->room ? 2 * r->room : 1024;
    if (!(rs_enlarge((void **)&r->ids.begin, room, sizeof *r->ids.begin) &&
          rs_enlarge((void **)&r->ids.length, room, sizeof *r->ids.length) &&
          rs_enlarge((void **)&r->hash, room, sizeof *r->hash) &&
          rs_enlarge((void **)&r->score, room, sizeof *r->score) &&
          rs_enlarge((void **)&r->ranks, room, sizeof *r->ranks) &&
          rs_enlarge((void **)&r->judgment, room, sizeof *r->judgment) &&
          rs_enlarge((void **)&r->order.keys, room, sizeof *r->order.keys) &&
          rs_enlarge((void **)&r->order.words, room, sizeof *r->order.words) &&
          rs_enlarge((void **)&r->order.scratch, room, sizeof *r->order.scratch) &&
          rs_enlarge((void **)&r->items, room, sizeof *r->items) &&
          rs_enlarge((void **)&r->scratch, room, sizeof *r->scratch) &&
          rs_enlarge((void **)&r->slots, 2 * room, sizeof *r->slots) &&
          rs_enlarge((void **)&r->bits, 2 * room, sizeof *r->bits)))
        return false;
    r->room = room;
    return true;
}

/* One more document of the query; false: there is no memory, or no list is that long. */
bool rs_add(ranker *r, int64_t begin, int64_t length, double score)
{
    if (r->n == RS_LONGEST || (r->n == r->room && !make_room(r)))
        return false;
    r->ids.begin[r->n] = begin;
    r->ids.length[r->n] = length;
    r->hash[r->n] = rs_hash(r->ids.text + begin, length);
    r->score[r->n++] = score;
    return true;
}

static void move_document(ranker *r, int64_t from, int64_t to)
{
    r->ids.begin[to] = r->ids.begin[from];
    r->ids.length[to] = r->ids.length[from];
    r->hash[to] = r->hash[from];
    r->score[to] = r->score[from];
    r->judgment[to] = r->judgment[from];
}

enum { DROPPED = -2, KEPT = -1 };

/* Finds the lines whose document another line may have: those of all others are different, as no
 * line shares a bit with them. Returns how many these are. The bits are as many as 64 for each line,
 * so that few lines share one by chance. */
static int64_t find_perhaps_repeated(ranker *r, int64_t *candidates)
{
    int64_t words = rs_slots_for(r->n) / 2, n = 0;
    uint64_t *once = r->bits, *twice = r->bits + words, last = (uint64_t)(words - 1);
    memset(r->bits, 0, 2 * (size_t)words * sizeof *r->bits);
    for (int64_t i = 0; i < r->n; i++) {
        uint64_t bit = 1ull << (r->hash[i] >> 58);
        twice[r->hash[i] & last] |= once[r->hash[i] & last] & bit;
        once[r->hash[i] & last] |= bit;
    }
    for (int64_t i = 0; i < r->n; i++) { /* without a jump that depends on the bits */
        candidates[n] = i;
        n += twice[r->hash[i] & last] >> (r->hash[i] >> 58) & 1;
    }
    return n;
}

/* Marks in r->judgment which lines are kept, one of each document; r->slots finds those of documents
 * that may have several. Returns how many are dropped, and the first whose document came before.
 * RS-CONV-10 */
static int64_t choose_lines(ranker *r, int64_t *second, int64_t *at)
{
    rs_pause_over(r->n, 20);
    int64_t *candidates = r->order.words, n = find_perhaps_repeated(r, candidates);
    int64_t size = r->size_of_slots = rs_slots_for(n), dropped = 0;
    *second = -1;
    memset(r->slots, 0, (size_t)size * sizeof *r->slots);
    for (int64_t i = 0; i < r->n; i++)
        r->judgment[i] = KEPT;
    for (int64_t a = 0; a < n; a++) {
        rs_pause_at(a, a + 1, 60);
        int64_t i = candidates[a];
        const char *id = r->ids.text + r->ids.begin[i];
        int64_t s = rs_slot_of(r->slots, size, r->hash[i], &r->ids, id, r->ids.length[i]);
        if (!r->slots[s]) {
            r->slots[s] = rs_slot(r->hash[i], i);
            continue;
        }
        int64_t known = rs_index_in(r->slots[s]);
        if (r->by->keep == RS_KEEP_NONE) {
            *at = r->ids.begin[i];
            return RS_DUPLICATE;
        }
        bool later = r->by->keep == RS_KEEP_LAST ||
                     (r->by->keep == RS_KEEP_BEST && r->score[i] > r->score[known]);
        r->judgment[later ? known : i] = DROPPED;
        if (later)
            r->slots[s] = rs_slot(r->hash[i], i);
        if (!dropped++)
            *second = i;
    }
    return dropped;
}

/* Moves the documents of the lines that are kept together, in their order. */
static void keep_chosen(ranker *r)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < r->n; i++)
        if (r->judgment[i] == KEPT)
            move_document(r, i, kept++);
    r->n = kept;
}

/* The line that is kept of the document of line i. */
static int64_t kept_line(const ranker *r, int64_t i)
{
    if (r->judgment[i] == KEPT)
        return i;
    const char *id = r->ids.text + r->ids.begin[i];
    return rs_index_in(r->slots[rs_slot_of(r->slots, r->size_of_slots, r->hash[i], &r->ids, id,
                                           r->ids.length[i])]);
}

/* Whether a document is ranked above one of a higher score, by the ranks of all lines and the
 * scores of those that are kept. Where ranks are equal, the higher score is first: so a
 * contradiction is between neighbours. */
static int32_t compare_ranks(ranker *r)
{
    ranked_item *items = r->items;
    int64_t n = 0;
    for (int64_t i = 0; i < r->n; i++) {
        rs_pause_at(i, i + 1, 30);
        if (r->ranks[i].kind == RS_RANK_OPEN)
            return RS_RANKS_OPEN;
        if (r->ranks[i].kind == RS_RANK)
            items[n++] = (ranked_item){
                .score = ~rs_label_key(&r->ranks[i].rank, RS_I64, 0), /* the least is first */
                .rule = rs_label_key(r->score, RS_F64, kept_line(r, i)),
                .position = i,
            };
    }
    rs_sort(items, r->scratch, n, NULL);
    for (int64_t i = 1; i < n; i++)
        if (items[i - 1].rule < items[i].rule)
            return RS_RANKS_CONTRADICT;
    return RS_RANKS_AGREE;
}

/* A score as it is compared. RS-CONV-12 */
static inline double compared_score(const ranker *r, int64_t i)
{
    return r->by->float32 ? (double)(float)r->score[i] : r->score[i];
}

/* A score as a 32-bit float compares it, whatever the precision is. */
static double as_float32(const ranker *r, int64_t i)
{
    const rs_conventions rounding = {.float32 = true};
    const ranker view = {.score = r->score, .by = &rounding};
    return compared_score(&view, i);
}

/* Whether several documents have one score. */
static bool have_one_score(const ranker *r)
{
    for (int64_t i = 1; i < r->n; i++)
        if (compared_score(r, i) != compared_score(r, 0))
            return false;
    return r->n > 1;
}

/* Keeps each document once, in the place of the line that is kept. RS-CONV-10 */
static int64_t keep_one_document_of_each(ranker *r, rs_remarks *remarks, int64_t *at)
{
    int64_t second, dropped = choose_lines(r, &second, at);
    if (dropped < 0)
        return dropped;
    if (remarks)
        *remarks = (rs_remarks){dropped, second, -1, 0, compare_ranks(r)};
    if (dropped)
        keep_chosen(r);
    if (remarks)
        remarks->one_score = have_one_score(r);
    return 0;
}

/* Finds the documents that may be judged: those of all others share no bit with a judgment. Returns
 * how many these are. */
static int64_t find_perhaps_judged(ranker *r, const judged_query *own, int64_t *candidates)
{
    uint64_t last = (uint64_t)(own->size / 2 - 1), *bits = r->bits;
    int64_t n = 0;
    memset(bits, 0, (size_t)(own->size / 2) * sizeof *bits);
    for (int64_t s = 0; s < own->size; s++) /* an empty slot sets no bit */
        bits[own->slots[s] >> 32 & last] |= (uint64_t)(own->slots[s] != 0) << (own->slots[s] >> 58);
    for (int64_t i = 0; i < r->n; i++) { /* without a jump that depends on the bits */
        candidates[n] = i;
        n += bits[r->hash[i] >> 32 & last] >> (r->hash[i] >> 58) & 1;
    }
    return n;
}

/* Finds the judgments. Where these are few, they are looked up for few documents. RS-CONV-8 */
static void find_judgments(ranker *r, int64_t query)
{
    const judged_query own = judgments_of(r->judgments, query);
    bool few = own.size <= r->n;
    rs_pause_over(r->n, 10);
    int64_t *candidates = r->order.words;
    int64_t n = few ? find_perhaps_judged(r, &own, candidates) : r->n;
    for (int64_t i = 0; i < r->n; i++)
        r->judgment[i] = -1;
    for (int64_t a = 0; a < n; a++) {
        rs_pause_at(a, a + 1, 60);
        int64_t i = few ? candidates[a] : a;
        r->judgment[i] = find_judgment(&own, r->hash[i], r->ids.text + r->ids.begin[i],
                                       r->ids.length[i]);
    }
}

/* Leaves out the documents without a judgment. RS-CONV-13 */
static void condense(ranker *r)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < r->n; i++)
        if (r->judgment[i] >= 0)
            move_document(r, i, kept++);
    r->n = kept;
}

/* A document without a judgment has the least key, which that of INT64_MIN may equal: those with
 * a judgment come to the sort in their place before it, or behind it. RS-TIE-2 */
static uint64_t key_of_label(const ranker *r, int64_t judgment)
{
    return judgment < 0 ? 0 : rs_label_key(r->judgments->labels, r->judgments->type, judgment);
}

/* The bytes of an id as a number that rises with them; longer ids may be equal in it. */
static uint64_t key_of_id(const ranker *r, int64_t i)
{
    return __builtin_bswap64(rs_first_bytes(r->ids.text + r->ids.begin[i], r->ids.length[i]));
}

/* What orders a document among those of equal score, the highest first. RS-CONV-7, RS-TIE-2 */
static uint64_t key_of_rule(const ranker *r, int64_t i)
{
    switch ((enum rs_ties)r->by->rule) {
    case RS_ID_DESCENDING:
        return key_of_id(r, i);
    case RS_ID_ASCENDING:
        return ~key_of_id(r, i);
    case RS_BEST:
        return key_of_label(r, r->judgment[i]);
    case RS_WORST:
        return ~key_of_label(r, r->judgment[i]);
    case RS_INPUT:
    case RS_EXPECTED:
        break; /* nothing to order by */
    }
    return 0;
}

/* Orders the documents of one score, at the ranks begin + 1 to end. Where a rule goes by labels,
 * those without a judgment come to the sort, which is stable, in their place. RS-TIE-2 */
static void order_tied(ranker *r, int64_t begin, int64_t end)
{
    int32_t rule = r->by->rule;
    bool by_id = rule == RS_ID_DESCENDING || rule == RS_ID_ASCENDING;
    ranked_item *items = r->items;
    int64_t n = 0;
    for (int turn = by_id; turn < 2; turn++)
        for (int64_t a = begin; a < end; a++) {
            int64_t i = rs_item_at(&r->order, a);
            if (by_id || (r->judgment[i] < 0) == (turn == (rule == RS_BEST)))
                items[n++] = (ranked_item){.rule = key_of_rule(r, i), .position = i};
        }
    id_order ids = {.ids = &r->ids, .ascending = rule == RS_ID_ASCENDING};
    rs_sort(items, r->scratch, n, by_id ? &ids : NULL);
    for (int64_t a = 0; a < n; a++)
        rs_put_item(&r->order, begin + a, items[a].position);
}

/* Ranks the documents down to rank `depth`, and to the end of its tie group; returns how many that
 * are. RS-CONV-6, RS-CONV-12 */
static int64_t order_documents(ranker *r, int64_t depth)
{
    rs_pause_over(r->n, 10);
    for (int64_t i = 0; i < r->n; i++) {
        double score = compared_score(r, i);
        r->order.keys[i] = rs_label_key(&score, RS_F64, 0);
    }
    int64_t ordered = rs_order_by_keys(&r->order, r->n, depth);
    if (r->by->rule == RS_INPUT || r->by->rule == RS_EXPECTED)
        return ordered;
    for (int64_t begin = 0, end; begin < ordered; begin = end) {
        for (end = begin + 1; end < ordered && rs_is_tied(&r->order, end);)
            end++;
        if (end - begin > 1)
            order_tied(r, begin, end);
    }
    return ordered;
}

/* Whether two documents have different labels; that of an unjudged one is 0. RS-CONV-8 */
static bool labels_differ(const ranker *r, int64_t x, int64_t y)
{
    static const uint64_t zero = 0; /* a label 0 of any type */
    const rs_judgments *j = r->judgments;
    int64_t at[2] = {r->judgment[x], r->judgment[y]};
    uint64_t key[2];
    for (int a = 0; a < 2; a++)
        key[a] = at[a] < 0 ? rs_label_key(&zero, j->type, 0)
                           : rs_label_key(j->labels, j->type, at[a]);
    return key[0] != key[1];
}

/* The first position of documents that 32-bit floats tie, some of which have different scores, and
 * some different labels; or -1. Rounding keeps the order: they stand together. RS-CONV-12
 * Where scores are not what ranks there is none. */
static int64_t first_merged(const ranker *r)
{
    int64_t first = 0;
    bool scores = false, labels = false;
    if (r->by->order != RS_BY_SCORE)
        return -1;
    for (int64_t a = 1; a < r->n; a++) {
        int64_t above = rs_item_at(&r->order, first), own = rs_item_at(&r->order, a);
        if (as_float32(r, own) != as_float32(r, above)) {
            first = a;
            scores = labels = false;
            continue;
        }
        scores = scores || r->score[own] != r->score[above];
        labels = labels || labels_differ(r, own, above);
        if (scores && labels)
            return first;
    }
    return -1;
}

/* Writes the first n documents, which are in order, behind those of the lists before. RS-CONV-8 */
static void write_list(const ranker *r, int64_t n, rs_ranked *lists)
{
    const rs_judgments *j = r->judgments;
    int64_t begin = lists->offsets[lists->n];
    for (int64_t i = 0; i < n; i++) {
        rs_pause_at(i, i + 1, 20);
        int64_t judgment = r->judgment[rs_item_at(&r->order, i)];
        lists->starts[begin + i] = !rs_is_tied(&r->order, i);
        lists->unjudged[begin + i] = judgment < 0;
        if (j->type == RS_U8)
            ((uint8_t *)lists->labels)[begin + i] =
                judgment < 0 ? 0 : ((const uint8_t *)j->labels)[judgment];
        else /* int64 or double: eight bytes, and 0 is 0 */
            ((uint64_t *)lists->labels)[begin + i] =
                judgment < 0 ? 0 : ((const uint64_t *)j->labels)[judgment];
    }
}

/* Adds the ranked list of the documents of a query; that of a query which nobody asks for is
 * empty. RS-CONV-8, RS-CONV-16 */
int64_t rs_rank_query(ranker *r, int64_t query, rs_ranked *lists, int64_t *at)
{
    rs_remarks *remarks = lists->remarks ? &lists->remarks[lists->n] : NULL;
    int64_t ordered = 0, depth = r->by->depth;
    int64_t refused = keep_one_document_of_each(r, remarks, at);
    if (refused)
        return refused;
    bool asked = query >= 0 || r->by->unjudged_too;
    if (asked || remarks) {
        find_judgments(r, query);
        if (r->by->condensed)
            condense(r);
        ordered = order_documents(r, remarks ? RS_WHOLE : rs_min(depth, r->by->reads));
    }
    rs_pause(10 * r->n);
    if (remarks)
        remarks->merged = first_merged(r);
    int64_t n = asked ? rs_min(ordered, depth) : 0;
    if (r->by->rule == RS_EXPECTED && 0 < n && n < ordered && rs_is_tied(&r->order, n))
        return RS_TIE_CUT;
    for (int64_t i = 0; i < r->n && n > 0; i++)
        lists->judged |= r->judgment[i] >= 0;
    write_list(r, n, lists);
    lists->queries[lists->n++] = query;
    lists->offsets[lists->n] = lists->offsets[lists->n - 1] + n;
    return 0;
}

static int64_t rank_all(ranker *r, const rs_ids *documents, const double *scores,
                        const int64_t *offsets, const int64_t *queries, int64_t n,
                        rs_ranked *lists, int64_t *at)
{
    int64_t result = 0;
    lists->n = lists->offsets[0] = lists->judged = 0;
    for (int64_t a = 0; a < n && result == 0; a++) {
        r->n = 0;
        for (int64_t i = offsets[a]; i < offsets[a + 1] && result == 0; i++) {
            rs_pause_at(i, i + 1, 30);
            if (scores[i] - scores[i] != 0) { /* NaN or infinite: RS-CONV-6 */
                *at = i;
                result = RS_REFUSED;
            } else if (!rs_add(r, documents->begin[i], documents->length[i], scores[i]))
                result = RS_NO_MEMORY;
        }
        if (result == 0 && !r->room && !make_room(r))
            result = RS_NO_MEMORY;
        if (result == 0)
            result = rs_rank_query(r, queries[a], lists, at);
        if (result == RS_TIE_CUT)
            *at = a;
    }
    return result;
}

static void free_ranker(void *r)
{
    rs_free_ranker(r);
}

/* The ranked lists of n queries, whose documents are flat: those of query a, which has the number
 * queries[a], are offsets[a] to offsets[a + 1] - 1. */
int64_t rs_rank(const rs_judgments *j, const rs_ids *documents, const double *scores,
                const int64_t *offsets, const int64_t *queries, int64_t n,
                const rs_conventions *by, rs_ranked *lists, int64_t *at)
{
    RS_STANDARD_ARITHMETIC;
    RS_STOPPABLE(RS_STOPPED);
    ranker r = {.judgments = j, .by = by, .ids = {.text = documents->text}};
    rs_when_stopped(free_ranker, &r);
    int64_t result = rank_all(&r, documents, scores, offsets, queries, n, lists, at);
    rs_when_stopped(NULL, NULL);
    rs_free_ranker(&r);
    return result;
}
