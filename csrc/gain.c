/* Gain and discount. Spec: chapter "gain". */
#include "gain.h"

#include <math.h>
#include <string.h>

enum { LARGEST_EXP2_LABEL = 1023 };

/* CASE(constant, C type) for each type of label; the whole numbers with their least and
 * greatest value too. */
#define FOR_EACH_WHOLE_TYPE(CASE)              \
    CASE(RS_U8, uint8_t, 0, UINT8_MAX)         \
    CASE(RS_I8, int8_t, INT8_MIN, INT8_MAX)    \
    CASE(RS_U16, uint16_t, 0, UINT16_MAX)      \
    CASE(RS_I16, int16_t, INT16_MIN, INT16_MAX) \
    CASE(RS_U32, uint32_t, 0, UINT32_MAX)      \
    CASE(RS_I32, int32_t, INT32_MIN, INT32_MAX) \
    CASE(RS_I64, int64_t, INT64_MIN, INT64_MAX)
#define FOR_EACH_REAL_TYPE(CASE) \
    CASE(RS_F32, float, 0, 0)    \
    CASE(RS_F64, double, 0, 0)
#define FOR_EACH_TYPE(CASE) FOR_EACH_WHOLE_TYPE(CASE) FOR_EACH_REAL_TYPE(CASE)

static const double LARGEST_DOUBLE = 0x1.fffffffffffffp1023;

int rs_label_size(int32_t type)
{
    switch (type) {
#define SIZE(constant, T, least, greatest) case constant: return sizeof(T);
        FOR_EACH_TYPE(SIZE)
#undef SIZE
    }
    return 0;
}

const void *rs_label_at(const void *labels, int32_t type, int64_t position)
{
    return (const char *)labels + position * rs_label_size(type);
}

/* g(r) = r. RS-GAIN-1 */
static uint64_t gain_linear(int r)
{
    return (uint64_t)r;
}

/* g(r) = 2^r - 1, for r < 64. RS-GAIN-2 */
static uint64_t gain_exp2(int r)
{
    return (1ull << r) - 1;
}

/* g(r) = table[r], where it is a whole number that a small gain can be. RS-GAIN-3 */
static uint64_t gain_of_table(const rs_gain *g, int r)
{
    double value = r < g->size ? g->table[r] : -1.0;
    return value >= 0 && value < 0x1p32 && value == floor(value) ? (uint64_t)value : NO_SMALL_GAIN;
}

void rs_gain_table(const rs_gain *g, gain_table *table)
{
    table->gain = g;
    table->linear = g->kind == RS_LINEAR;
    for (int r = 0; r < SMALL_LABELS; r++) {
        if (g->kind == RS_LINEAR)
            table->small[r] = gain_linear(r);
        else if (g->kind == RS_EXP2)
            table->small[r] = r <= 32 ? gain_exp2(r) : NO_SMALL_GAIN;
        else
            table->small[r] = gain_of_table(g, r);
        /* So that a look at the gain of the highest label tells of the lower ones too. */
        if (r && table->small[r - 1] == NO_SMALL_GAIN)
            table->small[r] = NO_SMALL_GAIN;
    }
}

/* The least and the greatest label of a list that is not empty. */
#define SCAN(constant, T, least, greatest)                                      \
    RS_CLONES static void scan_##T(const T *x, int64_t n, T *low, T *high)      \
    {                                                                           \
        T lowest = x[0], highest = x[0];                                        \
        for (int64_t i = 1; i < n; i++) {                                       \
            lowest = x[i] < lowest ? x[i] : lowest;                             \
            highest = x[i] > highest ? x[i] : highest;                          \
        }                                                                       \
        *low = lowest;                                                          \
        *high = highest;                                                        \
    }
FOR_EACH_WHOLE_TYPE(SCAN)
#undef SCAN

/* Labels that are whole numbers from 0 to 255, as bytes. */
#define PACK(constant, T, least, greatest)                                      \
    RS_CLONES static void pack_##T(const T *x, int64_t n, uint8_t *restrict to) \
    {                                                                           \
        for (int64_t i = 0; i < n; i++)                                         \
            to[i] = (uint8_t)x[i];                                              \
    }
FOR_EACH_TYPE(PACK)
#undef PACK

/* Whether the gain takes the label; a NaN fails every comparison. */
static bool admitted(double label, const rs_gain *g)
{
    if (!(label >= 0 && label <= LARGEST_DOUBLE))
        return false;
    if (g->kind == RS_EXP2)
        return label <= LARGEST_EXP2_LABEL;
    if (g->kind == RS_TABLE)
        return label == floor(label) && label < (double)g->size;
    return true;
}

static int64_t first_refused(const void *at, int32_t type, int64_t n, const rs_gain *g)
{
    for (int64_t i = 0; i < n; i++)
        if (!admitted(rs_label_value(at, type, i), g))
            return i;
    return -1;
}

static bool whole_small(double x)
{
    return x >= 0 && x < SMALL_LABELS && x == (double)(uint8_t)x;
}

/* Reads the labels of one list; returns the position of the first that the gain cannot take,
 * or -1. scratch holds n bytes. RS-CONV-1 */
