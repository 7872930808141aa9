/* The yardstick: nDCG@k in plain double arithmetic, compiled with -O3. The ideal comes from
 * counting the labels, once by a table of counters and once by a pass for each grade, which
 * vectorises; the benchmark takes the faster.
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
