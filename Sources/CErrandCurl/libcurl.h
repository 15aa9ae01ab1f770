// The part of libcurl's binary interface that is used here.
//
// The comment of an enum gives the header and the prefix of its names. The names here omit the prefix `CURL`.

#ifndef ERRAND_LIBCURL_H
#define ERRAND_LIBCURL_H

#include "CErrandCurl.h"

#if defined(__linux__)

typedef void curl_easy;
typedef void curl_multi;
typedef void curl_share;

struct curl_slist {
    char *data;
    struct curl_slist *next;
};

struct curl_message {
    int kind;
    curl_easy *easy;
    union {
        void *anything;
        int result;
    } data;
};

struct curl_blob {
    void *data;
    size_t len;
    unsigned int flags;
};

struct curl_waitfd {
    int descriptor;
    short events;
    short ready;
};

struct curl_socket_address {
    int family;
    int kind;
    int protocol;
    unsigned int size;
    // The socket address follows.
};

struct curl_version {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    /// The TLS library and its version, such as "OpenSSL/3.0.22".
    const char *tls;
};

/// curl.h: `CURLOPTTYPE_…`, the type that is part of the number of an option.
enum {
    OPTTYPE_LONG = 0,
    OPTTYPE_OBJECTPOINT = 10000,
    OPTTYPE_FUNCTIONPOINT = 20000,
    OPTTYPE_OFF_T = 30000,
    OPTTYPE_BLOB = 40000,
};

/// curl.h: `CURLINFO_…`, the type that is part of the number of a value.
enum {
    INFO_STRING = 0x100000,
    INFO_LONG = 0x200000,
    INFO_SOCKET = 0x500000,
    INFO_OFF_T = 0x600000,
};

/// curl.h: `CURLOPT_…`.
enum curl_option {
    OPT_WRITEDATA = OPTTYPE_OBJECTPOINT + 1,
    OPT_URL = OPTTYPE_OBJECTPOINT + 2,
    OPT_PROXY = OPTTYPE_OBJECTPOINT + 4,
    OPT_READDATA = OPTTYPE_OBJECTPOINT + 9,
    OPT_ERRORBUFFER = OPTTYPE_OBJECTPOINT + 10,
    OPT_WRITEFUNCTION = OPTTYPE_FUNCTIONPOINT + 11,
    OPT_READFUNCTION = OPTTYPE_FUNCTIONPOINT + 12,
    OPT_HTTPHEADER = OPTTYPE_OBJECTPOINT + 23,
    OPT_SSLCERT = OPTTYPE_OBJECTPOINT + 25,
    OPT_KEYPASSWD = OPTTYPE_OBJECTPOINT + 26,
    OPT_HEADERDATA = OPTTYPE_OBJECTPOINT + 29,
    OPT_SSLVERSION = OPTTYPE_LONG + 32,
    OPT_CUSTOMREQUEST = OPTTYPE_OBJECTPOINT + 36,
    OPT_NOPROGRESS = OPTTYPE_LONG + 43,
    OPT_NOBODY = OPTTYPE_LONG + 44,
    OPT_UPLOAD = OPTTYPE_LONG + 46,
    OPT_XFERINFODATA = OPTTYPE_OBJECTPOINT + 57,
    OPT_CAINFO = OPTTYPE_OBJECTPOINT + 65,
    OPT_FRESH_CONNECT = OPTTYPE_LONG + 74,
    OPT_FORBID_REUSE = OPTTYPE_LONG + 75,
    OPT_HEADERFUNCTION = OPTTYPE_FUNCTIONPOINT + 79,
    OPT_HTTPGET = OPTTYPE_LONG + 80,
    OPT_HTTP_VERSION = OPTTYPE_LONG + 84,
    OPT_SSLKEY = OPTTYPE_OBJECTPOINT + 87,
    OPT_CAPATH = OPTTYPE_OBJECTPOINT + 97,
    OPT_BUFFERSIZE = OPTTYPE_LONG + 98,
    OPT_NOSIGNAL = OPTTYPE_LONG + 99,
    OPT_SHARE = OPTTYPE_OBJECTPOINT + 100,
    OPT_PRIVATE = OPTTYPE_OBJECTPOINT + 103,
    OPT_INFILESIZE_LARGE = OPTTYPE_OFF_T + 115,
    OPT_SOCKOPTFUNCTION = OPTTYPE_FUNCTIONPOINT + 148,
    OPT_SOCKOPTDATA = OPTTYPE_OBJECTPOINT + 149,
    OPT_CONNECTTIMEOUT_MS = OPTTYPE_LONG + 156,
    OPT_CONNECT_ONLY = OPTTYPE_LONG + 141,
    OPT_HTTP_CONTENT_DECODING = OPTTYPE_LONG + 158,
    OPT_OPENSOCKETFUNCTION = OPTTYPE_FUNCTIONPOINT + 163,
    OPT_SEEKFUNCTION = OPTTYPE_FUNCTIONPOINT + 167,
    OPT_SEEKDATA = OPTTYPE_OBJECTPOINT + 168,
    OPT_NOPROXY = OPTTYPE_OBJECTPOINT + 177,
    OPT_PROTOCOLS = OPTTYPE_LONG + 181,
    OPT_CLOSESOCKETFUNCTION = OPTTYPE_FUNCTIONPOINT + 208,
    OPT_CLOSESOCKETDATA = OPTTYPE_OBJECTPOINT + 209,
    OPT_TCP_KEEPALIVE = OPTTYPE_LONG + 213,
    OPT_XFERINFOFUNCTION = OPTTYPE_FUNCTIONPOINT + 219,
    OPT_SSL_ENABLE_ALPN = OPTTYPE_LONG + 226,
    OPT_PINNEDPUBLICKEY = OPTTYPE_OBJECTPOINT + 230,
    OPT_UNIX_SOCKET_PATH = OPTTYPE_OBJECTPOINT + 231,
    OPT_PATH_AS_IS = OPTTYPE_LONG + 234,
    OPT_PIPEWAIT = OPTTYPE_LONG + 237,
    OPT_CONNECT_TO = OPTTYPE_OBJECTPOINT + 243,
    OPT_SUPPRESS_CONNECT_HEADERS = OPTTYPE_LONG + 265,
    OPT_REQUEST_TARGET = OPTTYPE_OBJECTPOINT + 266,
    OPT_DISALLOW_USERNAME_IN_URL = OPTTYPE_LONG + 278,
    OPT_HTTP09_ALLOWED = OPTTYPE_LONG + 285,
    OPT_CAINFO_BLOB = OPTTYPE_BLOB + 309,
    OPT_PREREQFUNCTION = OPTTYPE_FUNCTIONPOINT + 312,
    OPT_PREREQDATA = OPTTYPE_OBJECTPOINT + 313,
    OPT_QUICK_EXIT = OPTTYPE_LONG + 322,
};

