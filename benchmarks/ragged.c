/* The yardstick: nDCG@k and AP@k of scored lists at five cut-offs in plain double arithmetic, compiled
 * with -O3. The best 30 are kept by insertion, equal scores in input order; the ideal comes from
 * counting the labels.
 */
#include <stdint.h>
#include <string.h>

enum { CUTOFFS = 5, DEEPEST = 30 };
static const int64_t K[CUTOFFS] = {5, 10, 15, 20, DEEPEST};

typedef struct {
    float score;
    int32_t label;
} item;

/* The best items of a list, by insertion; returns how many these are. */
static int64_t best(const float *scores, const uint8_t *labels, int64_t n, item *top)
{
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++) {
        float score = scores[i];
        if (m == DEEPEST && !(score > top[m - 1].score))
            continue;
        int64_t j = m < DEEPEST ? m++ : m - 1;
        for (; j > 0 && score > top[j - 1].score; j--)
            top[j] = top[j - 1];
        top[j] = (item){score, labels[i]};
    }
    return m;
}

static void write_ndcg(const int64_t *count, const item *top, int64_t n, const double *discount,
                       double *out)
{
    double dcg = 0, idcg = 0;
    int64_t i = 0, label = 255, left = count[label];
    for (int64_t j = 0; j < CUTOFFS; j++) {
        for (; i < K[j]; i++) {
            while (left == 0 && label > 0)
                left = count[--label];
            dcg += i < n ? top[i].label * discount[i] : 0;
            idcg += label * discount[i];
            left--;
        }
        out[j] = idcg > 0 ? dcg / idcg : 0;
    }
}

static void write_ap(int64_t relevant, const item *top, int64_t n, double *out)
{
    double sum = 0;
    int64_t i = 0, hits = 0;
    for (int64_t j = 0; j < CUTOFFS; j++) {
        for (; i < K[j] && i < n; i++)
            if (top[i].label > 0)
                sum += (double)++hits / (double)(i + 1);
        out[j] = relevant ? sum / (double)relevant : 0;
    }
}

/* out: ten values a list */
void evaluate(const float *scores, const uint8_t *labels, const int64_t *offsets, int64_t n,
              const double *discount, double *out)
{
    for (int64_t a = 0; a < n; a++) {
        const uint8_t *own = labels + offsets[a];
        int64_t length = offsets[a + 1] - offsets[a], count[256] = {0};
        item top[DEEPEST];
        for (int64_t i = 0; i < length; i++)
            count[own[i]]++;
        int64_t kept = best(scores + offsets[a], own, length, top), unjudged = count[0];
        write_ndcg(count, top, kept, discount, out + 10 * a);
        write_ap(length - unjudged, top, kept, out + 10 * a + CUTOFFS);
    }
}
