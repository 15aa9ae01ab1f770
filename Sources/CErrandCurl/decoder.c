#include "CErrandCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// MARK: the libraries' binary interfaces

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
static bool known[4];

static bool resolve(void *library, const char *const *names, void **places, size_t count) {
    for (size_t index = 0; library && index < count; index++) {
        places[index] = dlsym(library, names[index]);
        if (!places[index]) return false;
    }
    return library != NULL;
}

static void load(void) {
    const char *zlib_names[] = { "inflateInit2_", "inflate", "inflateReset", "inflateEnd" };
    void *zlib_library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    known[errand_gzip] = known[errand_deflate] = resolve(zlib_library, zlib_names, (void **)&zlib, 4);
    const char *brotli_names[] = {
        "BrotliDecoderCreateInstance", "BrotliDecoderDecompressStream", "BrotliDecoderDestroyInstance"
    };
    void *brotli_library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    known[errand_brotli] = resolve(brotli_library, brotli_names, (void **)&brotli, 3);
    const char *zstd_names[] = {
        "ZSTD_createDStream", "ZSTD_DCtx_setParameter", "ZSTD_decompressStream", "ZSTD_isError", "ZSTD_freeDStream"
    };
    void *zstd_library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    known[errand_zstd] = resolve(zstd_library, zstd_names, (void **)&zstd, 5);
}

bool errand_coding_known(errand_coding coding) {
    pthread_once(&once, load);
    return known[coding];
}

// MARK: decoding

struct errand_decoder {
    errand_coding coding;
    bool has_begun;
    /// Whether what has come so far is whole: nothing yet, or the end of a member or frame.
    bool is_whole;
    bool has_failed;
    z_stream inflate;
    void *state;
};

errand_decoder *errand_decoder_new(errand_coding coding) {
    if (!errand_coding_known(coding)) return NULL;
    errand_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->coding = coding;
    if (coding == errand_brotli) decoder->state = brotli.create(NULL, NULL, NULL);
    if (coding == errand_zstd) decoder->state = zstd.create();
    // At most 8 MB of window, as RFC 8878, section 3.1.1.1.2, recommends: more is a server's way to our memory.
    if (coding == errand_zstd && decoder->state) zstd.set(decoder->state, 100, 23);
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

static errand_decoder_state nothing(size_t *count, size_t *capacity) {
    *count = *capacity = 0;
    return errand_decoder_failed;
}

static errand_decoder_state inflate(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    z_stream *stream = &decoder->inflate;
    if (!decoder->has_begun) {
        // "deflate" is the zlib format (RFC 9110, section 8.4.1.2); some servers send it bare.
        bool is_bare = decoder->coding == errand_deflate && (input[0] & 0x0f) != 8;
        int window = decoder->coding == errand_gzip ? 15 + 16 : is_bare ? -15 : 15;
        if (zlib.init(stream, window, "1.2.11", (int)sizeof *stream) != 0) return nothing(count, capacity);
        decoder->has_begun = true;
    } else if (decoder->is_whole) {
        // A second member (RFC 1952, section 2.2).
        if (zlib.reset(stream) != 0) return nothing(count, capacity);
    }
    decoder->is_whole = false;
    stream->next_in = input;
    stream->avail_in = (unsigned int)*count;
    stream->next_out = output;
    stream->avail_out = (unsigned int)*capacity;
    int result = zlib.inflate(stream, 0);
    *count -= stream->avail_in;
    *capacity -= stream->avail_out;
    if (result == 1) {
        decoder->is_whole = true;
        return errand_decoder_ended;
    }
    // -5: no progress was possible, which is no error (more input or room is needed).
    return result == 0 || result == -5 ? errand_decoder_more : errand_decoder_failed;
}

static errand_decoder_state unbrotli(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    size_t in_left = *count, out_left = *capacity;
    int result = brotli.run(decoder->state, &in_left, &input, &out_left, &output, NULL);
    *count -= in_left;
    *capacity -= out_left;
    decoder->is_whole = result == 1;
    return result == 0 ? errand_decoder_failed : result == 1 ? errand_decoder_ended : errand_decoder_more;
}

static errand_decoder_state unzstd(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    zstd_in in = { input, *count, 0 };
    zstd_out out = { output, *capacity, 0 };
    size_t result = zstd.run(decoder->state, &out, &in);
    *count = in.pos;
    *capacity = out.pos;
    if (zstd.is_error(result)) return errand_decoder_failed;
    return result == 0 ? errand_decoder_ended : errand_decoder_more;
}

static errand_decoder_state run(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    switch (decoder->coding) {
    case errand_brotli: return unbrotli(decoder, input, count, output, capacity);
    case errand_zstd: return unzstd(decoder, input, count, output, capacity);
    default: return inflate(decoder, input, count, output, capacity);
    }
}

// At most this much at a time: zlib counts in 32 bits.
static const size_t most_input = 1 << 30;

errand_decoder_state errand_decoder_run(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity) {
    size_t used = *count < most_input ? *count : most_input, written = *capacity;
    *count = *capacity = 0;
    // After a failure the libraries promise nothing.
    if (decoder->has_failed) return errand_decoder_failed;
    // Behind the end of a coding that has one there is nothing to decode: no byte of the output has been written then.
    if (decoder->is_whole && decoder->coding != errand_gzip) {
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
