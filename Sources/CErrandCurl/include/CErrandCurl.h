// The functions of libcurl that CurlSession uses, and the epoll loop below them.
//
// Foundation on Linux has already loaded libcurl. Its symbols are looked up at run time, so neither its headers nor a
// development package are required. The declarations here match its stable binary interface.

#ifndef CERRANDCURL_H
#define CERRANDCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cipher.h"
#include "content_decoder.h"
#include "header_inspection.h"
#include "libcurl_values.h"

#if defined(__linux__)

// MARK: the library

/// Loads the library once. Returns true if it is usable.
bool errand_curl_load(void);
/// Whether a handle of this version can safely be reused for another request.
bool errand_curl_reuses_handles(void);
/// Whether a write to a connection that is shut down raises no signal, not even when TLS ends.
bool errand_curl_writes_quietly(void);
/// Whether libcurl calls back before it sends a request over a connection (7.80.0 and later).
bool errand_curl_announces_requests(void);
/// Whether libcurl discards the bytes that it has read after a header line that begins with NUL (8.4.0 and earlier).
bool errand_curl_discards_lines(void);
/// Whether libcurl accepts certificate authorities from memory (7.77.0 and later).
bool errand_curl_accepts_authorities(void);
/// Whether libcurl reports an error if the TLS connection to a server ends without a close_notify alert. Otherwise, a
/// body that ends with its connection may be truncated.
bool errand_curl_detects_truncation(bool has_tls_proxy);
/// The same for a libcurl with this TLS library, such as `OpenSSL/3.0.22`, and this version number. False if the
/// library is unknown.
bool errand_tls_detects_truncation(const char *tls, unsigned int number, bool has_tls_proxy);
/// Whether libcurl supports HTTP/2.
bool errand_curl_has_http2(void);
/// The version of libcurl, or the reason why it could not be loaded. Never `NULL`.
const char *errand_curl_state(void);
/// Returns the reason why a libcurl with this version number and these features (`ERRAND_CURL_VERSION_…`) is unusable,
/// or `NULL` if it is usable.
const char *errand_curl_flaw(unsigned int number, int features);
/// The error message of an `ERRAND_CURLE_…` code.
const char *errand_curl_error(int code);

// MARK: proxy exceptions

/// Whether a host is exempt from the proxy. The exceptions are hosts, domains with all their hosts, IP addresses and
/// address blocks such as `10.0.0.0/8`, separated by commas or blanks. A single `*` exempts every host. An IPv6 address
/// has no brackets.
bool errand_is_excepted(const char *exceptions, const char *host);

// MARK: signals

// With libcurl before 7.87, OpenSSL writes to a connection by itself. If the peer has closed the connection, the write
// raises SIGPIPE, which terminates the process by default.

/// The signal state that `errand_signals_release` restores.
typedef struct {
    bool is_held;
    bool was_blocked;
    bool was_pending;
} errand_signals;
/// Blocks SIGPIPE in the current thread.
errand_signals errand_signals_hold(void);
/// Discards a SIGPIPE that was raised since `errand_signals_hold`, and restores the state. Call it in the same thread.
void errand_signals_release(errand_signals signals);

// MARK: the end of the process

// OpenSSL frees its tables in an `atexit` handler, while other threads still run. A thread may use the library only
// between `errand_library_enter` and `errand_library_leave`. Another handler, which runs before the one of OpenSSL,
// waits for such threads and admits no new ones.

/// Registers a use of the library. Returns false if the process has begun to end. Call `errand_library_leave` only
/// after true.
bool errand_library_enter(void);
/// Unregisters a use of the library.
void errand_library_leave(void);
/// Whether the process has begun to end.
bool errand_library_has_ended(void);
/// Frees the memory that OpenSSL keeps for this thread. This is the last call of a thread that has used the library. If
/// the process has begun to end, it does not return, because OpenSSL would free the memory again when the thread ends.
void errand_library_end_thread(void);

// MARK: the engine: one multi handle, one epoll set

