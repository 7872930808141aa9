/* nDCG@10, AP and ERR of three lists, by one call.
 *
 *     cc -std=c11 -O2 csrc/examples/three_lists.c csrc/core.c -o three_lists -lm && ./three_lists
 */
#include <stdio.h>

#include "../rankspec.h"

enum { LISTS = 3, MEASURES = 3 };

int main(void)
{
    /* The labels of three ranked lists, one behind the other, and of all judged items of each. */
    const uint8_t shown[] = {3, 2, 3, 0, 1, 2, /**/ 0, 0, 1, /**/ 2, 0, 4, 1};
    const int64_t offsets[] = {0, 6, 9, 13};
    const uint8_t judged[] = {3, 3, 2, 2, 1, 0, 3, 2, /**/ 1, 0, 0, 1, /**/ 4, 2, 1, 0};
    const int64_t judged_offsets[] = {0, 8, 12, 16};
    const rs_lists lists = {.labels = shown, .offsets = offsets, .type = RS_U8};
    const rs_lists pools = {.labels = judged, .offsets = judged_offsets, .type = RS_U8};

    /* Gains, the probabilities to stop at the labels 0 to 4, (2^r - 1) / 2^4, and discounts. */
    const double stops[] = {0, 1 / 16.0, 3 / 16.0, 7 / 16.0, 15 / 16.0};
    const rs_gain linear = {.kind = RS_LINEAR}, stop = {stops, 5, RS_TABLE};
    rs_discount log2, inverse;
    rs_discount_log2(&log2);
    if (rs_discount_zipf(&inverse, 100) != 0)
        return 1;

    const int64_t ten = 10, whole = RS_WHOLE;
    const char *names[MEASURES] = {"nDCG@10", "AP", "ERR"};
    const rs_measure measures[MEASURES] = {
        {.size = sizeof(rs_measure), .metric = RS_NDCG, .k = &ten, .nk = 1, .gain = &linear,
         .discount = &log2},
        {.size = sizeof(rs_measure), .metric = RS_AP, .k = &whole, .nk = 1, .theta = 1,
         .norm = RS_NORM_R, .discount = &inverse},
        {.size = sizeof(rs_measure), .metric = RS_ERR, .k = &whole, .nk = 1, .gain = &stop,
         .discount = &inverse},
    };

    double values[MEASURES][LISTS];
    uint8_t undecided[MEASURES][LISTS];
    rs_column to[MEASURES];
    for (int i = 0; i < MEASURES; i++)
        to[i] = (rs_column){values[i], undecided[i]};
    rs_trouble trouble;
    int64_t open = rs_values(&lists, &pools, LISTS, measures, MEASURES, to, &trouble);
    rs_free_discount(&inverse);
    if (open < 0) {
        fprintf(stderr, "error %lld: measure %lld, label %lld\n", (long long)open,
                (long long)trouble.measure, (long long)trouble.position);
        return 1;
    }

    for (int i = 0; i < MEASURES; i++) {
        printf("%s", names[i]);
        for (int a = 0; a < LISTS; a++)
            undecided[i][a] ? printf(" ?") : printf(" %.17g", values[i][a]);
        printf("\n");
    }
    return 0;
}
