// The few calls of libcurl that CurlSession makes, and the epoll loop under them.
//
// The library is the one that Foundation on Linux has loaded already. Its symbols are looked up at run time, so that
// neither headers nor a development package are needed; what is declared here is its stable binary interface.

#ifndef CERRANDCURL_H
#define CERRANDCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "content_decoder.h"
#include "libcurl_values.h"

#if defined(__linux__)

// MARK: the library

/// Loads the library once. Returns true if it is usable.
bool errand_curl_load(void);
/// Whether a handle of this version can carry a second request without danger.
bool errand_curl_reuses_handles(void);
/// Whether a write to a connection that is shut down raises no signal, not even at the end of TLS.
bool errand_curl_writes_quietly(void);
/// Whether it says so before it sends a request over a connection, from 7.80.0 on.
bool errand_curl_announces_requests(void);
/// Whether it forgets what it has read behind a header line that begins with NUL, until 8.4.0.
bool errand_curl_forgets_lines(void);
/// Whether it accepts certificate authorities from memory (7.77.0 and later).
bool errand_curl_takes_authorities(void);
/// Whether it reports an error if the TLS connection to a server ends without a close_notify alert. Otherwise a body that ends with
/// its connection may be truncated.
bool errand_curl_detects_truncation(bool has_tls_proxy);
/// The same for a libcurl with this TLS library, such as `OpenSSL/3.0.22`, and this version number. False if it is not known.
bool errand_tls_detects_truncation(const char *tls, unsigned int number, bool has_tls_proxy);
/// Whether it was built with HTTP/2.
bool errand_curl_has_http2(void);
/// Why it could not be loaded, or its version; never NULL.
const char *errand_curl_state(void);
/// Returns the reason why a libcurl with this version number and these features (`ERRAND_CURL_VERSION_…`) is unusable, or `NULL`
/// if it is usable.
const char *errand_curl_flaw(unsigned int number, int features);
/// The text of an `ERRAND_CURLE_…`.
const char *errand_curl_error(int code);

// MARK: proxy exceptions

/// Whether a host is exempt from the proxy. The exceptions are hosts, domains with all their hosts, IP addresses and address blocks
/// such as `10.0.0.0/8`, separated by commas or blanks. A single `*` exempts every host. An IPv6 address has no brackets.
bool errand_is_excepted(const char *exceptions, const char *host);

// MARK: signals

// With libcurl before 7.87, OpenSSL writes to a connection by itself. If the peer has closed the connection, the write raises
// SIGPIPE, which terminates the process by default.

/// The signal state that `errand_signals_release` restores.
typedef struct {
    bool is_held;
    bool was_blocked;
    bool was_pending;
} errand_signals;
/// Blocks SIGPIPE in the current thread.
errand_signals errand_signals_hold(void);
/// Discards a SIGPIPE that was raised since then, and restores the state. Call it in the thread that called `errand_signals_hold`.
void errand_signals_release(errand_signals signals);

// MARK: the end of the process

// OpenSSL frees its tables in an `atexit` handler, while other threads still run. A thread may use the library only between
// these two calls. A handler of its own, which runs before that of OpenSSL, waits for such threads and admits no more.

/// Registers a use of the library. Returns false once the process has begun to end. Call `errand_library_leave` only after true.
bool errand_library_enter(void);
void errand_library_leave(void);
/// Whether the process has begun to end.
bool errand_library_has_ended(void);
/// Frees what OpenSSL keeps for this thread, as the last call of a thread that has used the library. Once the process has begun
/// to end it does not return: OpenSSL would free it a second time when the thread ends.
void errand_library_end_thread(void);

// MARK: the header section that a transfer waits for

// Until 8.4.0, libcurl stops reading at a line that begins with NUL, and forgets what else it has read. A server could hide
// header lines. So the bytes are inspected before libcurl reads them, and compared with the lines that it delivers.

/// As many bytes of a status line as tell whether the response is interim, such as `HTTP/1.1 103`.
enum { ERRAND_BEGINNING_SIZE = 12 };

/// The first bytes of a line.
struct errand_beginning {
    char bytes[ERRAND_BEGINNING_SIZE];
    size_t count;
};

