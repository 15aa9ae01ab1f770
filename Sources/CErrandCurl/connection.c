// A connection for the bytes of any protocol (CURLOPT_CONNECT_ONLY).

#include "options.h"

#if defined(__linux__)

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// multi.h: `CURL_WAIT_POLLIN`.
enum { WAIT_READABLE = 1 };
/// The maximum time of a wait.
enum { WAIT_MILLISECONDS = 10000 };
/// The maximum size of a read in old versions of libcurl, in bytes.
static const long read_size = 65536;

struct errand_connection {
    curl_easy *easy;
    curl_multi *multi;
    int wake;
    int descriptor;
    char message[ERROR_SIZE];
};

static bool set_up(
    errand_connection *connection, const char *url, const errand_settings *settings, const char **refused) {
    curl_easy *easy = connection->easy;
    SET(OPT_NOSIGNAL, 1L);
    SET(OPT_ERRORBUFFER, connection->message);
    SET(OPT_URL, url);
    SET(OPT_PROTOCOLS, (long)(PROTO_HTTP | PROTO_HTTPS));
    SET(OPT_CONNECT_ONLY, 1L);
    SET(OPT_BUFFERSIZE, read_size);
    // A proxy of the environment must not receive passwords.
    SET(OPT_PROXY, "");
    // The protocol is not HTTP.
    SET(OPT_SSL_ENABLE_ALPN, 0L);
    SET(OPT_TCP_KEEPALIVE, 1L);
    SET(OPT_CONNECTTIMEOUT_MS, settings->connect_milliseconds);
    SET(OPT_OPENSOCKETFUNCTION, errand_open_socket);
    // Prevents a name lookup from delaying the end. Unsupported before 7.87, so an error is ignored.
    curl.easy_setopt(easy, OPT_QUICK_EXIT, 1L);
    if (settings->unix_socket) SET(OPT_UNIX_SOCKET_PATH, settings->unix_socket);
    return errand_tls_set_up(easy, settings, refused);
}

errand_connection *errand_connection_new(
    const char *url, const errand_settings *settings, errand_waiter waiter, const char **refused) {
    *refused = NULL;
    errand_connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->descriptor = ERRAND_NO_DESCRIPTOR;
    connection->wake = waiter.wake;
    connection->easy = curl.easy_init();
    connection->multi = curl.multi_init();
    if (connection->easy && connection->multi && set_up(connection, url, settings, refused)
        && curl.multi_add_handle(connection->multi, connection->easy) == M_OK) {
        return connection;
    }
    errand_connection_free(connection);
    return NULL;
}

void errand_connection_free(errand_connection *connection) {
    // The handle may not be in the multi handle. libcurl then does nothing.
    if (connection->multi && connection->easy) curl.multi_remove_handle(connection->multi, connection->easy);
    if (connection->easy) curl.easy_cleanup(connection->easy);
    if (connection->multi) curl.multi_cleanup(connection->multi);
    free(connection);
}

errand_connection_state errand_connection_step(errand_connection *connection, int *code) {
    int count = 0;
    curl.multi_perform(connection->multi, &count);
    struct curl_message *message;
    while ((message = curl.multi_info_read(connection->multi, &count))) {
        if (message->kind != MSG_DONE) continue;
        *code = message->data.result;
        if (*code != ERRAND_CURLE_OK) return errand_connection_failed;
        int descriptor = ERRAND_NO_DESCRIPTOR;
        curl.easy_getinfo(connection->easy, INFO_ACTIVESOCKET, &descriptor);
        connection->descriptor = descriptor;
        *code = ERRAND_CURLE_GOT_NOTHING;
        return descriptor >= 0 ? errand_connection_open : errand_connection_failed;
    }
    return errand_connection_opening;
}

static void reset(int wake) {
    eventfd_t ignored;
    eventfd_read(wake, &ignored);
}

void errand_connection_wait_to_step(errand_connection *connection, int milliseconds) {
    struct curl_waitfd wake = { .descriptor = connection->wake, .events = WAIT_READABLE };
    int count = 0;
    curl.multi_poll(connection->multi, &wake, 1, milliseconds, &count);
    if (wake.ready) reset(connection->wake);
}

int64_t errand_connection_send(errand_connection *connection, const uint8_t *bytes, size_t count) {
    size_t sent = 0;
    int code = curl.easy_send(connection->easy, bytes, count, &sent);
    if (code == ERRAND_CURLE_OK) return (int64_t)sent;
    return code == ERRAND_CURLE_AGAIN ? 0 : -code;
}

int errand_connection_descriptor(const errand_connection *connection) { return connection->descriptor; }

size_t errand_send_now(int descriptor, const uint8_t *bytes, size_t count) {
    ssize_t sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? (size_t)sent : 0;
}

int64_t errand_connection_receive(errand_connection *connection, uint8_t *bytes, size_t count) {
    size_t received = 0;
    int code = curl.easy_recv(connection->easy, bytes, count, &received);
    if (code == ERRAND_CURLE_AGAIN) return 0;
    if (code != ERRAND_CURLE_OK) return -code;
    return received > 0 ? (int64_t)received : ERRAND_CONNECTION_ENDED;
}

bool errand_connection_wait(const errand_connection *connection, bool has_more_to_send) {
    struct pollfd descriptors[] = {
        { .fd = connection->descriptor, .events = (short)(POLLIN | (has_more_to_send ? POLLOUT : 0)) },
        { .fd = connection->wake, .events = POLLIN },
    };
    // TLS may have to write although there is nothing to send, so the wait is limited.
    poll(descriptors, sizeof descriptors / sizeof *descriptors, WAIT_MILLISECONDS);
    if (descriptors[1].revents) reset(connection->wake);
    // POLLOUT is set only if there is more to send.
    return (descriptors[0].revents & ~POLLOUT) != 0;
}

const char *errand_connection_message(const errand_connection *connection) { return connection->message; }

long errand_connection_verify_result(const errand_connection *connection) {
    long result = ERRAND_X509_V_OK;
    curl.easy_getinfo(connection->easy, INFO_SSL_VERIFYRESULT, &result);
    return result;
}

#endif
