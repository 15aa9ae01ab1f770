// Loads libcurl at run time, and checks its version and features.

#include "libcurl.h"
#include "symbols.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct curl_functions curl;

/// curlver.h: `LIBCURL_VERSION_NUM` of versions that differ in their behavior.
enum {
    /// The version of the oldest systems that Swift supports (Amazon Linux 2, RHEL 9). Older versions lack required
    /// functions.
    LIBCURL_7_76_0 = 0x074c00,
    LIBCURL_7_77_0 = 0x074d00,
    LIBCURL_7_80_0 = 0x075000,
    LIBCURL_7_83_0 = 0x075300,
    LIBCURL_7_87_0 = 0x075700,
    LIBCURL_8_1_0 = 0x080100,
    LIBCURL_8_5_0 = 0x080500,
    LIBCURL_8_14_1 = 0x080e01,
    LIBCURL_8_15_0 = 0x080f00,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;
static bool reuses_handles = false;
static bool has_http2 = false;
static bool writes_quietly = false;
static bool announces_requests = false;
static bool discards_lines = false;
static bool accepts_authorities = false;
static bool detects_truncation = false;
static bool detects_truncation_behind_proxy = false;
static char state[160] = "not loaded";

const char *errand_curl_flaw(unsigned int number, int features) {
    if (number < LIBCURL_7_76_0) return "is too old";
    if (!(features & ERRAND_CURL_VERSION_SSL)) return "has no TLS";
    return features & ERRAND_CURL_VERSION_ASYNCHDNS ? NULL : "has no asynchronous name lookup";
}

static bool begins_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

bool errand_tls_detects_truncation(const char *tls, unsigned int number, bool has_tls_proxy) {
    // If libcurl has several TLS libraries, the text lists all of them, separated by spaces.
    if (!tls || strchr(tls, ' ')) return false;
    // The functions of these libraries return an error. libcurl has always reported it.
    if (begins_with(tls, "GnuTLS/") || begins_with(tls, "mbedTLS/")) return true;
    unsigned int major = 0, minor = 0;
    bool is_openssl = sscanf(tls, "OpenSSL/%u.%u", &major, &minor) == 2;
    // In 3.2 and later, SSL_read returns a negative number for every failed read. libcurl has always reported that.
    if (is_openssl && (major > 3 || (major == 3 && minor >= 2))) return true;
    // In 8.15.0 and later, libcurl reports every end without the alert. Before, it treated SSL_ERROR_SYSCALL as success
    // if SSL_read had returned 0.
    if (number >= LIBCURL_8_15_0) {
        const char *const others[] = { "LibreSSL/", "BoringSSL", "AWS-LC/", "quictls/", "rustls-ffi/" };
        for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
            if (begins_with(tls, others[index])) return true;
        }
        return is_openssl;
    }
    // 3.0 and 3.1 report it only if the BIO indicates its end (BIO_CTRL_EOF). The BIO of a socket, which libcurl used
    // before 7.87.0, does so. The BIO of libcurl does in 8.14.1 and later. A TLS connection to a proxy has not ended in
    // this sense.
    if (!is_openssl || major < 3 || has_tls_proxy) return false;
    return number < LIBCURL_7_87_0 || number >= LIBCURL_8_14_1;
}

// Returns the name of a missing function, or `NULL`.
static const char *resolve(void *library) {
    const struct errand_symbol symbols[] = {
        { &curl.global_init, "curl_global_init" },
        { &curl.version_info, "curl_version_info" },
        { &curl.easy_strerror, "curl_easy_strerror" },
        { &curl.easy_init, "curl_easy_init" },
        { &curl.easy_cleanup, "curl_easy_cleanup" },
        { &curl.easy_setopt, "curl_easy_setopt" },
        { &curl.easy_getinfo, "curl_easy_getinfo" },
        { &curl.easy_pause, "curl_easy_pause" },
        { &curl.easy_send, "curl_easy_send" },
        { &curl.easy_recv, "curl_easy_recv" },
        { &curl.multi_init, "curl_multi_init" },
        { &curl.multi_cleanup, "curl_multi_cleanup" },
        { &curl.multi_setopt, "curl_multi_setopt" },
        { &curl.multi_add_handle, "curl_multi_add_handle" },
        { &curl.multi_remove_handle, "curl_multi_remove_handle" },
        { &curl.multi_perform, "curl_multi_perform" },
        { &curl.multi_poll, "curl_multi_poll" },
        { &curl.multi_socket_action, "curl_multi_socket_action" },
        { &curl.multi_assign, "curl_multi_assign" },
        { &curl.multi_info_read, "curl_multi_info_read" },
        { &curl.share_init, "curl_share_init" },
        { &curl.share_setopt, "curl_share_setopt" },
        { &curl.share_cleanup, "curl_share_cleanup" },
    };
    return errand_symbols_resolve(library, symbols, sizeof symbols / sizeof *symbols);
}

// Sets the features that depend on the version.
static void set_features(const struct curl_version *version) {
    // From 7.83.0 to 8.0.1, a reused handle keeps a pointer to a header that was freed, and writes to it if the first
    // header line of a response is folded.
    reuses_handles = version->number < LIBCURL_7_83_0 || version->number >= LIBCURL_8_1_0;
    // In 7.87.0 and later, OpenSSL writes through libcurl.
    writes_quietly = version->number >= LIBCURL_7_87_0;
    announces_requests = version->number >= LIBCURL_7_80_0;
    discards_lines = version->number < LIBCURL_8_5_0;
    accepts_authorities = version->number >= LIBCURL_7_77_0;
    detects_truncation = errand_tls_detects_truncation(version->tls, version->number, false);
    detects_truncation_behind_proxy = errand_tls_detects_truncation(version->tls, version->number, true);
    has_http2 = (version->features & ERRAND_CURL_VERSION_HTTP2) != 0;
}

static void load(void) {
    // Foundation depends on this library. If it is loaded already, it is found without a search on the disk.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(state, sizeof state, "%s", reason ? reason : "libcurl.so.4 was not found");
        return;
    }
    const char *missing = resolve(library);
    if (missing) {
        snprintf(state, sizeof state, "libcurl has no function %s", missing);
        return;
    }
    const struct curl_version *version = curl.version_info(VERSION_FIRST);
    const char *flaw = version ? errand_curl_flaw(version->number, version->features) : "does not report its version";
    if (flaw) {
        snprintf(state, sizeof state, "libcurl %.32s %s", version ? version->version : "", flaw);
        return;
    }
    // Has no effect if Foundation has already called it.
    if (curl.global_init(GLOBAL_ALL) != ERRAND_CURLE_OK) {
        snprintf(state, sizeof state, "libcurl %.32s cannot be initialized", version->version);
        return;
    }
    errand_library_watch_exit(library);
    set_features(version);
    snprintf(state, sizeof state, "libcurl %.32s", version->version);
    is_loaded = true;
}

bool errand_curl_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

bool errand_curl_reuses_handles(void) { return reuses_handles; }

bool errand_curl_writes_quietly(void) { return writes_quietly; }

bool errand_curl_announces_requests(void) { return announces_requests; }

bool errand_curl_discards_lines(void) { return discards_lines; }

bool errand_curl_accepts_authorities(void) { return accepts_authorities; }

bool errand_curl_detects_truncation(bool has_tls_proxy) {
    return has_tls_proxy ? detects_truncation_behind_proxy : detects_truncation;
}

bool errand_curl_has_http2(void) { return has_http2; }

const char *errand_curl_state(void) { return state; }

const char *errand_curl_error(int code) { return errand_curl_load() ? curl.easy_strerror(code) : state; }

#endif