struct errand_head {
    /// Whether the end of the final header section was not delivered yet.
    bool is_open;
    /// Whether the bytes belong to the response. Those before belong to a proxy (RFC 1928), or to no response.
    bool has_begun;
    /// Whether the present header section is known to be interim.
    bool is_interim;
    /// The bytes that were seen of the line whose end libcurl has not read yet.
    struct errand_beginning beginning;
    /// Whether libcurl has read more of that line.
    bool is_unseen;
    /// The number of lines that were seen and not delivered. Negative if libcurl has read the end of a line that was not seen.
    int lines_ahead;
};

/// The state before the first byte.
struct errand_head errand_head_new(bool is_open);
/// Records a line that libcurl delivers.
void errand_head_follow(struct errand_head *head, const char *line, size_t count);
/// Inspects the bytes that libcurl is about to read. They hide a line if one except the first begins with NUL. Returns false, and
/// records nothing, if these are not all available bytes and more of them are needed.
bool errand_head_look(struct errand_head *head, const char *bytes, size_t count, bool is_all, bool *hides_line);

// MARK: the engine: one multi handle, one epoll set

typedef struct errand_engine errand_engine;
typedef struct errand_transfer errand_transfer;

/// Creates an engine with limits for its idle connections, and for the connections to one host, idle ones included. Returns `NULL`
/// if descriptors or memory are exhausted.
errand_engine *errand_engine_new(long idle_limit, long host_limit);
/// Frees an engine from which every transfer was removed.
void errand_engine_free(errand_engine *engine);

/// Stands for a descriptor that is missing or not known.
enum { ERRAND_NO_DESCRIPTOR = -1 };

/// The descriptors that a thread waits on without holding the engine.
typedef struct {
    int poll;
    int wake;
} errand_waiter;
errand_waiter errand_engine_waiter(const errand_engine *engine);
/// Closes the descriptors of an engine that was freed. `errand_wake` must not be called any more.
void errand_waiter_close(errand_waiter waiter);

typedef struct {
    int descriptor;
    int readiness;
} errand_event;
/// A wait without a timeout, as for `epoll_wait`.
enum { ERRAND_NO_TIMEOUT = -1 };
/// Waits for events. Returns their number, which is 0 after a timeout or a wake-up.
int errand_wait(errand_waiter waiter, int milliseconds, errand_event *events, int capacity);
/// Ends a wait, the present or the next one.
void errand_wake(errand_waiter waiter);

/// Lets the library act on a descriptor's readiness.
void errand_engine_act(errand_engine *engine, errand_event event);
/// Lets the library act on its timer. Returns false if it is not due.
bool errand_engine_tick(errand_engine *engine, int64_t now);
/// The time in milliseconds at which the timer is due, or `INT64_MAX`.
int64_t errand_engine_due(const errand_engine *engine);
/// Milliseconds of the monotonic clock.
int64_t errand_milliseconds(void);

bool errand_engine_add(errand_engine *engine, errand_transfer *transfer);
void errand_engine_remove(errand_engine *engine, errand_transfer *transfer);
/// Lets the library read again from the connection that an ended transfer used. If it is shared and has ended, libcurl before
/// 8.1 tells only one of its transfers, and no event follows while the peer keeps the TCP connection open.
void errand_engine_read_again(errand_engine *engine, const errand_transfer *ended);
/// Returns the owner of the next transfer that has ended, and its `ERRAND_CURLE_…`, or `NULL`.
void *errand_engine_next_ended(errand_engine *engine, int *code);

// MARK: one transfer, on a handle that is used again

/// The maximum size of the framing of a response over HTTP/1. `ERRAND_FRAMING_PER_BYTE` is allowed in addition to it, for each byte
/// of the header section and body: a TLS record of one byte has 29 more, a chunk of one byte 6.
/// Framing is chunk extensions, chunk sizes, empty lines and TLS records. It is counted within ten seconds, not in the first
/// turns of the library, and neither for https if HTTP/2 is offered nor over a Unix-domain socket.
enum {
    ERRAND_FRAMING_LIMIT = 1 << 20,
    ERRAND_FRAMING_PER_BYTE = 64,
};

/// What became of bytes of a response body.
typedef enum {
    /// The transfer ends.
    errand_body_refused,
    errand_body_taken,
    /// The transfer is paused. The bytes are delivered again when it is unpaused.
    errand_body_later,
} errand_body_result;

