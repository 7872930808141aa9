/* The yardstick: nDCG@k in plain double arithmetic, compiled with -O3. The ideal comes from
 * counting the labels, once by a table of counters and once by a pass for each grade, which
 * vectorises; the benchmark takes the faster. Last, a loop that is tuned by hand for labels of each type,
 * to be compiled with -march=native too: grades up to 4 are counted in one pass, which vectorises, and
 * the ideal is one sum of discounts for each grade.
 */
#include <stdint.h>
#include <string.h>

static double ideal(const int64_t *count, int top, int64_t k, const double *discount)
{
    double idcg = 0;
    int64_t rank = 0;
    for (int label = top; label > 0; label--)
        for (int64_t c = 0; c < count[label] && rank < k; c++, rank++)
            idcg += label * discount[rank];
    return idcg;
}

static double gained(const uint8_t *r, int64_t k, const double *discount)
{
    double dcg = 0;
    for (int64_t i = 0; i < k; i++)
        dcg += r[i] * discount[i];
    return dcg;
}

static int highest(const uint8_t *r, int64_t length)
{
    uint8_t top = 0;
    for (int64_t i = 0; i < length; i++)
        top = r[i] > top ? r[i] : top;
    return top;
}

void ndcg_by_counters(const uint8_t *labels, int64_t n, int64_t length, int64_t k,
                      const double *discount, double *out)
{
    for (int64_t a = 0; a < n; a++) {
        const uint8_t *r = labels + a * length;
        int64_t count[256];
        int top = highest(r, length);
        memset(count, 0, (size_t)(top + 1) * sizeof *count);
        for (int64_t i = 0; i < length; i++)
            count[r[i]]++;
        double idcg = ideal(count, top, k, discount);
        out[a] = idcg > 0 ? gained(r, k < length ? k : length, discount) / idcg : 0;
    }
}

void ndcg_by_passes(const uint8_t *labels, int64_t n, int64_t length, int64_t k,
                    const double *discount, double *out)
{
    for (int64_t a = 0; a < n; a++) {
        const uint8_t *r = labels + a * length;
        int64_t count[256];
        int top = highest(r, length);
        for (int label = 1; label <= top; label++) {
            int32_t found = 0;
            for (int64_t i = 0; i < length; i++)
                found += r[i] == label;
            count[label] = found;
        }
        double idcg = ideal(count, top, k, discount);
        out[a] = idcg > 0 ? gained(r, k < length ? k : length, discount) / idcg : 0;
    }
}

/* discount, sum: of the ranks 1 to length, and of the first so many ranks; count: wide enough to
 * vectorise well */
#define TUNED(T, wide)                                                                       \
    void ndcg_tuned_##T(const T *labels, int64_t n, int64_t length, int64_t k,               \
                        const double *discount, const double *sum, double *out)              \
    {                                                                                        \
        k = k < length ? k : length;                                                         \
        for (int64_t a = 0; a < n; a++) {                                                    \
            const T *r = labels + a * length;                                                \
            wide one = 0, two = 0, three = 0, four = 0;                                      \
            wide more = 0;                                                                   \
            for (int64_t i = 0; i < length; i++) {                                           \
                one += r[i] == 1;                                                            \
                two += r[i] == 2;                                                            \
                three += r[i] == 3;                                                          \
                four += r[i] == 4;                                                           \
                more |= r[i] > 4;                                                            \
            }                                                                                \
            int64_t count[256];                                                              \
            if (more) {                                                                      \
                memset(count, 0, sizeof count);                                              \
                for (int64_t i = 0; i < length; i++)                                         \
                    count[(uint8_t)r[i]]++;                                                  \
            }                                                                                \
            count[1] = one, count[2] = two, count[3] = three, count[4] = four;               \
            double dcg = 0, idcg = 0;                                                        \
            int64_t at_least = 0;                                                            \
            for (int label = more ? 255 : 4; label > 0; label--) {                           \
                at_least += count[label];                                                    \
                idcg += sum[at_least < k ? at_least : k];                                    \
            }                                                                                \
            for (int64_t i = 0; i < k; i++)                                                  \
                dcg += (double)r[i] * discount[i];                                           \
            out[a] = idcg > 0 ? dcg / idcg : 0;                                              \
        }                                                                                    \
    }
TUNED(uint8_t, int32_t)
TUNED(int32_t, int32_t)
TUNED(double, int64_t)
