// Declarations that are shared by the files of a transfer and of an engine.

#ifndef ERRAND_TRANSFER_H
#define ERRAND_TRANSFER_H

#include "libcurl.h"

#if defined(__linux__)

/// The count of the bytes of a response.
struct errand_tally {
    int turns;
    /// The number of bytes that the callbacks have received.
    int64_t delivered;
    /// The bytes that the connection and the callbacks had received at the first count.
    bool has_start;
    int64_t start;
    int64_t start_received;
    int64_t start_delivered;
};

/// Counts a progress callback of libcurl. Returns true if the framing of the response exceeds its limit.
bool errand_tally_count_turn(struct errand_tally *tally, int descriptor);

/// The proxy of a transfer, and the form of its request target.
///
/// Signatures cover the bytes of the request target, but libcurl changes them. Every version drops an empty query if
/// the request goes to a proxy, and 8.8 and later always drop it. The newest versions also normalize percent-encoded
/// bytes. So this type sets the target explicitly, as the caller has written it. The form of the target depends on
/// whether a proxy forwards the request, but libcurl evaluates the proxy exceptions only later. So for http, the
/// exceptions are evaluated here.
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
/// Sets the target in absolute form if a proxy forwards the request (RFC 9112, section 3.2.2), otherwise in origin form
/// (section 3.2.1). Returns false if memory is exhausted.
bool errand_route_apply(
    struct errand_route *route, curl_easy *easy, const errand_request *request, bool is_plain,
    const struct curl_slist *connect_to);
/// Frees the exceptions.
void errand_route_free(struct errand_route *route);

/// The sending state of a request. libcurl retries a request if a reused connection closes without a response. It
/// treats a request as unsent if it has not read the body.
struct errand_sending {
    bool may_retry;
    /// Whether sending on the current connection has begun, and the number of bytes that were sent before that.
    bool has_begun;
    long count_before;
    /// Whether libcurl tried to send the request again, which is not allowed.
    bool is_lost;
};
/// Returns the state before the request is sent.
struct errand_sending errand_sending_new(const errand_request *request);
/// Records that another connection is used. Returns false if a part of the request was sent already and must not be
/// sent twice.
bool errand_sending_change_connection(struct errand_sending *sending, curl_easy *easy);
/// Whether the request needs a new connection, because a reused one may be closed and nothing would prevent libcurl
/// from sending the request twice.
bool errand_sending_needs_connection(const errand_request *request);

/// Returns the handle of libcurl.
curl_easy *errand_transfer_handle(const errand_transfer *transfer);
/// Whether the transfer is paused, in either direction.
bool errand_transfer_is_paused(const errand_transfer *transfer);
/// Whether the transfer is paused because the reader of its response body is slow.
bool errand_transfer_awaits_reader(const errand_transfer *transfer);
/// Whether the response is certainly received without TLS. Then the connection is not shared.
bool errand_transfer_is_plain(const errand_transfer *transfer);
/// Whether no other transfer uses its connection at the same time, as with HTTP/1.
bool errand_transfer_is_alone(const errand_transfer *transfer);
/// Whether the connection closed after a part of the request was sent, and libcurl must not send the request again.
bool errand_transfer_is_lost(const errand_transfer *transfer);
/// Whether a line of the response was read.
bool errand_transfer_has_response(const errand_transfer *transfer);
/// Records the descriptor of the connection. Returns the previous one, or `ERRAND_NO_DESCRIPTOR`.
int errand_transfer_set_descriptor(errand_transfer *transfer, int descriptor);
/// Records the engine that runs the transfer.
void errand_transfer_set_engine(errand_transfer *transfer, errand_engine *engine);
/// Records that the request is about to be sent, for the first time or again. Bytes that arrive from now on belong to
/// its response. Returns the engine, or `NULL` if the request must not be sent again.
errand_engine *errand_transfer_begin_sending(errand_transfer *transfer);
/// Waits again for input that was ignored while the transfer was paused.
void errand_engine_accept_input(errand_engine *engine, const errand_transfer *transfer, int descriptor);
/// Whether the transfer expects a header section, and must inspect its bytes before libcurl reads them.
bool errand_transfer_wants_look(const errand_transfer *transfer);
/// Shows the transfer the bytes that libcurl is about to read. Returns false if more of the available bytes are needed.
bool errand_transfer_look(errand_transfer *transfer, const char *bytes, size_t count, bool is_all);

#endif
#endif
