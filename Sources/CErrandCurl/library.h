// libcurl's binary interface, as far as it is used here: names and numbers are those of its documentation.

#ifndef ERRAND_LIBRARY_H
#define ERRAND_LIBRARY_H

#include "CErrandCurl.h"

#if defined(__linux__)

typedef void curl_easy;
typedef void curl_multi;

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

struct curl_socket_address {
    int family;
    int kind;
    int protocol;
    unsigned int size;
    // The address itself follows.
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

enum {
    LONG = 0,
    POINTER = 10000,
    FUNCTION = 20000,
    OFFSET = 30000,
    BLOB = 40000,
    INFO_STRING = 0x100000,
    INFO_LONG = 0x200000,
    INFO_OFFSET = 0x600000,
};

enum {
    OPT_WRITEDATA = POINTER + 1,
    OPT_URL = POINTER + 2,
    OPT_PROXY = POINTER + 4,
    OPT_READDATA = POINTER + 9,
    OPT_ERRORBUFFER = POINTER + 10,
    OPT_WRITEFUNCTION = FUNCTION + 11,
    OPT_READFUNCTION = FUNCTION + 12,
    OPT_HTTPHEADER = POINTER + 23,
    OPT_SSLCERT = POINTER + 25,
    OPT_KEYPASSWD = POINTER + 26,
    OPT_HEADERDATA = POINTER + 29,
    OPT_SSLVERSION = LONG + 32,
    OPT_CUSTOMREQUEST = POINTER + 36,
    OPT_NOPROGRESS = LONG + 43,
    OPT_NOBODY = LONG + 44,
    OPT_UPLOAD = LONG + 46,
    OPT_CAINFO = POINTER + 65,
    OPT_FRESH_CONNECT = LONG + 74,
    OPT_FORBID_REUSE = LONG + 75,
    OPT_HEADERFUNCTION = FUNCTION + 79,
    OPT_HTTPGET = LONG + 80,
    OPT_HTTP_VERSION = LONG + 84,
    OPT_SSLKEY = POINTER + 87,
    OPT_CAPATH = POINTER + 97,
    OPT_BUFFERSIZE = LONG + 98,
    OPT_NOSIGNAL = LONG + 99,
    OPT_PRIVATE = POINTER + 103,
    OPT_INFILESIZE_LARGE = OFFSET + 115,
    OPT_CONNECTTIMEOUT_MS = LONG + 156,
    OPT_HTTP_CONTENT_DECODING = LONG + 158,
    OPT_OPENSOCKETFUNCTION = FUNCTION + 163,
    OPT_SEEKFUNCTION = FUNCTION + 167,
    OPT_SEEKDATA = POINTER + 168,
    OPT_XFERINFODATA = POINTER + 57,
    OPT_NOPROXY = POINTER + 177,
    OPT_PROTOCOLS = LONG + 181,
    OPT_CLOSESOCKETFUNCTION = FUNCTION + 208,
    OPT_CLOSESOCKETDATA = POINTER + 209,
    OPT_PINNEDPUBLICKEY = POINTER + 230,
    OPT_UNIX_SOCKET_PATH = POINTER + 231,
    OPT_PATH_AS_IS = LONG + 234,
    OPT_PIPEWAIT = LONG + 237,
    OPT_CONNECT_TO = POINTER + 243,
    OPT_SUPPRESS_CONNECT_HEADERS = LONG + 265,
    OPT_REQUEST_TARGET = POINTER + 266,
    OPT_DISALLOW_USERNAME_IN_URL = LONG + 278,
    OPT_HTTP09_ALLOWED = LONG + 285,
    OPT_CAINFO_BLOB = BLOB + 309,
    OPT_XFERINFOFUNCTION = FUNCTION + 219,
    OPT_SOCKOPTFUNCTION = FUNCTION + 148,
    OPT_SOCKOPTDATA = POINTER + 149,
    OPT_PREREQFUNCTION = FUNCTION + 312,
    OPT_PREREQDATA = POINTER + 313,
    OPT_QUICK_EXIT = LONG + 322,

