// Content codings (RFC 9110, section 8.4.1): decoders that use zlib, brotli and zstd, which are loaded at run time.

#include "content_decoder.h"
#include "symbols.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// MARK: the libraries' binary interfaces

/// zlib.h: results, flush values, and window sizes, to which the format is added.
enum {
    Z_OK = 0,
    Z_STREAM_END = 1,
    Z_BUF_ERROR = -5,
    Z_NO_FLUSH = 0,
    MAX_WBITS = 15,
    /// The manual of `inflateInit2`: the format is gzip.
    WBITS_GZIP = MAX_WBITS + 16,
    /// The same: the format is raw deflate, which has neither header nor trailer.
    WBITS_RAW = -MAX_WBITS,
};

/// RFC 1950, section 2.2: the compression method, in the low bits of the first byte of the zlib format.
enum {
    METHOD_MASK = 0x0f,
    METHOD_DEFLATE = 8,
};

/// brotli/decode.h: `BrotliDecoderResult`. The other values request more input or output.
enum {
    BROTLI_DECODER_RESULT_ERROR = 0,
    BROTLI_DECODER_RESULT_SUCCESS = 1,
};

/// zstd.h: `ZSTD_dParameter`.
enum { ZSTD_d_windowLogMax = 100 };

/// The base-2 logarithm of the maximum window: 8 MB, as RFC 8878, section 3.1.1.1.2, recommends. A larger window would
/// let a server cause a high memory use.
enum { WINDOW_LOG_LIMIT = 23 };

/// zstd.h: the result of `ZSTD_decompressStream` at the end of a frame.
enum { ZSTD_FRAME_END = 0 };

enum { CODING_COUNT = errand_zstd + 1 };

typedef struct {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc;
    void *zfree;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

typedef struct {
    const void *src;
    size_t size;
    size_t pos;
} zstd_in;

typedef struct {
    void *dst;
    size_t size;
    size_t pos;
} zstd_out;

static struct {
    int (*init)(z_stream *stream, int window, const char *version, int size);
    int (*inflate)(z_stream *stream, int flush);
    int (*reset)(z_stream *stream);
    int (*end)(z_stream *stream);
} zlib;

static struct {
    void *(*create)(void *allocate, void *release, void *opaque);
    int (*run)(void *state, size_t *in_left, const uint8_t **in, size_t *out_left, uint8_t **out, size_t *total);
    void (*destroy)(void *state);
} brotli;

static struct {
    void *(*create)(void);
    size_t (*set)(void *stream, int parameter, int value);
    size_t (*run)(void *stream, zstd_out *out, zstd_in *in);
    unsigned int (*is_error)(size_t code);
    size_t (*destroy)(void *stream);
} zstd;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_known[CODING_COUNT];

/// Whether all symbols were found. False if the library is missing.
static bool load(const char *name, const struct errand_symbol *symbols, size_t count) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return library && !errand_symbols_resolve(library, symbols, count);
}

static bool load_zlib(void) {
    const struct errand_symbol symbols[] = {
        { &zlib.init, "inflateInit2_" },
        { &zlib.inflate, "inflate" },
        { &zlib.reset, "inflateReset" },
        { &zlib.end, "inflateEnd" },
    };
    return load("libz.so.1", symbols, sizeof symbols / sizeof *symbols);
}

static bool load_brotli(void) {
    const struct errand_symbol symbols[] = {
        { &brotli.create, "BrotliDecoderCreateInstance" },
        { &brotli.run, "BrotliDecoderDecompressStream" },
        { &brotli.destroy, "BrotliDecoderDestroyInstance" },
    };
    return load("libbrotlidec.so.1", symbols, sizeof symbols / sizeof *symbols);
}

static bool load_zstd(void) {
    const struct errand_symbol symbols[] = {
        { &zstd.create, "ZSTD_createDStream" },
        { &zstd.set, "ZSTD_DCtx_setParameter" },
        { &zstd.run, "ZSTD_decompressStream" },
        { &zstd.is_error, "ZSTD_isError" },
        { &zstd.destroy, "ZSTD_freeDStream" },
    };
    return load("libzstd.so.1", symbols, sizeof symbols / sizeof *symbols);
}

static void load_all(void) {
    is_known[errand_gzip] = is_known[errand_deflate] = load_zlib();
    is_known[errand_brotli] = load_brotli();
    is_known[errand_zstd] = load_zstd();
}

bool errand_coding_is_known(errand_coding coding) {
    pthread_once(&once, load_all);
    return is_known[coding];
}

// MARK: decoding

struct errand_decoder {
    errand_coding coding;
    bool has_begun;
    /// Whether the input so far ends with a complete gzip member, zlib stream or brotli stream. Not used for zstd.
    bool is_complete;
    bool has_failed;
    z_stream inflate;
    void *state;
};