/// A multi handle of libcurl with an epoll set.
typedef struct errand_engine errand_engine;
/// A handle of libcurl that sends one request after another.
typedef struct errand_transfer errand_transfer;

/// Creates an engine with limits for its idle connections, for the connections to one host, idle ones included, and for the
/// streams of a connection over HTTP/2. Returns `NULL` if descriptors or memory are exhausted.
errand_engine *errand_engine_new(long idle_limit, long host_limit, long stream_limit);
/// Frees an engine after every transfer was removed from it.
void errand_engine_free(errand_engine *engine);

/// The value for a missing or unknown descriptor.
enum { ERRAND_NO_DESCRIPTOR = -1 };

/// The descriptors that a thread waits on without holding the engine.
typedef struct {
    int poll;
    int wake;
} errand_waiter;
/// Returns the descriptors of an engine.
errand_waiter errand_engine_waiter(const errand_engine *engine);
/// Creates a descriptor for `errand_wake` without an epoll descriptor. `wake` is -1 if descriptors are exhausted.
errand_waiter errand_waiter_new(void);
/// Closes the descriptors of an engine that was freed. `errand_wake` must not be called after that.
void errand_waiter_close(errand_waiter waiter);

/// A descriptor that is ready, and its readiness (`CURL_CSELECT_…`).
typedef struct {
    int descriptor;
    int readiness;
} errand_event;
/// The timeout of an unlimited wait, as for `epoll_wait`.
enum { ERRAND_NO_TIMEOUT = -1 };
/// Waits for events. Returns their number, which is 0 after a timeout or a wake-up.
int errand_wait(errand_waiter waiter, int milliseconds, errand_event *events, int capacity);
/// Ends the present wait, or the next one.
void errand_wake(errand_waiter waiter);

/// Lets libcurl process the readiness of a descriptor.
void errand_engine_act(errand_engine *engine, errand_event event);
/// Lets libcurl process its timer. Returns false if the timer is not due.
bool errand_engine_tick(errand_engine *engine, int64_t now);
/// The time in milliseconds at which the timer is due, or `INT64_MAX`.
int64_t errand_engine_due(const errand_engine *engine);
/// The time of the monotonic clock in milliseconds.
int64_t errand_milliseconds(void);

/// Starts a transfer. Returns false if libcurl rejects it.
bool errand_engine_add(errand_engine *engine, errand_transfer *transfer);
/// Removes a transfer, and cancels it if it has not ended.
void errand_engine_remove(errand_engine *engine, errand_transfer *transfer);
/// Lets libcurl read again from the connection that an ended transfer used. If the connection is shared and has ended,
/// libcurl before 8.1 notifies only one of its transfers, and no event follows while the peer keeps the TCP connection
/// open.
void errand_engine_read_again(errand_engine *engine, const errand_transfer *ended);
/// Returns the owner of the next transfer that has ended, and its `ERRAND_CURLE_…` in `code`, or `NULL`.
void *errand_engine_next_ended(errand_engine *engine, int *code);

// MARK: one transfer, on a handle that is used again

/// The maximum size of the framing of a response over HTTP/1. `ERRAND_FRAMING_PER_BYTE` is allowed in addition for each
/// byte of the header section and body: a TLS record of one byte has 29 more, a chunk of one byte 6.
/// Framing is chunk extensions, chunk sizes, empty lines and TLS records. It is counted in windows of ten seconds. It
/// is not counted at the start of a response, for https if HTTP/2 is offered, or over a Unix-domain socket.
enum {
    ERRAND_FRAMING_LIMIT = 1 << 20,
    ERRAND_FRAMING_PER_BYTE = 64,
};

/// The result of the delivery of body bytes.
typedef enum {
    /// The bytes are rejected. The transfer ends.
    errand_body_refused,
    /// The bytes are accepted.
    errand_body_accepted,
    /// The transfer is paused. The bytes are delivered again when it is unpaused.
    errand_body_paused,
} errand_body_result;

/// The values that a read of the request body returns instead of a number of bytes. 0 is the end of the body.
enum {
    ERRAND_READ_FAILED = -1,
    /// No bytes are available yet. The transfer is paused.
    ERRAND_READ_LATER = -2,
};

