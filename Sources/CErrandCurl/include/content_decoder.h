// Content codings, decoded by the libraries that libcurl loads.

#ifndef ERRAND_CONTENT_DECODER_H
#define ERRAND_CONTENT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)

typedef struct errand_decoder errand_decoder;

typedef enum { errand_deflate, errand_gzip, errand_brotli, errand_zstd } errand_coding;

/// Whether the library of the coding was found.
bool errand_coding_is_known(errand_coding coding);
errand_decoder *errand_decoder_new(errand_coding coding);
void errand_decoder_free(errand_decoder *decoder);

typedef enum { errand_decoder_more, errand_decoder_ended, errand_decoder_failed } errand_decoder_state;
/// Decodes as much as fits: `*count` input bytes become those that were used, `*capacity` those that were written.
errand_decoder_state errand_decoder_run(
    errand_decoder *decoder, const uint8_t *input, size_t *count, uint8_t *output, size_t *capacity);

#endif
#endif
