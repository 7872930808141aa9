/* The control word of doubles, for test_arithmetic.py: set in this thread, as other libraries do. */
#include <fenv.h>
#include <stdint.h>

int rounding(int way)
{
    static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    return fesetround(ways[way]);
}

/* Flush-to-zero and denormals-are-zero; 0: done. */
int flushing(int on)
{
#if defined(__x86_64__)
    uint32_t word = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(on ? word | 0x8040 : word & ~0x8040u);
    return 0;
#elif defined(__aarch64__)
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    word = on ? word | 1u << 24 : word & ~(uint64_t)(1u << 24);
    __asm__ volatile("msr fpcr, %0" : : "r"(word));
    return 0;
#else
    return on;
#endif
}