/// What a read of the request's body returns instead of a number of bytes. 0 is the end of the body.
enum {
    ERRAND_READ_FAILED = -1,
    /// No bytes are available yet. The transfer is paused.
    ERRAND_READ_LATER = -2,
};

/// What is called while a transfer runs, on the thread that lets the engine act. `owner` is the transfer's.
typedef struct {
    /// Takes a line of a head or of trailers. False ends the transfer.
    bool (*head)(void *owner, const uint8_t *bytes, size_t count);
    /// Takes bytes of the body.
    errand_body_result (*body)(void *owner, const uint8_t *bytes, size_t count);
    /// Copies bytes of the request's body. Returns their number, 0 at the end, or `ERRAND_READ_…`.
    int64_t (*read)(void *owner, uint8_t *bytes, size_t capacity);
    /// Goes back to the first byte of the request's body. Returns false if that is impossible.
    bool (*rewind)(void *owner);
    /// Called when the framing of the response exceeds its limit. The transfer ends.
    void (*excess)(void *owner);
} errand_callbacks;

/// What is the same for all transfers of a session; NULL is the library's default.
typedef struct {
    const char *ca_file;
    const void *ca_bytes;
    size_t ca_count;
    bool own_ca_only;
    const char *certificate_file;
    const char *key_file;
    const char *key_password;
    const char *pinned_keys;
    /// `ERRAND_CURL_SSLVERSION_…`.
    long tls_minimum;
    const char *proxy;
    const char *no_proxy;
    bool may_have_tls_proxy;
    const char *unix_socket;
    const char *const *connect_to;
    size_t connect_to_count;
    bool http1_only;
    long connect_milliseconds;
} errand_settings;

/// The size of a request body that is not known before its end.
enum { ERRAND_UNKNOWN_COUNT = -1 };

/// What one request sends; everything is copied.
typedef struct {
    /// The URL without a fragment and with a path, which is the request target in absolute form (RFC 9112, section 3.2.2).
    const char *url;
    /// The index of the first byte of the path, at which the request target in origin form starts (section 3.2.1).
    size_t target_start;
    const char *method;
    /// The header lines, each ended by NUL, one after the other, and how many bytes that is.
    const char *lines;
    size_t line_bytes;
    /// Whether the callback provides a body, and its number of bytes or `ERRAND_UNKNOWN_COUNT`.
    bool has_body;
    int64_t body_count;
    /// Whether bytes of the body may become available after the header section was sent.
    bool has_late_body;
    /// Whether the request may be retried if its connection closes without a response.
    bool may_repeat;
    bool fresh_connection;
    /// Whether the URL's host is a loopback address. Such a request does not use the proxies of the environment.
    bool is_loopback;
} errand_request;

typedef struct {
    int64_t name_resolved;
    int64_t connected;
    int64_t secured;
    int64_t first_byte;
    int64_t total;
    int64_t sent;
    int64_t received;
    /// `ERRAND_CURL_HTTP_VERSION_…`, or 0 if there is no response.
    long version;
    long new_connections;
    /// The status of the proxy's response to CONNECT. 0 if there is none.
    long tunnel_status;
    /// `ERRAND_X509_V_…` for the proxy's certificate, or for the server's if the former is valid.
    long verify_result;
    char address[64];
} errand_report;

/// Creates a transfer. Returns `NULL` if memory is exhausted or libcurl refuses an option, whose name is then in `refused`.
errand_transfer *errand_transfer_new(
    const errand_settings *settings, const errand_callbacks *callbacks, const char **refused);
void errand_transfer_free(errand_transfer *transfer);
/// Prepares the handle for a request. Returns false if libcurl refuses a value.
bool errand_transfer_prepare(errand_transfer *transfer, const errand_request *request, void *owner);
/// Lets a paused transfer go on, in both directions. It may call back at once.
void errand_transfer_unpause(errand_transfer *transfer);
/// Fills in what the transfer has cost so far; times in microseconds.
void errand_transfer_report(errand_transfer *transfer, errand_report *report);
/// What the library says of a failure; may be empty.
const char *errand_transfer_message(const errand_transfer *transfer);
void *errand_transfer_owner(const errand_transfer *transfer);

#endif
#endif