errand_decoder *errand_decoder_new(errand_coding coding) {
    if (!errand_coding_is_known(coding)) return NULL;
    errand_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->coding = coding;
    if (coding == errand_brotli) decoder->state = brotli.create(NULL, NULL, NULL);
    if (coding == errand_zstd) decoder->state = zstd.create();
    if (coding == errand_zstd && decoder->state) zstd.set(decoder->state, ZSTD_d_windowLogMax, WINDOW_LOG_LIMIT);
    if (decoder->state || coding == errand_gzip || coding == errand_deflate) return decoder;
    free(decoder);
    return NULL;
}

void errand_decoder_free(errand_decoder *decoder) {
    if (decoder->coding == errand_brotli) brotli.destroy(decoder->state);
    else if (decoder->coding == errand_zstd) zstd.destroy(decoder->state);
    else if (decoder->has_begun) zlib.end(&decoder->inflate);
    free(decoder);
}

static errand_decoder_state fail(size_t *count, size_t *capacity) {
    *count = *capacity = 0;
    return errand_decoder_failed;
}

static errand_decoder_state inflate(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    z_stream *stream = &decoder->inflate;
    if (!decoder->has_begun) {
        // "deflate" is the zlib format (RFC 9110, section 8.4.1.2). Some servers send raw deflate data instead.
        bool is_bare = decoder->coding == errand_deflate && (input[0] & METHOD_MASK) != METHOD_DEFLATE;
        int window = decoder->coding == errand_gzip ? WBITS_GZIP : is_bare ? WBITS_RAW : MAX_WBITS;
        if (zlib.init(stream, window, "1.2.11", (int)sizeof *stream) != Z_OK) return fail(count, capacity);
        decoder->has_begun = true;
    } else if (decoder->is_complete) {
        // Another gzip member follows (RFC 1952, section 2.2).
        if (zlib.reset(stream) != Z_OK) return fail(count, capacity);
    }
    decoder->is_complete = false;
    stream->next_in = input;
    stream->avail_in = (unsigned int)*count;
    stream->next_out = output;
    stream->avail_out = (unsigned int)*capacity;
    int result = zlib.inflate(stream, Z_NO_FLUSH);
    *count -= stream->avail_in;
    *capacity -= stream->avail_out;
    if (result == Z_STREAM_END) {
        decoder->is_complete = true;
        return errand_decoder_ended;
    }
    // Z_BUF_ERROR means that more input or output space is needed.
    return result == Z_OK || result == Z_BUF_ERROR ? errand_decoder_more : errand_decoder_failed;
}

static errand_decoder_state unbrotli(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    size_t in_left = *count, out_left = *capacity;
    int result = brotli.run(decoder->state, &in_left, &input, &out_left, &output, NULL);
    *count -= in_left;
    *capacity -= out_left;
    decoder->is_complete = result == BROTLI_DECODER_RESULT_SUCCESS;
    if (result == BROTLI_DECODER_RESULT_ERROR) return errand_decoder_failed;
    return decoder->is_complete ? errand_decoder_ended : errand_decoder_more;
}

static errand_decoder_state unzstd(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    zstd_in in = { input, *count, 0 };
    zstd_out out = { output, *capacity, 0 };
    size_t result = zstd.run(decoder->state, &out, &in);
    *count = in.pos;
    *capacity = out.pos;
    if (zstd.is_error(result)) return errand_decoder_failed;
    return result == ZSTD_FRAME_END ? errand_decoder_ended : errand_decoder_more;
}

static errand_decoder_state run(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    switch (decoder->coding) {
    case errand_brotli: return unbrotli(decoder, input, count, output, capacity);
    case errand_zstd: return unzstd(decoder, input, count, output, capacity);
    default: return inflate(decoder, input, count, output, capacity);
    }
}

/// The maximum input of one run, because zlib counts in 32 bits.
static const size_t input_limit = 1 << 30;

errand_decoder_state errand_decoder_run(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    size_t used = *count < input_limit ? *count : input_limit, written = *capacity;
    *count = *capacity = 0;
    // After a failure, the state of the libraries is undefined.
    if (decoder->has_failed) return errand_decoder_failed;
    // Bytes after the end of a zlib or brotli stream are an error. No output is written for them.
    if (decoder->is_complete && decoder->coding != errand_gzip) {
        decoder->has_failed = true;
        return errand_decoder_failed;
    }
    errand_decoder_state state = run(decoder, input, &used, output, &written);
    decoder->has_failed = state == errand_decoder_failed;
    *count = used;
    *capacity = written;
    return state;
}

#endif
