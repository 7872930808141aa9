/* Gain and discount. Spec: chapter "gain". */
#include "gain.h"

#include <math.h>
#include <string.h>

#include "gain_exp2.h"
#include "memory.h"

enum { LARGEST_EXP2_LABEL = 1023 };

/* CASE(constant, C type) for each type of label; the whole numbers with their least and
 * greatest value too. */
#define FOR_EACH_WIDER_WHOLE_TYPE(CASE)        \
    CASE(RS_I8, int8_t, INT8_MIN, INT8_MAX)    \
    CASE(RS_U16, uint16_t, 0, UINT16_MAX)      \
    CASE(RS_I16, int16_t, INT16_MIN, INT16_MAX) \
    CASE(RS_U32, uint32_t, 0, UINT32_MAX)      \
    CASE(RS_I32, int32_t, INT32_MIN, INT32_MAX) \
    CASE(RS_I64, int64_t, INT64_MIN, INT64_MAX)
#define FOR_EACH_WHOLE_TYPE(CASE)      \
    CASE(RS_U8, uint8_t, 0, UINT8_MAX) \
    FOR_EACH_WIDER_WHOLE_TYPE(CASE)
#define FOR_EACH_REAL_TYPE(CASE) \
    CASE(RS_F32, float, 0, 0)    \
    CASE(RS_F64, double, 0, 0)
#define FOR_EACH_WIDER_TYPE(CASE) FOR_EACH_WIDER_WHOLE_TYPE(CASE) FOR_EACH_REAL_TYPE(CASE)
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
#define FOUR(r) r, r + 1, r + 2, r + 3
#define SIXTEEN(r) FOUR(r), FOUR(r + 4), FOUR(r + 8), FOUR(r + 12)
#define SIXTY_FOUR(r) SIXTEEN(r), SIXTEEN(r + 16), SIXTEEN(r + 32), SIXTEEN(r + 48)
static const uint64_t gain_linear[SMALL_LABELS] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128),
                                                   SIXTY_FOUR(192)};
#undef SIXTY_FOUR
#undef SIXTEEN
#undef FOUR

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
    uint64_t *small = table->small;
    int r = 0;
    table->gain = g;
    table->linear = g->kind == RS_LINEAR && g->size == 0; /* labels up to any */
    if (g->kind == RS_LINEAR) {
        memcpy(small, gain_linear, sizeof gain_linear);
        return;
    }
    if (g->kind == RS_EXP2)
        for (; r <= 32; r++)
            small[r] = gain_exp2(r);
    else
        while (r < SMALL_LABELS && (small[r] = gain_of_table(g, r)) != NO_SMALL_GAIN)
            r++;
    /* So that a look at the gain of the highest label tells of the lower ones too. */
    for (; r < SMALL_LABELS; r++)
        small[r] = NO_SMALL_GAIN;
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

int32_t rs_least_and_greatest(const void *labels, int32_t type, int64_t n, int64_t ends[2])
{
    ends[0] = ends[1] = 0;
    switch (type) {
#define ENDS(constant, T, least, greatest)    \
    case constant: {                          \
        T low = 0, high = 0;                  \
        if (n > 0)                            \
            scan_##T(labels, n, &low, &high); \
        ends[0] = (int64_t)low;               \
        ends[1] = (int64_t)high;              \
        return 1;                             \
    }
        FOR_EACH_WHOLE_TYPE(ENDS)
#undef ENDS
    }
    return 0;
}

/* A label as a word, which is the label where that is a whole number from 0 to 255, and is above 255
 * where it is not: a real one added to a power of two whose last bit is 1, so that no rounding and no
 * conversion matters. */
#define WORD_OF_REAL(T, word, power, bits_of_power)      \
    static inline word word_of_##T(T label)              \
    {                                                    \
        const T sum = label + power;                     \
        word bits;                                       \
        memcpy(&bits, &sum, sizeof bits);                \
        const word differs = sum - power != label;       \
        return (bits - bits_of_power) | (0 - differs);   \
    }
WORD_OF_REAL(float, uint32_t, 0x1p23f, 0x4b000000u)
WORD_OF_REAL(double, uint64_t, 0x1p52, 0x4330000000000000u)
#define WORD_OF_WHOLE(constant, T, least, greatest) \
    static inline T word_of_##T(T label)            \
    {                                               \
        return label;                               \
    }
FOR_EACH_WIDER_WHOLE_TYPE(WORD_OF_WHOLE)

/* Labels as bytes, in one pass; false where not all of them are whole numbers from 0 to 255, and `to`
 * holds nothing then. No label is above *top. */
