#include "library.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct curl_functions curl;

/// 7.76.0, of the oldest systems that Swift supports (Amazon Linux 2, RHEL 9): older ones lack what is used here.
static const unsigned int oldest = 0x074c00;

/// Bits of `curl_version_info_data.features`.
enum { TLS = 1 << 2, ASYNCHRONOUS_LOOKUP = 1 << 7, HTTP2 = 1 << 16 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;
static bool reuses_handles = false;
static bool has_http2 = false;
static bool writes_quietly = false;
static bool announces_requests = false;
static bool forgets_lines = false;
static bool takes_authorities = false;
static char state[160] = "not loaded";

const char *errand_curl_flaw(unsigned int number, int features) {
    if (number < oldest) return "is too old";
    if (!(features & TLS)) return "has no TLS";
    return features & ASYNCHRONOUS_LOOKUP ? NULL : "has no asynchronous name lookup";
}

static void load(void) {
    // Foundation's own dependency: found in memory, not on the disk, where it is loaded already.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(state, sizeof state, "%s", reason ? reason : "libcurl.so.4 was not found");
        return;
    }
    const struct {
        void *place;
        const char *name;
    } symbols[] = {
        { &curl.global_init, "curl_global_init" },
        { &curl.version_info, "curl_version_info" },
        { &curl.easy_strerror, "curl_easy_strerror" },
        { &curl.easy_init, "curl_easy_init" },
        { &curl.easy_cleanup, "curl_easy_cleanup" },
        { &curl.easy_setopt, "curl_easy_setopt" },
        { &curl.easy_getinfo, "curl_easy_getinfo" },
        { &curl.easy_pause, "curl_easy_pause" },
        { &curl.multi_init, "curl_multi_init" },
        { &curl.multi_cleanup, "curl_multi_cleanup" },
        { &curl.multi_setopt, "curl_multi_setopt" },
        { &curl.multi_add_handle, "curl_multi_add_handle" },
        { &curl.multi_remove_handle, "curl_multi_remove_handle" },
        { &curl.multi_socket_action, "curl_multi_socket_action" },
        { &curl.multi_assign, "curl_multi_assign" },
        { &curl.multi_info_read, "curl_multi_info_read" },
    };
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *address = dlsym(library, symbols[index].name);
        if (!address) {
            snprintf(state, sizeof state, "libcurl has no %s", symbols[index].name);
            return;
        }
        *(void **)symbols[index].place = address;
    }
    const struct curl_version *version = curl.version_info(0);
    const char *flaw = version ? errand_curl_flaw(version->number, version->features) : "does not tell its version";
    if (flaw) {
        snprintf(state, sizeof state, "libcurl %.32s %s", version ? version->version : "", flaw);
        return;
    }
    // Everything: harmless where Foundation has done it.
    if (curl.global_init(3) != 0) {
        snprintf(state, sizeof state, "libcurl %.32s does not start", version->version);
        return;
    }
    errand_library_watch_exit(library);
    // From 7.83.0 to 8.0.1 a handle that is used again remembers a header that has been freed: an answer whose first header
    // line is folded then writes to it.
    reuses_handles = version->number < 0x075300 || version->number >= 0x080100;
    // From 7.87.0 on OpenSSL writes through libcurl's own sending.
    writes_quietly = version->number >= 0x075700;
    announces_requests = version->number >= 0x075000;
    forgets_lines = version->number < 0x080500;
    takes_authorities = version->number >= 0x074d00;
    has_http2 = (version->features & HTTP2) != 0;
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

bool errand_curl_forgets_lines(void) { return forgets_lines; }

bool errand_curl_takes_authorities(void) { return takes_authorities; }

bool errand_curl_has_http2(void) { return has_http2; }

const char *errand_curl_state(void) { return state; }

const char *errand_curl_error(int code) { return errand_curl_load() ? curl.easy_strerror(code) : state; }

#endif
