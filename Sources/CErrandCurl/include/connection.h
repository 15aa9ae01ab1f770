// A connection for the bytes of any protocol.

#ifndef CERRANDCURL_CONNECTION_H
#define CERRANDCURL_CONNECTION_H

#include "CErrandCurl.h"

#if defined(__linux__)

/// A connection that libcurl establishes, with TLS for an https URL. One thread uses it.
typedef struct errand_connection errand_connection;

/// The state of a connection that is being established.
typedef enum {
    errand_connection_opening,
    errand_connection_open,
    errand_connection_failed,
} errand_connection_state;

/// The result of receiving if the peer has ended the connection. It is not the negative of an `ERRAND_CURLE_…`.
enum { ERRAND_CONNECTION_ENDED = -100000 };

/// Creates a connection to the host and port of a URL. Returns `NULL` if memory is exhausted or libcurl rejects an option.
/// `refused` then contains its name.
errand_connection *errand_connection_new(
    const char *url, const errand_settings *settings, errand_waiter waiter, const char **refused);
/// Closes and frees a connection.
void errand_connection_free(errand_connection *connection);
/// Continues to establish a connection, without waiting. After a failure, `code` is the `ERRAND_CURLE_…`.
errand_connection_state errand_connection_step(errand_connection *connection, int *code);
/// Waits until the next step is possible, or until a wake-up.
void errand_connection_wait_to_step(errand_connection *connection, int milliseconds);
/// Sends bytes without waiting. Returns their number, or the negative of an `ERRAND_CURLE_…`. If it returns 0, call it again
/// with the same bytes at the same address.
int64_t errand_connection_send(errand_connection *connection, const uint8_t *bytes, size_t count);
/// Returns the socket of an open connection.
int errand_connection_descriptor(const errand_connection *connection);
/// Sends bytes to the socket of a connection without TLS, without waiting. Returns their number, also 0 after an error. The
/// connection has then failed, as the next `errand_connection_send` or `errand_connection_receive` reports. Any thread may call
/// it, but not while other bytes wait to be sent, and not during or after `errand_connection_free`.
size_t errand_send_now(int descriptor, const uint8_t *bytes, size_t count);
/// Receives bytes without waiting. Returns their number, 0 if none have arrived, the negative of an `ERRAND_CURLE_…`, or
/// `ERRAND_CONNECTION_ENDED`.
int64_t errand_connection_receive(errand_connection *connection, uint8_t *bytes, size_t count);
/// Waits until bytes arrive, until bytes can be sent if there are more to send, or until a wake-up. Returns whether bytes, the
/// end or an error have arrived.
bool errand_connection_wait(const errand_connection *connection, bool has_more_to_send);
/// Returns the message of libcurl for a failure, which may be empty.
const char *errand_connection_message(const errand_connection *connection);
/// Returns the `ERRAND_X509_V_…` of the server's certificate.
long errand_connection_verify_result(const errand_connection *connection);

#endif
#endif