#define BYTES_OF(constant, T, least, greatest)                                                 \
    RS_CLONES static bool bytes_of_##T(const T *x, int64_t n, uint8_t *restrict to, int *top)  \
    {                                                                                          \
        __typeof__(word_of_##T(0)) all = 0;                                                    \
        for (int64_t i = 0; i < n; i++) {                                                      \
            all |= word_of_##T(x[i]);                                                          \
            to[i] = (uint8_t)word_of_##T(x[i]);                                                \
        }                                                                                      \
        *top = (uint8_t)all;                                                                   \
        return (uint64_t)all < SMALL_LABELS;                                                   \
    }
FOR_EACH_WIDER_TYPE(BYTES_OF)
#undef BYTES_OF
#undef WORD_OF_WHOLE
#undef WORD_OF_REAL

/* Whether the gain takes the label; a NaN fails every comparison. */
static bool admitted(double label, const rs_gain *g)
{
    if (!(label >= 0 && label <= LARGEST_DOUBLE))
        return false;
    if (g->kind == RS_EXP2)
        return label <= LARGEST_EXP2_LABEL;
    if (g->kind == RS_TABLE)
        return label == floor(label) && label < (double)g->size;
    return !(g->kind == RS_LINEAR && g->size > 0) || label <= g->table[0];
}

static int64_t first_refused(const void *at, int32_t type, int64_t n, const rs_gain *g)
{
    switch (type) {
#define FIRST_REFUSED(constant, T, least, greatest)            \
    case constant:                                             \
        for (int64_t i = 0; i < n; i++)                        \
            if (!admitted((double)((const T *)at)[i], g))      \
                return i;                                      \
        break;
        FOR_EACH_TYPE(FIRST_REFUSED)
#undef FIRST_REFUSED
    }
    return -1;
}

/* The highest label up to 255 that the gain takes, and whose gain is a whole number up to `most`; -1:
 * there is none. */
int rs_highest_admitted(const gain_table *g, uint64_t most)
{
    int highest = SMALL_LABELS - 1;
    while (highest >= 0 && !(g->small[highest] <= most && admitted(highest, g->gain)))
        highest--;
    return highest;
}

/* Labels as bytes, of a type that is none; false where not all are such. No label is above *top. */
bool rs_labels_as_bytes(const void *at, int32_t type, int64_t n, uint8_t *to, int *top)
{
    switch (type) {
#define READ_BYTES(constant, T, least, greatest) \
    case constant:                               \
        return bytes_of_##T(at, n, to, top);
        FOR_EACH_WIDER_TYPE(READ_BYTES)
#undef READ_BYTES
    }
    return false;
}

int rs_highest_byte(const uint8_t *bytes, int64_t n)
{
    uint8_t low, high = 0;
    if (n > 0)
        scan_uint8_t(bytes, n, &low, &high);
    return high;
}

/* Reads labels as bytes, which are in *bytes then, and bounds them; false where they are no bytes. */
static bool read_bytes(const void *at, int32_t type, int64_t n, const gain_table *g,
                       uint8_t *scratch, const uint8_t **bytes, int *top)
{
    *bytes = type == RS_U8 ? at : scratch;
    *top = SMALL_LABELS - 1;
    if (type != RS_U8 && !rs_labels_as_bytes(at, type, n, scratch, top))
        return false;
    if (!g->linear) /* gains grow so fast that a bound must be the highest label */
        *top = rs_highest_byte(*bytes, n);
    return true;
}

/* Reads the labels of one list; returns the position of the first that the gain cannot take,
 * or -1. scratch holds n bytes. RS-CONV-1 */
int64_t rs_read_labels(const void *at, int32_t type, int64_t n, const gain_table *g,
                       uint8_t *scratch, label_list *list)
{
    *list = (label_list){.at = at, .small = NULL, .n = n, .type = type, .top = 0};
    const uint8_t *bytes = scratch;
    int top = 0;
    if (n > 0 && !(read_bytes(at, type, n, g, scratch, &bytes, &top) && admitted(top, g->gain)))
        return first_refused(at, type, n, g->gain);
    list->small = bytes;
    list->top = top;
    return -1;
}

/* A double that is not negative. */
rs_float rs_float_of_double(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    return rs_float_of((u128)(mantissa * 0x1p53), exponent - 53);
}

static u128 pair(const uint64_t *words, int j)
{
    return (u128)words[2 * j] << 64 | words[2 * j + 1];
}

/* (2^x - 1) / x, for x = fraction 2^-128 below 2^-12, in units of 2^-128. The series, each step
 * rounded down. RS-NUM-13 */
static u128 exp2_series_at(u128 fraction)
{
    u128 sum = pair(exp2_series, EXP2_TERMS - 1);
    for (int j = EXP2_TERMS - 2; j >= 0; j--)
        sum = pair(exp2_series, j) + rs_high_product(sum, fraction);
    return sum;
}

/* 2^x - 1, for 0 <= x <= 1: it lacks less than 2^-110 of itself. 2^x is the product of
 * 2^(i/64), 2^(j/4096) and 2^rest, the rest being below 2^-12. RS-NUM-13 */
rs_float rs_exp2_minus_1(rs_float x)
{
    if (x.mantissa == 0)
        return RS_ZERO;
    int shift = -128 - x.exponent; /* x = mantissa 2^-shift 2^-128 */
    if (shift < 0)
        return rs_float_of(1, 0);
    u128 fraction = shift < 128 ? x.mantissa >> shift : 0;
    if (shift >= 12)
        return rs_times(x, (rs_float){exp2_series_at(fraction), -128});
    u128 rest = fraction & (((u128)1 << 116) - 1);
    u128 rest_gain = rs_high_product(rest, exp2_series_at(rest));
    u128 power = rs_high_product(pair(exp2_coarse, (int)(fraction >> 122)),
                                 pair(exp2_fine, (int)(fraction >> 116) & 63)) << 1;
    return rs_float_of(power - ((u128)1 << 127) + rs_high_product(power, rest_gain), -127);
}

/* 2^r - 1, for whole r */
static rs_float exp2_minus_1_whole(int r)
{
    return r < 128 ? rs_float_of(((u128)1 << r) - 1, 0) : (rs_float){~(u128)0, r - 128};
}

/* The same for any r >= 0: 2^r - 1 = 2^whole (2^part - 1) + 2^whole - 1. RS-GAIN-2, RS-NUM-13 */
static rs_float gain_exp2_real(double r)
{
    int whole = (int)r;
    rs_float gain = rs_exp2_minus_1(rs_float_of_double(r - whole));
    gain.exponent += gain.mantissa ? whole : 0;
    return rs_plus(gain, exp2_minus_1_whole(whole));
}

/* The gain of the label at rank i + 1; that of "exp2" may lack less than 2^-110 of itself. A label
 * that is written after it was checked has some gain, and reads nothing beyond a table.
 * RS-NUM-8 */
rs_float rs_gain_of(const label_list *list, int64_t i, const gain_table *g)
{
    int32_t kind = g->gain->kind;
    double label = rs_label_value(list->at, list->type, i);
    if (kind != RS_LINEAR && !admitted(label, g->gain))
        return RS_ZERO;
    if (kind == RS_TABLE)
        return rs_float_of_double(g->gain->table[(int64_t)label]);
    if (kind == RS_EXP2)
        return gain_exp2_real(label);
    if (list->type == RS_I64)
        return rs_float_of((u128)((const int64_t *)list->at)[i], 0);
    return rs_float_of_double(label);
}

/* R_i = 1 where r(i) >= theta, else 0; returns the position of the first label that is not
 * finite, or -1. RS-PREC-1 */
int64_t rs_binary_relevance(const void *at, int32_t type, int64_t n, double theta, uint8_t *restrict R)
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

/* How many of the labels 1 to most, at most 255, are not above r(i); returns the position of the first
 * label that is not finite, or -1. RS-PREC-8 */
int64_t rs_thresholds_reached(const void *at, int32_t type, int64_t n, int most,
                              uint8_t *restrict reached)
{
    switch (type) {
#define REACH_WHOLE(constant, T, least, greatest)                                     \
    case constant: {                                                                  \
        const T *x = at;                                                              \
        const T highest = (T)rs_min(most, (int64_t)(greatest));                       \
        for (int64_t i = 0; i < n; i++) {                                             \
            T label = x[i];                                                           \
            label = label < highest ? label : highest;                                \
            reached[i] = (uint8_t)(label > 0 ? label : 0);                            \
        }                                                                             \
        return -1;                                                                    \
    }
#define REACH_REAL(constant, T, least, greatest)                                      \
    case constant:                                                                    \
        for (int64_t i = 0; i < n; i++) {                                             \
            double label = (double)((const T *)at)[i];                                \
            if (!(fabs(label) <= LARGEST_DOUBLE))                                     \
                return i;                                                             \
            reached[i] = (uint8_t)(label >= most ? most : label > 0 ? label : 0);     \
        }                                                                             \
        return -1;
        FOR_EACH_WHOLE_TYPE(REACH_WHOLE)
        FOR_EACH_REAL_TYPE(REACH_REAL)
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

/* The key of a double, by its bits: no rounding mode matters, and both zeros have one. */
static inline uint64_t key_of_double(double value)
{
    const uint64_t top = 1ull << 63;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits == top ? 0 : bits;
    return bits & top ? ~bits : bits | top;
}

/* A key that orders labels (or scores) as their values do; -0.0 and 0.0 have the same. */
uint64_t rs_label_key(const void *labels, int32_t type, int64_t position)
{
    if (type == RS_I64)
        return (uint64_t)((const int64_t *)labels)[position] ^ 1ull << 63;
    return key_of_double(rs_label_value(labels, type, position));
}

#define KEYS_WHOLE(constant, T, least, greatest)                                           \
    RS_CLONES static bool keys_##T(const T *x, int64_t n, uint64_t *restrict keys)         \
    {                                                                                      \
        for (int64_t i = 0; i < n; i++)                                                    \
            keys[i] = rs_label_key(x, constant, i);                                        \
        return true;                                                                       \
    }
/* Of these no key beyond that of infinity is one of a number. */
#define KEYS_REAL(constant, T, least, greatest)                                            \
    RS_CLONES static bool keys_##T(const T *x, int64_t n, uint64_t *restrict keys)         \
    {                                                                                      \
        const int64_t largest = 0x7fefffffffffffff;                                        \
        int64_t beyond = 0;                                                                \
        for (int64_t i = 0; i < n; i++) {                                                  \
            keys[i] = key_of_double((double)x[i]);                                         \
            int64_t above = (int64_t)(keys[i] - (1ull << 63));                             \
            beyond |= above > largest || above < ~largest;                                 \
        }                                                                                  \
        return !beyond;                                                                    \
    }
FOR_EACH_WHOLE_TYPE(KEYS_WHOLE)
FOR_EACH_REAL_TYPE(KEYS_REAL)

/* The keys of n labels; returns the position of the first that is not finite, or -1. */
int64_t rs_label_keys(const void *at, int32_t type, int64_t n, uint64_t *keys)
{
    bool finite = true;
    switch (type) {
#define KEYS(constant, T, least, greatest) \
    case constant:                         \
        finite = keys_##T(at, n, keys);    \
        break;
        FOR_EACH_TYPE(KEYS)
    }
    for (int64_t i = 0; i < n && !finite; i++)
        if (!(fabs(rs_label_value(at, type, i)) <= LARGEST_DOUBLE))
            return i;
    return -1;
}

/* ---- small labels, counted -------------------------------------------------------------- */

/* Adds to count[r] how often the labels r = 1 to 4 occur; false where a label is above 4. */
static bool count_to_four(const uint8_t *r, int64_t n, int64_t *count)
{
    enum { WIDTH = 16, MOST = 127 }; /* so many vectors fill no byte of a counter */
    sixteen above_four = {0};
    int64_t i = 0;
    while (n - i >= WIDTH) {
        int64_t end = i + WIDTH * rs_min(MOST, (n - i) / WIDTH);
        sixteen ones = {0}, twos = {0}, threes = {0}, fours = {0};
        for (; i < end; i += WIDTH) {
            sixteen labels = load_sixteen(r + i);
            ones -= labels == 1;
            twos -= labels == 2;
            threes -= labels == 3;
            fours -= labels == 4;
            above_four |= (labels + 123) | labels; /* the highest bit: 5 + 123 is 128 */
        }
        count[1] += sum_of_bytes(ones);
        count[2] += sum_of_bytes(twos);
        count[3] += sum_of_bytes(threes);
        count[4] += sum_of_bytes(fours);
    }
    bool small = all_zero(above_four & 128);
    for (; i < n && small; i++) {
        small = r[i] <= 4;
        count[small ? r[i] : 0]++;
    }
    return small;
}

/* How often each label occurs (but 0); returns a label that none is above. */
int rs_count_labels(const uint8_t *labels, int64_t n, int64_t count[SMALL_LABELS])
{
    memset(count, 0, 5 * sizeof *count);
    if (count_to_four(labels, n, count))
        return 4;
    memset(count, 0, SMALL_LABELS * sizeof *count);
    int top = 0;
    for (int64_t i = 0; i < n; i++) {
        int label = labels[i];
        count[label]++;
        top = label > top ? label : top;
    }
    return top;
}

/* The labels in rising or in falling order; all are small. */
void rs_sort_labels(const label_list *J, bool rising, uint8_t *to)
{
    int64_t count[SMALL_LABELS];
    int top = rs_count_labels(J->small, J->n, count);
    count[0] = J->n;
    for (int label = 1; label <= top; label++)
        count[0] -= count[label];
    for (int i = 0; i <= top; i++) {
        int label = rising ? i : top - i;
        memset(to, label, (size_t)count[label]);
        to += count[label];
    }
}
