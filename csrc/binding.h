/* What the Python binding calls beyond rankspec.h. It changes with the binding: no API.
 *
 * Of those that compute: undecided is 1 where out holds nothing, refused is the position of a label
 * that the gain cannot take, and in_pool whether that is one of the pools.
 */
#ifndef RANKSPEC_BINDING_H
#define RANKSPEC_BINDING_H

#include "rankspec.h"

/* BEGIN DECLARATIONS */

/* numerics */

/* Doubles are computed as IEEE 754 has it by default, in this thread, until the control word that
 * the first returns is given back. Functions of the core see to it themselves (RS-NUM-26). */
uint64_t rs_standard_arithmetic(void);
void rs_restore_arithmetic(uint64_t saved);

/* discount: what lb b / (a + lb(i + s)) is made of, from the rank first on: lb b in units of
 * 2^(120 + exponent - shift), of 128 bits, and a in units of 2^-120, both too small by less than 2
 * units; shift is from 0 to 126, and depth + s below 2^31. open gets the ranks of the entries that
 * the core is not sure of; returns how many these are, or most + 1 where there are more. */
typedef struct {
    uint64_t b_high, b_low, a_high, a_low;
    int64_t s, first;
    int32_t shift;
} rs_logarithm;
int64_t rs_discount_logarithm(const rs_logarithm *of, int64_t depth, uint32_t *low, uint64_t *high,
                              int64_t *open, int64_t most);
int64_t rs_inverse_entries(int64_t depth, uint32_t *low, uint64_t *high);
int64_t rs_sum_entries(const uint32_t *low, const uint64_t *high, int64_t depth, uint64_t *sum_low,
                    uint64_t *sum_high);

/* values: of a measure of one list of bytes, which is its own pool; NaN where out would hold nothing,
 * or a label is refused */
double rs_value_of_list(const rs_measure *m, const uint8_t *labels, int64_t n);

/* the same of a list whose order is settled and a pool, which need not cover it */
double rs_value_of_judged_list(const rs_measure *m, const uint8_t *labels, int64_t n,
                               const uint8_t *judged, int64_t n_judged);

/* the same of a list with scores, or NULL where its order is settled, and a pool, or NULL where that is
 * the list; NaN, too, where a score is refused or the pool does not cover the list (RS-CONV-38) */
double rs_value_of_scored_list(const rs_measure *m, const uint8_t *labels, int64_t n,
                               const void *scores, int32_t score_type, int32_t rule,
                               const uint8_t *judged, int64_t n_judged);

/* gain: the least and the greatest of n labels, 0 and 0 of none; 0: they are not whole by type */
int32_t rs_least_and_greatest(const void *labels, int32_t type, int64_t n, int64_t ends[2]);

/* ties: the labels of the first items of scored lists in rank order, down to rank `depth` and, where
 * ties are left open, to the end of its tie group. As rs_order() has it; the labels and starts of list
 * a, of which there are lengths[a], stand from offsets[a] on, where rs_close_up() joins them */
int64_t rs_first(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
                 const int64_t *ids, int32_t rule, int64_t depth, void *labels, uint8_t *starts,
                 int64_t *lengths, int64_t *refused);
void rs_close_up(void *labels, int32_t type, uint8_t *starts, const int64_t *begins,
                 const int64_t *lengths, int64_t n, int64_t *offsets);

/* relevance: of each score of a list that is its own pool; out is flat like the labels */
int64_t rs_relevance(const rs_lists *lists, int64_t n, const rs_points *points, double *out,
                     uint8_t *undecided, int64_t *refused);

/* session: pools: one of each session, or NULL: its results. by: a measure of sessions, whose
 * cut-offs are not read. A vector is of what the metric is an average
 * of, or the ideal's, or those of all queries; lengths: how long each is, -1: beyond all bounds;
 * out, undecided: one behind the other, or NULL where only the lengths are asked for */
int64_t rs_longest_session(const rs_sessions *sessions, int64_t n);
int64_t rs_contradiction(const rs_sessions *sessions, int64_t n, int64_t *first);
int64_t rs_session_vectors(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                           const rs_measure *by, int64_t k, int64_t *lengths, double *out,
                           uint8_t *undecided, int64_t *refused, int32_t *in_pool);

/* pools: whether judged labels can be those of all judged items; those that lists do not read
 * have been refused before */
int64_t rs_uncovered(const rs_lists *lists, int64_t n, const rs_lists *pools, int64_t m,
                     const int64_t *pool_of, uint8_t *open);

/* lists and trec: from judgments and scored documents to ranked lists of labels */
enum { RS_KEEP_NONE, RS_KEEP_FIRST, RS_KEEP_LAST, RS_KEEP_BEST };
enum { RS_NEGATIVE_ZERO, RS_NEGATIVE_UNJUDGED, RS_NEGATIVE_ERROR, RS_NEGATIVE_KEPT };
enum rs_row_order { RS_BY_SCORE, RS_BY_RANK, RS_BY_FILE };
enum { RS_BAD_LINE = -3, RS_DUPLICATE = -4, RS_NEGATIVE = -5, RS_TIE_CUT = -6, RS_UNGROUPED = -7 };
enum { RS_BAD_COLUMN = -9 };

#define RS_PADDING 8

/* Ids of documents or queries: id a is the length[a] bytes from text + begin[a]. Behind the last
 * of them there are RS_PADDING bytes that may be read. */
typedef struct {
    const char *text;
    int64_t *begin, *length;
} rs_ids;

/* Judgments by query: those of query q are offsets[q] to offsets[q + 1] - 1. The ids are found
 * by their hashes in query_slots (4 n + 4) and slots (4 for each judgment and each query).
 * type: of the labels, RS_I64 or RS_F64 until rs_index() has been asked. highest: of the labels
 * that are whole numbers, at least 0. */
