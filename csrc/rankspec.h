/* The C core of rankspec: ranking metrics as correctly rounded doubles.
 *
 * A program compiles core.c, which includes all other files, with a compiler for C11 that has
 * 128-bit integers, and no flag that changes what doubles mean (-ffast-math); it links the library
 * of mathematics. examples/three_lists.c is a whole program.
 *
 *     rs_lists ranked = {.labels = labels, .offsets = offsets, .type = RS_U8, .size = sizeof ranked};
 *     rs_measure ndcg = {.size = sizeof ndcg, .metric = RS_NDCG, .k = &k, .nk = 1, ...};
 *     rs_column to = {values, undecided};
 *     int64_t open = rs_values(&ranked, &judged, n, &ndcg, 1, &to, &trouble);
 *
 * Arguments come in one order: what is read, how many lists, what is asked, where results go, and
 * last where trouble is told.
 *
 * Ownership: a function reads what it is given during the call and keeps no pointer. Results go to
 * memory of the caller. What rs_discount_zipf() allocates, rs_free_discount() frees; nothing else is
 * handed out.
 *
 * Errors: a negative number, after which out and undecided hold nothing that is promised.
 * RS_REFUSED: a label that the measure cannot take (below 0, not finite, beyond the table of
 * gains); rs_trouble says which. RS_NO_MEMORY. RS_MISUSED: what is asked is no measure of this
 * version, or lacks something: rs_trouble names the measure, and nothing was read.
 *
 * Undecided: every value is computed as an interval whose width is known. Where no double is nearest
 * to all of it (once in 2^20 values, or where a value lies between two doubles, or on one side of a
 * case), `undecided` is 1 and out holds nothing: the value is not wrong, it takes more bits than
 * these. rankspec's reference (rankspec.certify in Python) encloses it as narrowly as it takes, and
 * settles the rounding. Wherever undecided is 0, out is the double nearest to the real value, ties to
 * even, on any machine: the value is proven, not estimated.
 *
 * Rules that hold for every function:
 *
 * 1. A list is labels[offsets[a]] ... labels[offsets[a + 1] - 1], in rank order; offsets do not
 *    fall, as rs_check_offsets() tells. No list is longer than RS_LONGEST.
 * 2. Cut-offs rise strictly and are at least 1; RS_WHOLE is the whole list.
 * 3. out and undecided are n x nk, a row a list and a column a cut-off.
 * 4. A function that computes returns how many values are undecided, or an error.
 * 5. Nothing is kept between calls but what is made when the core is loaded: the key of hashes, the
 *    sums of the built-in discount, and who is asked whether a long call is to stop. Any number of threads may call at once.
 * 6. How doubles are rounded, and what is flushed to 0, is set and given back: results do not depend
 *    on it.
 *
 * Functions bear the names of the reference, chapter by chapter, and the IDs of the spec. What the
 * Python binding needs beyond this, and may change with it, is in binding.h; the part between the two
 * markers is what it declares.
 */
#ifndef RANKSPEC_H
#define RANKSPEC_H

#include <stdint.h>

/* BEGIN DECLARATIONS */

enum { RS_REFUSED = -1, RS_NO_MEMORY = -2, RS_MISUSED = -8, RS_STOPPED = -10 };

/* Long calls ask this function now and then, each in its own thread, and end with RS_STOPPED where it
 * returns anything but 0: what they were to write is of no use then. To be set before the first call;
 * NULL, which it is at first: nobody is asked. */
void rs_on_pause(int32_t (*asked)(void));

#define RS_WHOLE 9223372036854775807
#define RS_LONGEST 1073741824

/* ---- lists ------------------------------------------------------------------------------ */

enum { RS_U8, RS_I8, RS_U16, RS_I16, RS_U32, RS_I32, RS_I64, RS_F32, RS_F64 };

/* Ragged lists of labels (RS-CONV-1). starts: 1 where a tie group begins, or NULL where the
 * order is settled: values are then expectations over the orders of the groups (RS-EXP-1).
 * size: of this structure, as the caller knows it; 0: up to it, with none of what follows, which is
 * flat like the labels and may be NULL. unjudged: 1 where nobody judged an item, for measures that
 * tell these from others. For measures to come: the labels of n_subtopics subtopics, and what an
 * item counts. */
