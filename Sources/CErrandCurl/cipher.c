// Encrypts with the library that libcurl uses for TLS, which is already in the process.

#include "cipher.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

#include "CErrandCurl.h"
#include "symbols.h"

/// evp.h: `EVP_CTRL_AEAD_…`.
enum {
    GET_TAG = 0x10,
    SET_TAG = 0x11,
};

/// The functions of libcrypto, OpenSSL 1.1 and later.
static struct {
    void *(*new_context)(void);
    void (*free_context)(void *context);
    const void *(*aes_256_gcm)(void);
    int (*init)(void *context, const void *cipher, void *engine, const uint8_t *key, const uint8_t *nonce, int encrypts);
    int (*control)(void *context, int type, int number, void *data);
    int (*update)(void *context, uint8_t *out, int *out_count, const uint8_t *in, int count);
    int (*final)(void *context, uint8_t *out, int *out_count);
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;

static void load(void) {
    const struct errand_symbol symbols[] = {
        { &crypto.new_context, "EVP_CIPHER_CTX_new" },
        { &crypto.free_context, "EVP_CIPHER_CTX_free" },
        { &crypto.aes_256_gcm, "EVP_aes_256_gcm" },
        { &crypto.init, "EVP_CipherInit_ex" },
        { &crypto.control, "EVP_CIPHER_CTX_ctrl" },
        { &crypto.update, "EVP_CipherUpdate" },
        { &crypto.final, "EVP_CipherFinal_ex" },
    };
    // A lookup in libcurl also searches the libraries on which it depends.
    void *library = errand_curl_load() ? dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL) : NULL;
    is_loaded = library && !errand_symbols_resolve(library, symbols, sizeof symbols / sizeof *symbols);
}

bool errand_cipher_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

/// Runs the cipher. `tag` is written after encryption, and checked by decryption.
static bool run(
    bool encrypts, const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *in,
    size_t count, uint8_t *out, uint8_t *tag) {
    if (!errand_cipher_load() || count > INT_MAX || aad_count > INT_MAX) return false;
    void *context = crypto.new_context();
    if (!context) return false;
    int written = 0;
    bool succeeds = crypto.init(context, crypto.aes_256_gcm(), NULL, key, nonce, encrypts) == 1
        && (aad_count == 0 || crypto.update(context, NULL, &written, aad, (int)aad_count) == 1)
        && (count == 0 || crypto.update(context, out, &written, in, (int)count) == 1)
        && (encrypts || crypto.control(context, SET_TAG, ERRAND_CIPHER_TAG, tag) == 1)
        && crypto.final(context, out + count, &written) == 1
        && (!encrypts || crypto.control(context, GET_TAG, ERRAND_CIPHER_TAG, tag) == 1);
    crypto.free_context(context);
    return succeeds;
}

/// Runs the cipher, unless the process ends and OpenSSL may have freed its data.
static bool run_in_library(
    bool encrypts, const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *in,
    size_t count, uint8_t *out, uint8_t *tag) {
    if (!errand_library_enter()) return false;
    bool succeeds = run(encrypts, key, nonce, aad, aad_count, in, count, out, tag);
    errand_library_leave();
    return succeeds;
}

bool errand_cipher_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count, const uint8_t *plain,
    size_t count, uint8_t *sealed) {
    return run_in_library(true, key, nonce, context, context_count, plain, count, sealed, sealed + count);
}

bool errand_cipher_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count, const uint8_t *sealed,
    size_t count, uint8_t *plain) {
    uint8_t tag[ERRAND_CIPHER_TAG];
    for (int index = 0; index < ERRAND_CIPHER_TAG; index++) tag[index] = sealed[count + (size_t)index];
    return run_in_library(false, key, nonce, context, context_count, sealed, count, plain, tag);
}

#endif
