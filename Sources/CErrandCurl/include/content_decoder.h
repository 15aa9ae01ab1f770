// Decoders of content codings. They use the libraries that libcurl loads.

#ifndef ERRAND_CONTENT_DECODER_H
#define ERRAND_CONTENT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)

typedef struct errand_decoder errand_decoder;

typedef enum { errand_deflate, errand_gzip, errand_brotli, errand_zstd } errand_coding;

/// Whether the library for the coding was found.
bool errand_coding_is_known(errand_coding coding);
/// Creates a decoder. Returns `NULL` if the library was not found or memory is exhausted.
errand_decoder *errand_decoder_new(errand_coding coding);
/// Frees a decoder.
void errand_decoder_free(errand_decoder *decoder);

/// The result of a run: more input or output is needed, a stream has ended, or the decoder has failed.
typedef enum { errand_decoder_more, errand_decoder_ended, errand_decoder_failed } errand_decoder_state;
/// Decodes input into the output. On return, `*count` is the number of input bytes used, and `*capacity` is the number
/// of output bytes written.
errand_decoder_state errand_decoder_run(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity);

#endif
#endif