typedef struct {
    const void *labels;
    const int64_t *offsets;
    const uint8_t *starts;
    int32_t type;
    uint32_t size;
    const uint8_t *unjudged, *subtopics;
    const double *weights;
    int64_t n_subtopics;
} rs_lists;

/* Session s is the lists sessions[s] to sessions[s + 1] - 1. documents: flat like the labels, or
 * NULL where nobody knows them. No session has more than RS_LONGEST results. */
typedef struct {
    const rs_lists *lists;
    const int64_t *sessions, *documents;
} rs_sessions;

/* Checks that offsets begin at 0, do not fall and end at size. Returns the length of the longest
 * list, or -1 with the index of the first offset that is wrong. RS-CONV-11 */
int64_t rs_check_offsets(const int64_t *offsets, int64_t n, int64_t size, int64_t *wrong);

/* The positions of scored items in rank order, and where tie groups begin. scores, ids, order and
 * starts are flat like the labels; ids rise as the documents' ids do, and may be NULL for a rule
 * that does not ask them. RS_REFUSED: *refused is the position of a score that is not finite.
 * RS-TIE-1, RS-TIE-2 */
enum rs_ties { RS_ID_DESCENDING, RS_ID_ASCENDING, RS_INPUT, RS_BEST, RS_WORST, RS_EXPECTED };
int64_t rs_order(const void *scores, int32_t score_type, const rs_lists *lists, int64_t n,
                 const int64_t *ids, int32_t rule, int64_t *order, uint8_t *starts,
                 int64_t *refused);

/* Labels in another order: to[i] = from[order[i]]. */
void rs_gather(const void *from, int32_t type, const int64_t *order, int64_t n, void *to);

/* ---- gains and discounts ---------------------------------------------------------------- */

enum { RS_LINEAR, RS_EXP2, RS_TABLE };

/* A gain (RS-GAIN-1 to RS-GAIN-3). table: the gains of the labels 0 to size - 1, which do not fall;
 * of a linear one the highest label that there is (RS-USR-1), or NULL and size 0. */
typedef struct {
    const double *table;
    int64_t size;
    int32_t kind;
} rs_gain;

/* A discount in fixed point (RS-NUM-4), for the ranks 1 to depth:
 * D(i) 2^exponent <= d(i) < (D(i) + unit) 2^exponent, with
 * D(i) = low[i-1] + 2^32 high[i-1], and
 * D(1) + ... + D(i) = sum_low[i] + 2^64 sum_high[i]. unit 0: D is exact. */
typedef struct {
    const uint32_t *low;
    const uint64_t *high;
    const uint64_t *sum_low, *sum_high;
    int64_t depth;
    uint64_t unit;
    int32_t exponent;
} rs_discount;

/* 1 / log2(i + 1), built in, for the ranks 1 to 4096. RS-DISC-1 */
void rs_discount_log2(rs_discount *d);

/* 1 / i for the ranks 1 to depth; 0, RS_NO_MEMORY or RS_STOPPED. RS-DISC-4 */
int64_t rs_discount_zipf(rs_discount *d, int64_t depth);
void rs_free_discount(rs_discount *d);

/* Where the control points of relevance come from: made of scores (RS-REL-4, RS-REL-5) with a
 * definition of quartiles (RS-REL-1), or n of them given (RS-REL-6): scores that rise, and a
 * relevance at each that does not fall, from 0 to 1. n = 0: made. */
typedef struct {
    const double *scores, *relevance;
    int64_t n;
    int32_t variant, quartiles;
} rs_points;

/* ---- measures --------------------------------------------------------------------------- */