typedef struct {
    rs_ids queries, documents;
    void *labels;
    int64_t *offsets;
    uint64_t *query_slots, *slots;
    int64_t n, highest;
    int32_t type;
} rs_judgments;

/* How documents become a list. depth: how many are considered; reads: how many ranks of a list are
 * read, with the rest of the tie group there, where all documents are considered, RS_WHOLE else;
 * rule: RS_ID_DESCENDING and so on; keep: which of two lines of a document; unjudged_too: whether queries without judgments have lists. Of files: longest: bytes of a
 * column, 0 for no limit (RS-CONV-30); order: what ranks the lines of a run (RS-CONV-32); tail:
 * whether something may follow a run's tag, comments: whether "#" begins one (RS-CONV-33). */
typedef struct {
    int64_t depth, reads, longest;
    int32_t rule, keep, float32, condensed, unjudged_too, order, tail, comments;
} rs_conventions;

/* Whether the ranks in a run agree with its scores; open: some rank is no matter of int64. */
enum { RS_RANKS_AGREE, RS_RANKS_CONTRADICT, RS_RANKS_OPEN };

/* What is remarkable about the lines of a query. dropped: how many have a document that another
 * line has; second: the first that has one which came before, from 0, or -1 (RS-CONV-10);
 * one_score: all documents have it, and there are several. merged: the first position in the list
 * of documents that 32-bit floats tie, but doubles and labels tell apart, or -1 (RS-CONV-12). */
typedef struct {
    int64_t dropped, second, merged;
    int32_t one_score, ranks;
} rs_remarks;

/* Ranked lists, n of them: list a is of query number queries[a] of the judgments, or -1, whose id
 * is ids.length[a] bytes from ids.begin[a]. starts and unjudged are flat like the labels.
 * remarks: of each list of a run's lines, or NULL where nobody asks. judged: whether a document of
 * the queries that have lists is judged, listed or not. */
typedef struct {
    rs_ids ids;
    int64_t *queries, *offsets;
    void *labels;
    uint8_t *starts, *unjudged;
    rs_remarks *remarks;
    int64_t n, judged;
} rs_ranked;

/* Ids of rows as other programs have them in memory, n of them: id a is the text from offsets[a], or
 * short_offsets[a], to before the next, in so many bytes of text; or the digits of integers[a]. Row i
 * has id codes[i], or i where that is NULL. RS-CONV-41 */
typedef struct {
    const char *text;
    const int32_t *short_offsets;
    const int64_t *offsets, *integers, *codes;
    int64_t size, n, rows;
    int32_t is_unsigned;
} rs_id_column;

/* Rows by query: those of query q are rows[offsets[q]] to rows[offsets[q + 1] - 1], or where rows is
 * NULL these positions themselves. text: that of the ids, which are by order of first mention. */
typedef struct {
    rs_ids ids;
    char *text;
    int64_t *offsets, *rows;
    int64_t n;
} rs_groups;

/* at: where the trouble is: a position in the text, of a line or of a document, or the number
 * of a flat document or list. */
int64_t rs_split(const char *text, int64_t size, rs_ids *ids);
int64_t rs_index(rs_judgments *j, int32_t keep, int32_t negative, int64_t *at);
int64_t rs_rank(const rs_judgments *j, const rs_ids *documents, const double *scores,
                const int64_t *offsets, const int64_t *queries, int64_t n,
                const rs_conventions *by, rs_ranked *lists, int64_t *at);
void rs_pools(const rs_judgments *j, const int64_t *queries, int64_t n, void *pool,
              int64_t *offsets);
int64_t rs_find_query(const rs_judgments *j, const char *id, int64_t length);
int64_t rs_read_qrels(const char *text, int64_t size, const rs_conventions *by, rs_judgments *j,
                      int64_t *at);
int64_t rs_read_run(const char *text, int64_t size, const rs_judgments *j,
                    const rs_conventions *by, rs_ranked *lists, int64_t *at);
int64_t rs_last_query(const char *text, int64_t size, int32_t comments);
int64_t rs_tally(const char *text, int64_t size, rs_ids *queries, int64_t *bytes);
int64_t rs_collect(const char *text, int64_t size, const rs_judgments *wanted,
                   int32_t others_blank, char *to);
int64_t rs_group(const char *text, int64_t size, char *to);
int64_t rs_count_lines(const char *text, int64_t size);
int64_t rs_bytes_of(const rs_id_column *c);
int64_t rs_group_rows(const rs_id_column *c, rs_groups *groups);
void rs_free_groups(rs_groups *groups);
int64_t rs_judge_rows(const rs_id_column *documents, const rs_groups *groups, const void *labels,
                      char *text, int64_t size, rs_judgments *j);
int64_t rs_rank_rows(const rs_judgments *j, const rs_id_column *documents, const double *scores,
                     const rs_groups *groups, int64_t first, int64_t n, const rs_conventions *by,
                     rs_ranked *lists, int64_t *at);
int64_t rs_read_views(const unsigned char *views, int64_t n, const char *const *buffers,
                      const int64_t *sizes, int64_t n_of_buffers, int64_t *offsets, char *text,
                      int64_t room);
int64_t rs_count_probes(const rs_ids *ids, int64_t n, const uint64_t *key);

/* randomness: of the replicates first to first + n - 1, which are below 2^32. counts is n x queries;
 * X is topics x systems, both below 2^31 */
void rs_draws(uint64_t seed, int64_t first, int64_t n, int64_t queries, double *counts);
int64_t rs_permuted_ranges(uint64_t seed, int64_t first, int64_t n, const int64_t *X,
                           int64_t topics, int64_t systems, int64_t *ranges);

/* END DECLARATIONS */

#endif