    MOPT_SOCKETFUNCTION = FUNCTION + 1,
    MOPT_SOCKETDATA = POINTER + 2,
    MOPT_TIMERFUNCTION = FUNCTION + 4,
    MOPT_TIMERDATA = POINTER + 5,
    MOPT_MAXCONNECTS = LONG + 6,
    MOPT_MAX_HOST_CONNECTIONS = LONG + 7,

    INFO_PRIVATE = INFO_STRING + 21,
    INFO_REQUEST_SIZE = INFO_LONG + 12,
    INFO_SSL_VERIFYRESULT = INFO_LONG + 13,
    INFO_HTTP_CONNECTCODE = INFO_LONG + 22,
    INFO_NUM_CONNECTS = INFO_LONG + 26,
    INFO_PRIMARY_IP = INFO_STRING + 32,
    INFO_PRIMARY_PORT = INFO_LONG + 40,
    INFO_LOCAL_PORT = INFO_LONG + 42,
    INFO_HTTP_VERSION = INFO_LONG + 46,
    INFO_PROXY_SSL_VERIFYRESULT = INFO_LONG + 47,
    INFO_SIZE_UPLOAD_T = INFO_OFFSET + 7,
    INFO_SIZE_DOWNLOAD_T = INFO_OFFSET + 8,
    INFO_TOTAL_TIME_T = INFO_OFFSET + 50,
    INFO_NAMELOOKUP_TIME_T = INFO_OFFSET + 51,
    INFO_CONNECT_TIME_T = INFO_OFFSET + 52,
    INFO_STARTTRANSFER_TIME_T = INFO_OFFSET + 54,
    INFO_APPCONNECT_TIME_T = INFO_OFFSET + 56,
};

enum {
    POLL_IN = 1,
    POLL_OUT = 2,
    POLL_REMOVE = 4,
    SELECT_IN = 1,
    SELECT_OUT = 2,
    SELECT_ERROR = 4,
    SOCKET_TIMEOUT = -1,
    PAUSE = 0x10000001,
    READ_ABORT = 0x10000000,
    SEEK_OK = 0,
    SEEK_FAIL = 1,
    PAUSE_CONTINUE = 0,
    PREREQ_OK = 0,
    PREREQ_ABORT = 1,
    SOCKOPT_OK = 0,
    SOCKOPT_ERROR = 1,
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    HTTP_1_1 = 2,
    HTTP_2_TLS = 4,
    MESSAGE_DONE = 1,
    SEND_FAIL_REWIND = 65,
    BLOB_COPY = 1,
    ERROR_SIZE = 256,
    /// How much the library reads at a time: below the 64 kB at which freeing makes the allocator tidy up, as one such
    /// buffer is made for each transfer.
    READ_SIZE = 32768,
};

/// Every function of the library that is called, once loaded.
struct curl_functions {
    int (*global_init)(long flags);
    struct curl_version *(*version_info)(int age);
    const char *(*easy_strerror)(int code);
    curl_easy *(*easy_init)(void);
    void (*easy_cleanup)(curl_easy *easy);
    int (*easy_setopt)(curl_easy *easy, int option, ...);
    int (*easy_getinfo)(curl_easy *easy, int info, ...);
    int (*easy_pause)(curl_easy *easy, int bits);
    curl_multi *(*multi_init)(void);
    int (*multi_cleanup)(curl_multi *multi);
    int (*multi_setopt)(curl_multi *multi, int option, ...);
    int (*multi_add_handle)(curl_multi *multi, curl_easy *easy);
    int (*multi_remove_handle)(curl_multi *multi, curl_easy *easy);
    int (*multi_socket_action)(curl_multi *multi, int descriptor, int readiness, int *running);
    int (*multi_assign)(curl_multi *multi, int descriptor, void *data);
    struct curl_message *(*multi_info_read)(curl_multi *multi, int *left);
};
extern struct curl_functions curl;

/// Registers the `atexit` handler. Called once, after the library has initialized TLS: handlers run in reverse order.
void errand_library_watch_exit(void *library);

/// The bytes of a response.
struct errand_tally {
    int turns;
    /// The number of bytes that the callbacks have received.
    int64_t taken;
    /// The bytes that the connection and the callbacks had received at the first count.
    bool has_start;
    int64_t start;
    int64_t start_received;
    int64_t start_taken;
};

/// Counts a turn of the library. True if the framing of the response exceeds its limit.
bool errand_tally_has_excess(struct errand_tally *tally, int descriptor);

/// The proxy of a transfer, and the form of its request target.
///
/// Signatures cover the bytes of the request target, but libcurl changes them. Every version drops an empty query if the request
/// goes to a proxy, and 8.8 and later always drop it. The newest versions also normalize percent-encoded bytes. So this type sets
/// the target explicitly, as the caller has written it. The form of the target depends on whether a proxy forwards the request,
/// but libcurl evaluates the proxy exceptions only later. So for http the exceptions are evaluated here.
struct errand_route {
    bool is_from_environment;
    /// Whether the session's own proxy speaks HTTP.
    bool has_http_proxy;
    /// The session's own exceptions, or `NULL`.
    char *exceptions;
    /// Whether the handle has the result of the evaluation instead of the exceptions.
    bool is_decided;
};
/// Returns false if memory is exhausted.
bool errand_route_init(struct errand_route *route, const errand_settings *settings);
/// Sets the target in absolute form if a proxy forwards the request (RFC 9112, section 3.2.2), otherwise in origin form (section
/// 3.2.1). Returns false if memory is exhausted.
bool errand_route_set(
    struct errand_route *route, curl_easy *easy, const errand_request *request, bool is_plain,
    const struct curl_slist *connect_to);
void errand_route_free(struct errand_route *route);

/// The sending state of a request. libcurl retries a request if a reused connection closes without a response. It treats a request
/// as unsent if it has not read the body.
struct errand_sending {
    bool may_repeat;
    /// Whether sending on the current connection has begun, and the number of bytes that were sent before that.
    bool has_begun;
    long count_before;
    /// Whether libcurl tried to send it again, which is not allowed.
    bool is_lost;
};
struct errand_sending errand_sending_new(const errand_request *request);
/// Records that another connection is used. Returns false if a part of the request was sent already and must not be sent twice.
bool errand_sending_moves(struct errand_sending *sending, curl_easy *easy);
/// Whether the request needs a new connection, because a reused one may be closed and nothing would prevent libcurl from sending
/// the request twice.
bool errand_sending_needs_connection(const errand_request *request);

curl_easy *errand_transfer_handle(const errand_transfer *transfer);
bool errand_transfer_is_paused(const errand_transfer *transfer);
/// Whether the transfer is paused because the reader of its response body is slow.
bool errand_transfer_awaits_reader(const errand_transfer *transfer);
/// Whether the answer's bytes come without TLS, for certain. Then nobody else's come over its connection.
bool errand_transfer_is_plain(const errand_transfer *transfer);
/// Whether no other transfer uses its connection at the same time: with HTTP/1.
bool errand_transfer_is_alone(const errand_transfer *transfer);
/// Whether the connection closed after a part of the request was sent, and libcurl must not send the request again.
bool errand_transfer_is_lost(const errand_transfer *transfer);
/// Whether a line of its answer has been read.
bool errand_transfer_has_answer(const errand_transfer *transfer);
/// Notes the descriptor whose bytes are for this transfer; gives the one before, or -1.
int errand_transfer_is_at(errand_transfer *transfer, int descriptor);
/// Notes the engine that runs it.
void errand_transfer_joins(errand_transfer *transfer, errand_engine *engine);
/// Records that the request is about to be sent, for the first time or again. Bytes that arrive from now on belong to its response.
/// Returns the engine, or `NULL` if the request must not be sent again.
errand_engine *errand_transfer_begins(errand_transfer *transfer);
/// Waits again for input that was ignored while the transfer was paused.
void errand_engine_accept_input(errand_engine *engine, const errand_transfer *transfer, int descriptor);
/// Whether bytes that are about to be read are of a head, and can be seen before.
bool errand_transfer_wants_look(const errand_transfer *transfer);
/// Shows the transfer what is about to be read. False where these are not all the bytes that are there, and more of them are
/// needed.
bool errand_transfer_look(errand_transfer *transfer, const char *bytes, size_t count, bool is_all);

#endif
#endif