/* The metrics, whose numbers stay: of lists from 0, of sessions from 64 on (tools/functions.py). */
/* BEGIN METRICS */
enum {
    RS_DCG = 0,
    RS_IDCG = 1,
    RS_NDCG = 2,
    RS_LDCG = 3,
    RS_ILDCG = 4,
    RS_LNDCG = 5,
    RS_DCG_PHI = 6,
    RS_NDCG_PHI = 7,
    RS_PRECISION = 8,
    RS_RECALL = 9,
    RS_RR = 10,
    RS_SP = 11,
    RS_AP = 12,
    RS_GAP = 13,
    RS_ERR = 14,
    RS_NERR = 15,
    RS_RBP = 16,
    RS_RPREC = 17,
    RS_SUCCESS = 18,
    RS_BPREF = 19,
    RS_LERR = 20,
    RS_LAP = 21,
    RS_LRBP = 22,
    RS_GRBP = 23,
    RS_SCALED_DCG = 24,
    RS_NUM_RET = 25,
    RS_NUM_REL_RET = 26,
    RS_SET_P = 27,
    RS_REL_P = 28,
    RS_F = 29,
    RS_SET_AP = 30,
    RS_JUDGED = 31,
    RS_UNJUDGED = 32,
    RS_NUM_NONREL_RET = 33,
    RS_Q_MEASURE = 34,
    RS_AUC = 35,
    RS_G = 36,
    RS_NCU = 37,
    RS_O_MEASURE = 38,
    RS_P_MEASURE = 39,
    RS_P_PLUS = 40,
    RS_EBR = 41,
    RS_NUM_REL = 42,
    RS_NUM_Q = 43,
    RS_UTILITY = 44,
    RS_AVG_IPREC = 45,
    RS_RPREC_MULT = 46,
    RS_BIN_G = 47,
    RS_RBP_RESIDUAL = 48,
    RS_IRBU = 49,
    RS_INSQ = 50,
    RS_INST = 51,
    RS_BPM = 52,
    RS_NERR8 = 53,
    RS_NERR9 = 54,
    RS_NERR10 = 55,
    RS_NERR11 = 56,
    RS_COMPAT = 57,
    RS_NDCG_REL = 58,
    RS_NDCG_LEVELS = 59,
    RS_LGAP = 60,
    RS_SDCG = 64,
    RS_ISDCG = 65,
    RS_NSDCG = 66,
    RS_SDCG_Q = 67,
    RS_AVG_SDCG = 68,
    RS_AVG_NSDCG = 69,
    RS_QUERY_SDCG = 70,
    RS_QUERY_NDCG = 71,
};
/* END METRICS */

enum {
    RS_NO_BOUND, RS_IUB, RS_RLB, RS_WLB, RS_U, RS_UL1, RS_UL2, RS_MIN_MAX, RS_RATIO,
    RS_EXPECTED_VALUE, RS_VARIANCE, RS_Z_VALUE
};
enum { RS_IDEAL_TRUE, RS_IDEAL_EQ7 };
enum { RS_IDEAL_OF_POOL, RS_IDEAL_OF_SHOWN, RS_IDEAL_PERFECT };
enum { RS_TEXT, RS_AUTHORS_PROGRAM };
enum rs_quartiles { RS_QUARTILES_LINEAR, RS_HINGES, RS_WEIBULL, RS_MEDIAN_UNBIASED };
enum rs_norm { RS_NORM_R, RS_NORM_MIN, RS_NORM_K, RS_NORM_RETRIEVED, RS_NORM_HITS };
enum { RS_LEVEL_NEAREST, RS_LEVEL_PLUS, RS_LEVEL_UP };
enum { RS_TAIL_ALWAYS, RS_TAIL_UNJUDGED };
enum rs_session_ideal { RS_REPEATED, RS_SPREAD, RS_GREATEST };
enum { RS_USERS_UNIFORM, RS_USERS_GRADED, RS_USERS_RANK_BIASED };
enum rs_over {
    RS_OVER_MEAN, RS_OVER_SUM, RS_OVER_BEST, RS_OVER_WORST, RS_OVER_FIRST, RS_OVER_LAST,
    RS_OVER_NON_LAST
};

