// Authenticated encryption: AES-256-GCM (NIST SP 800-38D).

#ifndef CERRANDCURL_CIPHER_H
#define CERRANDCURL_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)

enum {
    ERRAND_CIPHER_KEY = 32,
    ERRAND_CIPHER_NONCE = 12,
    ERRAND_CIPHER_TAG = 16,
};

/// Whether libcurl uses a TLS library with the functions of OpenSSL, which encrypt and decrypt.
bool errand_cipher_load(void);
/// Encrypts `count` bytes to `sealed`, and writes the tag behind them. `context` is authenticated, but not encrypted. Returns
/// false if the library fails.
bool errand_cipher_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count, const uint8_t *plain,
    size_t count, uint8_t *sealed);
/// Decrypts `count` bytes, which a tag follows, to `plain`. Returns false if they were not encrypted with this key, nonce and
/// context, or if the library fails. `plain` must not be used then.
bool errand_cipher_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count, const uint8_t *sealed,
    size_t count, uint8_t *plain);

#endif
#endif
