/* The values of each metric of a batch of lists, as values.c calls them; chapter by chapter.
 *
 * Of each function: out and undecided are n x nk, refused is the position of a label that the gain
 * cannot take, and in_pool whether that is one of the pools.
 */
#ifndef RANKSPEC_METRICS_H
#define RANKSPEC_METRICS_H

#include "rankspec.h"

enum { RS_OF_P, RS_OF_R, RS_OF_RR, RS_OF_SP, RS_OF_AP };

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

/* session */
int64_t rs_session_values(const rs_sessions *sessions, const rs_lists *pools, int64_t n,
                          const rs_measure *by, const int64_t *k, int64_t nk, double *out,
                          uint8_t *undecided, int64_t *refused, int32_t *in_pool);

#endif