int64_t rs_read_labels(const void *at, int32_t type, int64_t n, const gain_table *g,
                       uint8_t *scratch, label_list *list)
{
    *list = (label_list){.at = at, .small = NULL, .n = n, .type = type, .top = 0};
    if (n == 0) {
        list->small = scratch;
        return -1;
    }
    bool small = true;
    double top = 0;
    switch (type) {
#define READ_WHOLE(constant, T, least, greatest)                                  \
    case constant: {                                                              \
        T low, high;                                                              \
        scan_##T(at, n, &low, &high);                                             \
        if (!admitted((double)low, g->gain) || !admitted((double)high, g->gain))  \
            return first_refused(at, type, n, g->gain);                           \
        top = (double)high;                                                       \
        small = top < SMALL_LABELS;                                               \
        break;                                                                    \
    }
#define READ_REAL(constant, T, least, greatest)                                   \
    case constant:                                                                \
        for (int64_t i = 0; i < n; i++) {                                         \
            double label = (double)((const T *)at)[i];                            \
            if (!admitted(label, g->gain))                                        \
                return i;                                                         \
            small = small && whole_small(label);                                  \
            top = label > top ? label : top;                                      \
        }                                                                         \
        break;
        FOR_EACH_WHOLE_TYPE(READ_WHOLE)
        FOR_EACH_REAL_TYPE(READ_REAL)
    }
    if (!small)
        return -1;
    list->top = (int32_t)top;
    if (rs_label_size(type) == 1) {
        list->small = at;
        return -1;
    }
    list->small = scratch;
    switch (type) {
#define READ_SMALL(constant, T, least, greatest) \
    case constant:                               \
        pack_##T(at, n, scratch);                \
        break;
        FOR_EACH_TYPE(READ_SMALL)
    }
    return -1;
}

static gain_number whole_gain(uint64_t r, int32_t kind)
{
    if (kind == RS_LINEAR)
        return (gain_number){.mantissa = r, .exponent = 0, .known = true};
    return (gain_number){.mantissa = r < 64 ? gain_exp2((int)r) : 0, .exponent = 0, .known = r < 64};
}

static gain_number real_gain(double g)
{
    int exponent;
    double mantissa = frexp(g, &exponent);
    return (gain_number){
        .mantissa = (uint64_t)(mantissa * 0x1p53), .exponent = exponent - 53, .known = true};
}

/* The gain of the label at rank i + 1. Gains of "exp2" beyond 2^63, and those of fractional
 * labels, are not known here. RS-NUM-8 */
gain_number rs_gain_of(const label_list *list, int64_t i, const gain_table *g)
{
    int32_t kind = g->gain->kind;
    double label = rs_label_value(list->at, list->type, i);
    if (kind == RS_TABLE)
        return real_gain(g->gain->table[(int64_t)label]);
    if (list->type == RS_I64)
        return whole_gain((uint64_t)((const int64_t *)list->at)[i], kind);
    if (label == floor(label) && label < 0x1p53)
        return whole_gain((uint64_t)label, kind);
    if (kind == RS_LINEAR)
        return real_gain(label);
    return (gain_number){.known = false};
}

/* R_i = 1 where r(i) >= theta, else 0; returns the position of the first label that is not
 * finite, or -1. RS-PREC-1 */
int64_t rs_relevance(const void *at, int32_t type, int64_t n, double theta, uint8_t *restrict R)
{
    double whole_theta = ceil(theta); /* the same for whole labels */
    switch (type) {
#define COMPARE_WHOLE(constant, T, least, greatest)                   \
    case constant: {                                                  \
        const T *x = at;                                              \
        if (whole_theta <= (double)(least)) {                         \
            memset(R, 1, (size_t)n);                                  \
        } else if (whole_theta >= (double)(greatest) + 1) {           \
            memset(R, 0, (size_t)n);                                  \
        } else {                                                      \
            const T lowest = (T)whole_theta;                          \
            for (int64_t i = 0; i < n; i++)                           \
                R[i] = x[i] >= lowest;                                \
        }                                                             \
        return -1;                                                    \
    }
#define COMPARE_REAL(constant, T, least, greatest)                    \
    case constant:                                                    \
        for (int64_t i = 0; i < n; i++) {                             \
            double label = (double)((const T *)at)[i];                \
            if (!(fabs(label) <= LARGEST_DOUBLE))                     \
                return i;                                             \
            R[i] = label >= theta;                                    \
        }                                                             \
        return -1;
        FOR_EACH_WHOLE_TYPE(COMPARE_WHOLE)
        FOR_EACH_REAL_TYPE(COMPARE_REAL)
    }
    return -1;
}

/* A label as a double: exact but for whole numbers beyond 2^53. */
double rs_label_value(const void *labels, int32_t type, int64_t position)
{
    switch (type) {
#define VALUE(constant, T, least, greatest) case constant: return (double)((const T *)labels)[position];
        FOR_EACH_TYPE(VALUE)
#undef VALUE
    }
    return 0;
}

/* A key that orders labels (or scores) as their values do; -0.0 and 0.0 have the same. */
uint64_t rs_label_key(const void *labels, int32_t type, int64_t position)
{
    const uint64_t top = 1ull << 63;
    if (type == RS_I64)
        return (uint64_t)((const int64_t *)labels)[position] ^ top;
    double value = rs_label_value(labels, type, position) + 0.0; /* -0.0 + 0.0 is 0.0 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & top ? ~bits : bits | top;
}