/* A measure: a metric, its parameters and cut-offs. All that a metric does not name is not read.
 *
 * size: sizeof(rs_measure), as the caller was compiled with it
 * metric, bound: which, and which bound of it or RS_NO_BOUND; worst: whether the lower bound is that
 *   of the worst ranking (RS-BND-3), else that of a random one (RS-BND-2)
 * k: nk cut-offs; k_ideal: of RS_NDCG, where each ideal is cut, none below the one before it; NULL:
 *   where the list is
 * gain: of (N)DCG, L(N)DCG, G, the blended ratios (Q, NCU, O, P, P_PLUS, EBR) and sessions; of (N)ERR,
 *   LERR and IRBU a table of the probabilities to stop, which do not fall, for at most 256 labels; of
 *   GRBP, SCALED_DCG, NERR8 to NERR11, INSQ, INST and BPM linear, with the highest label of the scale,
 *   or without: that of the pool, 1 at least
 * discount: of (N)DCG, L(N)DCG, (N)DCG_PHI and sessions; of G and BIN_G 1 / log2(i + 1); of RR under
 *   ties, SP, (L)AP, (L)GAP, AVG_IPREC, (N)ERR and LERR 1 / i; of (L)RBP, RBP_RESIDUAL and GRBP p^(i-1).
 *   As deep as the longest list or pool, or the last cut-off; of SCALED_DCG, and of NERR9 1 / i, up to
 *   the last cut-off that is not RS_WHOLE.
 * weights: of L(N)DCG, LERR, LAP, LRBP and LGAP, the position prior, as deep; where z, which says whether
 *   Z(M, 1) is a factor, up to the last cut-off that is not RS_WHOLE. Of sessions, the discount of
 *   queries.
 * points: of (N)DCG_PHI
 * theta: the least relevant label of P, R, RR, SP, (L)AP, (L)RBP and others of a threshold; gamma of NCU
 * p: the persistence of (L)RBP, RBP_RESIDUAL, GRBP, NERR10 and COMPAT; phi of IRBU; the weight of gain of
 *   blended ratios; the multiple of RPREC_MULT; T of INSQ, INST, BPM and NERR11
 * q: n_q numbers, at most 255: the weights of the thresholds of (L)GAP, not all of them 0; the probabilities
 *   to stop of EBR; the four worths of UTILITY; the levels of AVG_IPREC, which do not fall, where they
 *   are rounded up each as a whole number and what divides it
 * norm: what AP divides by, of its bounds one of the first three; how levels of recall are rounded; how
 *   the users of NCU stop; what the tail of RBP_RESIDUAL is; of COMPAT 1: normalised, or 0
 * ideal: of NDCG, SCALED_DCG and NERR9 (the perfect one), L(N)DCG and of
 *   sessions, by the enumerations of each; bounds of NDCG take that of the pool alone; with the perfect
 *   one the discount is as deep as the last cut-off that is not RS_WHOLE
 * over: of query_sDCG and query_nDCG; first: whether a document gains only the first time that it is
 *   shown; padding: how many ranks a query has at least, RS_WHOLE: X; of UTILITY the documents of the
 *   collection, RS_WHOLE where the last worth is 0 */
typedef struct {
    uint32_t size;
    int32_t metric, bound, worst;
    const int64_t *k;
    int64_t nk;
    const int64_t *k_ideal;
    const rs_gain *gain;
    const rs_discount *discount, *weights;
    const rs_points *points;
    const double *q;
    int64_t n_q;
    double theta, p;
    int64_t padding;
    int32_t norm, ideal, z, over, first;
} rs_measure;

/* Where the values of a measure go, n x nk each. */
typedef struct {
    double *out;
    uint8_t *undecided;
} rs_column;

/* What is wrong: with which measure; RS_REFUSED: with which label, by its position among those of
 * the lists or, where in_pool, of the pools. */
typedef struct {
    int64_t measure, position;
    int32_t in_pool;
} rs_trouble;

/* The values of m measures of the same n lists, which are read once; column i of to is of measure i.
 * pools: the labels of all judged items, one pool a list, which may be the lists themselves; NULL
 * where no measure asks for one. */
int64_t rs_values(const rs_lists *lists, const rs_lists *pools, int64_t n,
                  const rs_measure *measures, int64_t m, const rs_column *to,
                  rs_trouble *trouble);

/* The same of n sessions. pools: one a session, or NULL: the results of each, a document once. */
int64_t rs_values_of_sessions(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                              const rs_measure *measures, int64_t m, const rs_column *to,
                              rs_trouble *trouble);

/* END DECLARATIONS */

#endif