/// curl.h: `CURLSHOPT_…`.
enum curl_share_option { SHOPT_SHARE = 1 };

/// curl.h: `CURL_LOCK_DATA_…`, the state that handles share.
enum curl_shared_state { LOCK_DATA_SSL_SESSION = 4 };

/// multi.h: `CURLMOPT_…`.
enum curl_multi_option {
    MOPT_SOCKETFUNCTION = OPTTYPE_FUNCTIONPOINT + 1,
    MOPT_SOCKETDATA = OPTTYPE_OBJECTPOINT + 2,
    MOPT_TIMERFUNCTION = OPTTYPE_FUNCTIONPOINT + 4,
    MOPT_TIMERDATA = OPTTYPE_OBJECTPOINT + 5,
    MOPT_MAXCONNECTS = OPTTYPE_LONG + 6,
    MOPT_MAX_HOST_CONNECTIONS = OPTTYPE_LONG + 7,
    MOPT_MAX_CONCURRENT_STREAMS = OPTTYPE_LONG + 16,
};

/// curl.h: `CURLINFO_…`.
enum curl_info {
    INFO_SIZE_UPLOAD_T = INFO_OFF_T + 7,
    INFO_SIZE_DOWNLOAD_T = INFO_OFF_T + 8,
    INFO_REQUEST_SIZE = INFO_LONG + 12,
    INFO_SSL_VERIFYRESULT = INFO_LONG + 13,
    INFO_PRIVATE = INFO_STRING + 21,
    INFO_HTTP_CONNECTCODE = INFO_LONG + 22,
    INFO_NUM_CONNECTS = INFO_LONG + 26,
    INFO_PRIMARY_IP = INFO_STRING + 32,
    INFO_PRIMARY_PORT = INFO_LONG + 40,
    INFO_LOCAL_PORT = INFO_LONG + 42,
    INFO_ACTIVESOCKET = INFO_SOCKET + 44,
    INFO_HTTP_VERSION = INFO_LONG + 46,
    INFO_PROXY_SSL_VERIFYRESULT = INFO_LONG + 47,
    INFO_TOTAL_TIME_T = INFO_OFF_T + 50,
    INFO_NAMELOOKUP_TIME_T = INFO_OFF_T + 51,
    INFO_CONNECT_TIME_T = INFO_OFF_T + 52,
    INFO_STARTTRANSFER_TIME_T = INFO_OFF_T + 54,
    INFO_APPCONNECT_TIME_T = INFO_OFF_T + 56,
};

/// multi.h: `CURL_POLL_…`, the readiness that libcurl waits for.
enum {
    POLL_IN = 1,
    POLL_OUT = 2,
    POLL_REMOVE = 4,
};

