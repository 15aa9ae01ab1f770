// A polynomial that stands so many bits further ahead is the same, modulo that of the checksum, as its product with x to the
// power of that many: the processor multiplies, and the next bytes are added. After V. Gopal and others, "Fast CRC
// Computation for Generic Polynomials Using PCLMULQDQ Instruction" (Intel, 2009), without its last steps: the caller's tables
// do for 16 bytes.

#include "CGalleryCore.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

bool gallery_can_fold(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMULQDQ);
}

#define FOLDS __attribute__((target("pclmul,sse2")))

/// Both halves of `sum`, each by the power for its distance from `next`.
FOLDS static inline __m128i fold(__m128i sum, __m128i powers, __m128i next) {
    __m128i low = _mm_clmulepi64_si128(sum, powers, 0x00);
    __m128i high = _mm_clmulepi64_si128(sum, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

FOLDS void gallery_fold(const unsigned char *bytes, size_t count, unsigned start, unsigned char folded[16]) {
    // x to the power of 512 + 32 and 512 - 32, then of 128 + 32 and 128 - 32, each with its bits in reverse as they are in the
    // bytes, and one place further on, as the product of two such numbers is.
    const __m128i by_64_bytes = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
    const __m128i by_16_bytes = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    const __m128i *next = (const __m128i *)bytes, *end = next + count / 16;
    // Four at once, as one does not wait for another's result.
    __m128i sums[4];
    for (int i = 0; i < 4; i++) sums[i] = _mm_loadu_si128(next++);
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128((int)start));
    while (next < end) {
        for (int i = 0; i < 4; i++) sums[i] = fold(sums[i], by_64_bytes, _mm_loadu_si128(next++));
    }
    for (int i = 1; i < 4; i++) sums[0] = fold(sums[0], by_16_bytes, sums[i]);
    _mm_storeu_si128((__m128i *)folded, sums[0]);
}

#else

bool gallery_can_fold(void) { return false; }

void gallery_fold(const unsigned char *bytes, size_t count, unsigned start, unsigned char folded[16]) {}

#endif