/// The callbacks of a running transfer, called on the thread that drives the engine. `owner` is the owner of the
/// transfer.
typedef struct {
    /// Receives a line of a header section or trailer section. Returns false to end the transfer.
    bool (*head)(void *owner, const uint8_t *bytes, size_t count);
    /// Receives bytes of the body.
    errand_body_result (*body)(void *owner, const uint8_t *bytes, size_t count);
    /// Copies bytes of the request body. Returns their number, 0 at the end, or `ERRAND_READ_…`.
    int64_t (*read)(void *owner, uint8_t *bytes, size_t capacity);
    /// Returns to the first byte of the request body. Returns false if that is impossible.
    bool (*rewind)(void *owner);
    /// Called when the framing of the response exceeds its limit. The transfer ends.
    void (*excess)(void *owner);
} errand_callbacks;

/// The settings of all transfers of a session. `NULL` is the default of libcurl.
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

/// The size of a request body if it is unknown until the end.
enum { ERRAND_UNKNOWN_COUNT = -1 };

/// The contents of one request. Everything is copied.
typedef struct {
    /// The URL without a fragment and with a path, which is the request target in absolute form (RFC 9112, section
    /// 3.2.2).
    const char *url;
    /// The index of the first byte of the path, at which the request target in origin form starts (section 3.2.1).
    size_t target_start;
    const char *method;
    /// The header lines, each terminated by NUL, and their total number of bytes.
    const char *lines;
    size_t line_bytes;
    /// Whether the `read` callback provides a body, and its number of bytes or `ERRAND_UNKNOWN_COUNT`.
    bool has_body;
    int64_t body_count;
    /// Whether bytes of the body may become available after the header section was sent.
    bool has_late_body;
    /// Whether the request may be retried if its connection closes without a response.
    bool may_retry;
    bool fresh_connection;
    /// Whether the body of the response is delivered as it arrives. It is often large.
    bool is_streamed;
    /// Whether the host of the URL is a loopback address. Such a request does not use the proxies of the environment.
    bool is_loopback;
} errand_request;

/// The measurements of a transfer.
typedef struct {
    /// The times since the start in microseconds.
    int64_t name_resolved;
    int64_t connected;
    int64_t secured;
    int64_t first_byte;
    int64_t total;
    /// The numbers of body bytes.
    int64_t sent;
    int64_t received;
    /// `ERRAND_CURL_HTTP_VERSION_…`, or 0 if there is no response.
    long version;
    long new_connections;
    /// The status of the proxy's response to CONNECT. 0 if there is none.
    long tunnel_status;
    /// The `ERRAND_X509_V_…` of the proxy's certificate, or of the server's if the former is valid.
    long verify_result;
    char address[64];
} errand_report;

/// Creates a transfer. Returns `NULL` if memory is exhausted or libcurl rejects an option. `refused` then contains its
/// name.
errand_transfer *errand_transfer_new(
    const errand_settings *settings, const errand_callbacks *callbacks, const char **refused);
/// Frees a transfer after it was removed from its engine.
void errand_transfer_free(errand_transfer *transfer);
/// Prepares the handle for a request. Returns false if libcurl rejects a value.
bool errand_transfer_prepare(errand_transfer *transfer, const errand_request *request, void *owner);
/// Resumes a paused transfer in both directions. It may call a callback immediately.
void errand_transfer_unpause(errand_transfer *transfer);
/// Fills in the measurements of a transfer so far.
void errand_transfer_report(errand_transfer *transfer, errand_report *report);
/// Returns the message of libcurl for a failure, which may be empty.
const char *errand_transfer_message(const errand_transfer *transfer);
/// Whether sending of the request has begun on a connection.
bool errand_transfer_is_sent(const errand_transfer *transfer);
/// Returns the owner from the last call of `errand_transfer_prepare`.
void *errand_transfer_owner(const errand_transfer *transfer);

#endif

#include "connection.h"

#endif