/// multi.h: `CURL_CSELECT_…`, the readiness that is reported to libcurl.
enum {
    CSELECT_IN = 1,
    CSELECT_OUT = 2,
    CSELECT_ERR = 4,
};

/// multi.h: `CURL_SOCKET_TIMEOUT`, the descriptor that stands for the timer.
enum { SOCKET_TIMEOUT = -1 };

/// multi.h: `CURLM_OK`, the result of a call.
enum { M_OK = 0 };

/// multi.h: `CURLMSG_…`.
enum { MSG_DONE = 1 };

/// curl.h: `CURL_GLOBAL_…`.
enum { GLOBAL_ALL = 3 };

/// curl.h: `CURLVERSION_…`, the version of the requested structure.
enum { VERSION_FIRST = 0 };

/// curl.h: `CURLPROTO_…`.
enum {
    PROTO_HTTP = 1 << 0,
    PROTO_HTTPS = 1 << 1,
};

/// curl.h: `CURLPAUSE_…`.
enum { PAUSE_CONT = 0 };

/// easy.h: `CURL_BLOB_…`.
enum { BLOB_COPY = 1 };

/// curl.h: `CURL_ERROR_SIZE`.
enum { ERROR_SIZE = 256 };

/// The number of bytes that libcurl reads at a time. Until libcurl 8.6, each transfer has a buffer of this size.
///
/// The buffer of a buffered response is below 64 kB, because freeing a larger block makes the allocator consolidate its
/// memory. A streamed response is often large, and each read then costs several system calls.
enum { READ_SIZE = 32768, STREAMED_READ_SIZE = 262144 };

// The values that a callback returns, except a number of bytes.

/// curl.h: `CURL_WRITEFUNC_PAUSE` and `CURL_READFUNC_…`.
enum {
    WRITEFUNC_PAUSE = 0x10000001,
    READFUNC_ABORT = 0x10000000,
    READFUNC_PAUSE = 0x10000001,
};

/// curl.h: `CURL_SEEKFUNC_…`.
enum {
    SEEKFUNC_OK = 0,
    SEEKFUNC_FAIL = 1,
};

/// curl.h: `CURL_PREREQFUNC_…`.
enum {
    PREREQFUNC_OK = 0,
    PREREQFUNC_ABORT = 1,
};

/// curl.h: `CURL_SOCKOPT_…`.
enum {
    SOCKOPT_OK = 0,
    SOCKOPT_ERROR = 1,
};

/// The manual of `CURLOPT_XFERINFOFUNCTION`: any number except 0 ends the transfer.
enum {
    XFERINFO_OK = 0,
    XFERINFO_ABORT = 1,
};

/// The manuals of `CURLMOPT_SOCKETFUNCTION` and `CURLMOPT_TIMERFUNCTION`: -1 reports an error.
enum {
    MULTI_CALLBACK_OK = 0,
    MULTI_CALLBACK_ERROR = -1,
};

/// The functions of libcurl that are used, after it was loaded.
struct curl_functions {
    int (*global_init)(long flags);
    struct curl_version *(*version_info)(int age);
    const char *(*easy_strerror)(int code);
    curl_easy *(*easy_init)(void);
    void (*easy_cleanup)(curl_easy *easy);
    int (*easy_setopt)(curl_easy *easy, enum curl_option option, ...);
    int (*easy_getinfo)(curl_easy *easy, enum curl_info info, ...);
    int (*easy_pause)(curl_easy *easy, int bits);
    int (*easy_send)(curl_easy *easy, const void *bytes, size_t count, size_t *sent);
    int (*easy_recv)(curl_easy *easy, void *bytes, size_t count, size_t *received);
    curl_multi *(*multi_init)(void);
    int (*multi_cleanup)(curl_multi *multi);
    int (*multi_setopt)(curl_multi *multi, enum curl_multi_option option, ...);
    int (*multi_add_handle)(curl_multi *multi, curl_easy *easy);
    int (*multi_remove_handle)(curl_multi *multi, curl_easy *easy);
    int (*multi_perform)(curl_multi *multi, int *running);
    int (*multi_poll)(curl_multi *multi, struct curl_waitfd *more, unsigned int count, int milliseconds, int *ready);
    int (*multi_socket_action)(curl_multi *multi, int descriptor, int readiness, int *running);
    int (*multi_assign)(curl_multi *multi, int descriptor, void *data);
    struct curl_message *(*multi_info_read)(curl_multi *multi, int *left);
    curl_share *(*share_init)(void);
    int (*share_setopt)(curl_share *share, enum curl_share_option option, ...);
    int (*share_cleanup)(curl_share *share);
};
extern struct curl_functions curl;

/// Registers the `atexit` handler. Called once, after libcurl has initialized TLS, because handlers run in reverse
/// order.
void errand_library_watch_exit(void *library);

#endif
#endif
