/* What the processor has, for the clones of csrc/numerics.h: linked into wheels.
 *
 * A clone that clang makes is chosen by __cpu_indicator_init() and __cpu_model, of compiler-rt. The
 * ones that zig brings name no feature, so that the slowest clone is always taken. These come before
 * them, and name AVX2 where the processor has it and the system keeps its registers. It is asked
 * when the loader binds functions, so this calls none.
 */
#include <cpuid.h>
#include <stdint.h>

enum { AVX2 = 1 << 10 }; /* the place of it among the features of compiler-rt */
enum { OSXSAVE = 1 << 27, AVX = 1 << 28, AVX2_OF_LEAF_7 = 1 << 5, XMM_AND_YMM = 6 };

__attribute__((visibility("hidden"))) struct {
    uint32_t vendor, type, subtype, features;
} __cpu_model;

/* Whether the system saves the registers of AVX. */
static int keeps_registers(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & XMM_AND_YMM) == XMM_AND_YMM;
}

__attribute__((visibility("hidden"))) int __cpu_indicator_init(void)
{
    uint32_t a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & OSXSAVE) && (c & AVX) && keeps_registers() &&
        __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & AVX2_OF_LEAF_7))
        __cpu_model.features = AVX2;
    return 0;
}
