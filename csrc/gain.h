/* Gain and discount: labels read, checked and turned into gains. */
#ifndef RANKSPEC_GAIN_H
#define RANKSPEC_GAIN_H

#include "floating.h"

enum { SMALL_LABELS = 256 };
#define NO_SMALL_GAIN UINT64_MAX

/* A gain as the core needs it: small[r] is the gain of label r < 256 where it is an integer
 * below 2^32, and NO_SMALL_GAIN where it is not. */
typedef struct {
    const rs_gain *gain;
    uint64_t small[SMALL_LABELS];
    bool linear;
} gain_table;

/* The labels of one list. small: the labels as bytes, where all are whole numbers below 256;
 * else NULL. top: no label is above it (255 where nobody looked); for small labels only. */
typedef struct {
    const void *at;
    const uint8_t *small;
    int64_t n;
    int32_t type;
    int32_t top;
} label_list;

void rs_gain_table(const rs_gain *g, gain_table *table);
const void *rs_label_at(const void *labels, int32_t type, int64_t position);
int64_t rs_read_labels(const void *at, int32_t type, int64_t n, const gain_table *g,
                       uint8_t *scratch, label_list *list);
bool rs_labels_as_bytes(const void *at, int32_t type, int64_t n, uint8_t *to, int *top);
int rs_highest_byte(const uint8_t *bytes, int64_t n);
int rs_highest_admitted(const gain_table *g, uint64_t most);
rs_float rs_exp2_minus_1(rs_float x);
rs_float rs_float_of_double(double x);
rs_float rs_gain_of(const label_list *list, int64_t i, const gain_table *g);
int64_t rs_binary_relevance(const void *at, int32_t type, int64_t n, double theta, uint8_t *R);
int64_t rs_thresholds_reached(const void *at, int32_t type, int64_t n, int most, uint8_t *reached);
uint64_t rs_label_key(const void *labels, int32_t type, int64_t position);
int64_t rs_label_keys(const void *at, int32_t type, int64_t n, uint64_t *keys);
double rs_label_value(const void *labels, int32_t type, int64_t position);
int rs_label_size(int32_t type);
int rs_count_labels(const uint8_t *labels, int64_t n, int64_t count[SMALL_LABELS]);
void rs_sort_labels(const label_list *J, bool rising, uint8_t *to);

#endif
