/* What the Python binding calls beyond rankspec.h. It changes with the binding: no API.
 *
 * Of each function: out and undecided are n x nk, refused is the position of a label that the gain
 * cannot take, and in_pool whether that is one of the pools.
 */
#ifndef RANKSPEC_BINDING_H
#define RANKSPEC_BINDING_H

#include "rankspec.h"

/* BEGIN DECLARATIONS */

enum { RS_OF_P, RS_OF_R, RS_OF_RR, RS_OF_SP, RS_OF_AP };

/* numerics */

/* Doubles are computed as IEEE 754 has it by default, in this thread, until the control word that
 * the first returns is given back. Functions of the core see to it themselves (RS-NUM-26). */
uint64_t rs_standard_arithmetic(void);
void rs_restore_arithmetic(uint64_t saved);

/* dcg: cg is dcg without a discount; with starts, the expectation over the tied orders; k_ideal
 * is where each ideal is cut: a number for each of k, none below the one before it */
int64_t rs_dcg(const rs_lists *lists, int64_t n, const rs_gain *g, const rs_discount *d,
               const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_idcg(const rs_lists *pools, int64_t n, const rs_gain *g, const rs_discount *d,
                const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_ndcg(const rs_lists *lists, const rs_lists *pools, int64_t n, const rs_gain *g,
                const rs_discount *d, const int64_t *k_ideal, const int64_t *k, int64_t nk,
                double *out, uint8_t *undecided, int64_t *refused, int32_t *in_pool);

/* length: w holds the weights of the position prior, for the same ranks as d; z: whether Z(M, 1) is
 * a factor, for which w holds those up to the last cut-off that is not RS_WHOLE, too */
int64_t rs_ldcg(const rs_lists *lists, int64_t n, const rs_gain *g, const rs_discount *d,
                const rs_discount *w, int32_t z, const int64_t *k, int64_t nk, double *out,
                uint8_t *undecided, int64_t *refused);
int64_t rs_ildcg(const rs_lists *pools, int64_t n, const rs_gain *g, const rs_discount *d,
                 const rs_discount *w, int32_t z, int32_t which, const int64_t *k, int64_t nk,
                 double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_lndcg(const rs_lists *lists, const rs_lists *pools, int64_t n, const rs_gain *g,
                 const rs_discount *d, const rs_discount *w, int32_t which, const int64_t *k,
                 int64_t nk, double *out, uint8_t *undecided, int64_t *refused, int32_t *in_pool);

/* relevance: labels are scores, and those of a pool make the relevance of them and of the list's;
 * with starts, the expectation over the tied orders; out of rs_relevance() is flat like the
 * labels */
int64_t rs_relevance(const rs_lists *lists, int64_t n, const rs_points *points, double *out,
                     uint8_t *undecided, int64_t *refused);
int64_t rs_dcg_phi(const rs_lists *lists, const rs_lists *pools, int64_t n,
                   const rs_points *points, const rs_discount *d, const int64_t *k, int64_t nk,
                   double *out, uint8_t *undecided, int64_t *refused, int32_t *in_pool);
int64_t rs_ndcg_phi(const rs_lists *lists, const rs_lists *pools, int64_t n,
                    const rs_points *points, const rs_discount *d, const int64_t *k, int64_t nk,
                    double *out, uint8_t *undecided, int64_t *refused, int32_t *in_pool);

/* cascade: stop is a table of the probabilities to stop, which do not fall, for at most 256 labels;
 * inverse is the discount 1/i, powers the discount p^(i-1) (RS-NUM-15); with starts, the
 * expectation over the tied orders */
int64_t rs_err(const rs_lists *lists, int64_t n, const rs_gain *stop, const rs_discount *inverse,
               const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_nerr(const rs_lists *lists, const rs_lists *pools, int64_t n, const rs_gain *stop,
                const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
                uint8_t *undecided, int64_t *refused, int32_t *in_pool);
int64_t rs_rbp(const rs_lists *lists, int64_t n, double theta, double p, const rs_discount *powers,
               const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused);

/* precision: theta is the least relevant label, as the lists' labels compare with it;
 * inverse is the discount 1/i (RS-DISC-4), for the metrics that divide by ranks; RR of settled
 * lists does not read it, and it may be NULL there; q: the weights of the thresholds 1 to n_q, at
 * most 255, not all of them 0 */
int64_t rs_precision(const rs_lists *lists, int64_t n, double theta, const int64_t *k, int64_t nk,
                     double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_recall(const rs_lists *lists, const rs_lists *pools, int64_t n, double theta,
                  const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                  int64_t *refused, int32_t *in_pool);
int64_t rs_rr(const rs_lists *lists, int64_t n, double theta, const rs_discount *inverse,
              const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_sp(const rs_lists *lists, int64_t n, double theta, const rs_discount *inverse,
              const int64_t *k, int64_t nk, double *out, uint8_t *undecided, int64_t *refused);
int64_t rs_ap(const rs_lists *lists, const rs_lists *pools, int64_t n, double theta, int32_t norm,
              const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
              uint8_t *undecided, int64_t *refused, int32_t *in_pool);
int64_t rs_gap(const rs_lists *lists, const rs_lists *pools, int64_t n, const double *q,
               int64_t n_q, const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
               uint8_t *undecided, int64_t *refused, int32_t *in_pool);

/* bounds: kind: which; worst: whether the lower bound is that of the worst ranking. Of DCG; and of
 * nDCG where k_ideal is not NULL. Of P, R, RR, SP and AP; inverse may be NULL for P and R, and norm
 * is that of AP. Of IUB, RLB, WLB and variances only the lengths of the lists matter. Variances
 * and z-values are of these and of RBP only. */
int64_t rs_bound_of_dcg(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, const rs_gain *g, const rs_discount *d,
                        const int64_t *k_ideal, const int64_t *k, int64_t nk, double *out,
                        uint8_t *undecided, int64_t *refused, int32_t *in_pool);
int64_t rs_bound_of_precision(const rs_lists *lists, const rs_lists *pools, int64_t n,
                              int32_t kind, int32_t worst, int32_t metric, double theta,
                              int32_t norm, const rs_discount *inverse, const int64_t *k,
                              int64_t nk, double *out, uint8_t *undecided, int64_t *refused,
                              int32_t *in_pool);
int64_t rs_bound_of_err(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, int32_t normalised, const rs_gain *stop,
                        const rs_discount *inverse, const int64_t *k, int64_t nk, double *out,
                        uint8_t *undecided, int64_t *refused, int32_t *in_pool);
int64_t rs_bound_of_rbp(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, double theta, double p, const rs_discount *powers,
                        const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                        int64_t *refused, int32_t *in_pool);
int64_t rs_bound_of_gap(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                        int32_t worst, const double *q, int64_t n_q, const rs_discount *inverse,
                        const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                        int64_t *refused, int32_t *in_pool);
int64_t rs_bound_of_dcg_phi(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                            int32_t worst, int32_t normalised, const rs_points *points,
                            const rs_discount *d, const int64_t *k, int64_t nk, double *out,
                            uint8_t *undecided, int64_t *refused, int32_t *in_pool);
int64_t rs_bound_of_ldcg(const rs_lists *lists, const rs_lists *pools, int64_t n, int32_t kind,
                         int32_t worst, int32_t normalised, const rs_gain *g,
                         const rs_discount *d, const rs_discount *w, int32_t z, int32_t which,
                         const int64_t *k, int64_t nk, double *out, uint8_t *undecided,
                         int64_t *refused, int32_t *in_pool);

/* session: by: a measure of sessions, whose cut-offs are not read here */

/* pools: one of each session, or NULL: its results. A vector is of what the metric is an average
 * of, or the ideal's, or those of all queries; lengths: how long each is, -1: beyond all bounds;
 * out, undecided: one behind the other, or NULL where only the lengths are asked for */
int64_t rs_longest_session(const rs_sessions *sessions, int64_t n);
int64_t rs_contradiction(const rs_sessions *sessions, int64_t n, int64_t *first);
int64_t rs_session_values(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                          const rs_measure *by, const int64_t *k, int64_t nk, double *out,
                          uint8_t *undecided, int64_t *refused, int32_t *in_pool);
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
enum { RS_BY_SCORE, RS_BY_RANK, RS_BY_FILE };
enum { RS_BAD_LINE = -3, RS_DUPLICATE = -4, RS_NEGATIVE = -5, RS_TIE_CUT = -6, RS_UNGROUPED = -7 };

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

/* How documents become a list. rule: RS_ID_DESCENDING and so on; keep: which of two lines of a
 * document; unjudged_too: whether queries without judgments have lists. Of files: longest: bytes of a
 * column, 0 for no limit (RS-CONV-30); order: what ranks the lines of a run (RS-CONV-32); tail:
 * whether something may follow a run's tag, comments: whether "#" begins one (RS-CONV-33). */
typedef struct {
    int64_t depth, longest;
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
 * remarks: of each list of a run's lines, or NULL where nobody asks. */
typedef struct {
    rs_ids ids;
    int64_t *queries, *offsets;
    void *labels;
    uint8_t *starts, *unjudged;
    rs_remarks *remarks;
    int64_t n;
} rs_ranked;

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
int64_t rs_collect(const char *text, int64_t size, const rs_judgments *wanted, char *to);
int64_t rs_group(const char *text, int64_t size, char *to);
int64_t rs_count_lines(const char *text, int64_t size);
int64_t rs_count_probes(const rs_ids *ids, int64_t n, const uint64_t *key);

/* END DECLARATIONS */

#endif
