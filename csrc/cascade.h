/* ERR, its ideal and its expectation, and RBP, of one list; what the batches and the bounds are
 * made of. */
#ifndef RANKSPEC_CASCADE_H
#define RANKSPEC_CASCADE_H

#include "gain.h"
#include "metrics.h"

/* The probabilities to stop at the labels, as the core needs them. RS-NUM-15
 * stop, go_on: R 2^127 and (1 - R) 2^127, rounded down; lack: 0 for R = 0, 1 where these are exact,
 * 2 where they are not; narrow: whether all of them are exact multiples of 2^64
 * q: 1 - R; whole: q 2^bits, where all of these are whole numbers; bits: at most 60, or -1: they
 * are not */
typedef struct {
    const rs_gain *given;
    u128 stop[SMALL_LABELS], go_on[SMALL_LABELS];
    uint8_t lack[SMALL_LABELS];
    rs_float q[SMALL_LABELS];
    uint64_t whole[SMALL_LABELS];
    bool narrow;
    int32_t bits;
} stop_table;

/* Room for the expectation, which grows as it must; {0} at first. RS-NUM-16
 * size: of each array; a: the mean products of the group at hand, in fixed point
 * inverse: 1/j for j <= known; odd: the inverse of its odd part modulo 2^64
 * per: 1 / C(n, j) for j < n_per
 * e: elementary symmetric sums; factor, product: to multiply them out; words: to make them in
 * whole numbers
 * count: how often each label occurs in the group at hand; 0 between groups */
typedef struct {
    int64_t size, known, n, n_per;
    u128 *a;
    rs_float *inverse, *per, *e, *factor, *product;
    uint64_t *odd, *words;
    int64_t n_words;
    int64_t count[SMALL_LABELS];
} expectation_room;

/* g: a table of gains, which holds the probabilities. */
void rs_stop_table(const rs_gain *g, stop_table *table);

/* Reads list a, g being the table of the probabilities; returns the position of the first label that
 * is refused, or -1. */
int64_t rs_read_grades(const rs_lists *lists, int64_t a, const gain_table *g, uint8_t *bytes,
                       label_list *r);

/* ERR@k for each k, of labels that are small, all of them in the table. RS-CAS-2 */
void rs_err_of(const label_list *r, const stop_table *stop, const rs_discount *inverse,
               const int64_t *k, int64_t nk, rs_number *err);

/* IERR@k for each k; scratch has room for the labels. RS-CAS-3 */
void rs_ierr_of(const label_list *J, const stop_table *stop, const rs_discount *inverse,
                const int64_t *k, int64_t nk, uint8_t *scratch, rs_number *ierr);

/* E[ERR@k] for each k; false where there is no memory. RS-EXP-14 */
bool rs_expected_err(const label_list *r, const uint8_t *starts, const stop_table *stop,
                     const rs_discount *inverse, const int64_t *k, int64_t nk,
                     expectation_room *room, rs_number *err);
void rs_free_expectation(expectation_room *room);

/* The persistence of RBP: 1 - p, and p^(2^b) for each b, RS_ZERO where it is out of range; the gain
 * of a relevance indicator is that number. */
typedef struct {
    rs_float q;
    rs_float square[31];
    gain_table indicator;
} persistence;

void rs_persistence(double p, const rs_gain *linear, persistence *to);

/* (1 - p) p^s */
rs_number rs_weight_after(const persistence *p, int64_t s);

/* RBP@k for each k, of the relevance indicators of a list; with starts the expectation over the
 * tied orders. powers: the discount p^(i-1); scratch: room for nk cut-offs. RS-CAS-5, RS-EXP-16 */
void rs_rbp_of(const uint8_t *R, const uint8_t *starts, int64_t n, const persistence *p,
               const rs_discount *powers, const int64_t *k, int64_t nk, int64_t *scratch,
               rs_number *rbp);

#endif
