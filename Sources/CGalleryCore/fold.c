// A polynomial that stands so many bits further ahead is the same, modulo that of the checksum, as its product with x to the
// power of that many: the processor multiplies, and the next bytes are added. After V. Gopal and others, "Fast CRC
// Computation for Generic Polynomials Using PCLMULQDQ Instruction" (Intel, 2009), without its last steps: the caller's tables
// do for 16 bytes.

#include "CGalleryCore.h"

#if defined(__x86_64__)

#include <immintrin.h>

unsigned gallery_fold_width(void) {
    if (!__builtin_cpu_supports("pclmul")) return 0;
    // Where the system saves the wide registers too: that is part of the question.
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq") ? 64 : 16;
}

// x to the power of so many bits - 32, and of so many + 32, each with its bits in reverse as they are in the bytes, and one
// place further on, as the product of two such numbers is.
#define BY_256_BYTES 0x1322d1430, 0x11542778a
#define BY_64_BYTES 0x1c6e41596, 0x154442bd4
#define BY_16_BYTES 0x0ccaa009e, 0x1751997d0

#define NARROW __attribute__((target("pclmul,sse2")))
#define WIDE __attribute__((target("pclmul,vpclmulqdq,avx512f")))

/// Both halves of `sum`, each by the power for its distance from `next`.
NARROW static inline __m128i fold(__m128i sum, __m128i powers, __m128i next) {
    __m128i low = _mm_clmulepi64_si128(sum, powers, 0x00);
    __m128i high = _mm_clmulepi64_si128(sum, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/// One of four that stand next to each other.
NARROW static void join(const __m128i sums[4], unsigned char folded[16]) {
    const __m128i by_16_bytes = _mm_set_epi64x(BY_16_BYTES);
    __m128i sum = sums[0];
    for (int i = 1; i < 4; i++) sum = fold(sum, by_16_bytes, sums[i]);
    _mm_storeu_si128((__m128i *)folded, sum);
}

NARROW static void fold_narrow(const unsigned char *bytes, size_t count, unsigned start, unsigned char folded[16]) {
    const __m128i by_64_bytes = _mm_set_epi64x(BY_64_BYTES);
    const __m128i *next = (const __m128i *)bytes, *end = next + count / 16;
    // Four at once, as one does not wait for another's result.
    __m128i sums[4];
    for (int i = 0; i < 4; i++) sums[i] = _mm_loadu_si128(next++);
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128((int)start));
    while (next < end) {
        for (int i = 0; i < 4; i++) sums[i] = fold(sums[i], by_64_bytes, _mm_loadu_si128(next++));
    }
    join(sums, folded);
}

/// The same for four times two halves.
WIDE static inline __m512i fold4(__m512i sum, __m512i powers, __m512i next) {
    __m512i low = _mm512_clmulepi64_epi128(sum, powers, 0x00);
    __m512i high = _mm512_clmulepi64_epi128(sum, powers, 0x11);
    return _mm512_xor_si512(_mm512_xor_si512(low, high), next);
}

WIDE static void fold_wide(const unsigned char *bytes, size_t count, unsigned start, unsigned char folded[16]) {
    const __m512i by_256_bytes = _mm512_broadcast_i32x4(_mm_set_epi64x(BY_256_BYTES));
    const __m512i by_64_bytes = _mm512_broadcast_i32x4(_mm_set_epi64x(BY_64_BYTES));
    const unsigned char *next = bytes, *end = bytes + count;
    __m512i sum = _mm512_xor_si512(_mm512_loadu_si512(next), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)start)));
    next += 64;
    if (count >= 256) {
        __m512i sums[4] = {sum};
        for (int i = 1; i < 4; i++, next += 64) sums[i] = _mm512_loadu_si512(next);
        for (; end - next >= 256; next += 256) {
            for (int i = 0; i < 4; i++) sums[i] = fold4(sums[i], by_256_bytes, _mm512_loadu_si512(next + 64 * i));
        }
        sum = sums[0];
        for (int i = 1; i < 4; i++) sum = fold4(sum, by_64_bytes, sums[i]);
    }
    for (; next < end; next += 64) sum = fold4(sum, by_64_bytes, _mm512_loadu_si512(next));
    __m128i sums[4];
    _mm512_storeu_si512(sums, sum);
    join(sums, folded);
}

void gallery_fold(unsigned width, const unsigned char *bytes, size_t count, unsigned start, unsigned char folded[16]) {
    (width >= 64 ? fold_wide : fold_narrow)(bytes, count, start, folded);
}

#else

unsigned gallery_fold_width(void) { return 0; }

void gallery_fold(unsigned width, const unsigned char *bytes, size_t count, unsigned start, unsigned char folded[16]) {
    (void)width, (void)bytes, (void)count, (void)start, (void)folded;
}

#endif
