// The options and callbacks of a handle that are the same for each request.

#include "options.h"
#include "transfer_state.h"

#if defined(__linux__)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t take_head(char *bytes, size_t size, size_t count, void *data) {
    errand_transfer *transfer = data;
    transfer->has_response = true;
    transfer->tally.delivered += (int64_t)(size * count);
    errand_head_follow(&transfer->head, bytes, size * count);
    return transfer->callbacks.head(transfer->owner, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
    errand_transfer *transfer = data;
    switch (transfer->callbacks.body(transfer->owner, (const uint8_t *)bytes, size * count)) {
    case errand_body_accepted: transfer->tally.delivered += (int64_t)(size * count); return size * count;
    case errand_body_paused: transfer->is_paused = transfer->awaits_reader = true; return WRITEFUNC_PAUSE;
    // Any other number than that of the bytes signals a failure.
    case errand_body_refused: break;
    }
    return size * count + 1;
}

static size_t give_body(char *bytes, size_t size, size_t count, void *data) {
    errand_transfer *transfer = data;
    int64_t given = transfer->callbacks.read(transfer->owner, (uint8_t *)bytes, size * count);
    if (given == ERRAND_READ_LATER) transfer->is_paused = true;
    return given == ERRAND_READ_LATER ? READFUNC_PAUSE : given < 0 ? READFUNC_ABORT : (size_t)given;
}

static int rewind_body(void *data, int64_t offset, int origin) {
    errand_transfer *transfer = data;
    transfer->sending.is_lost = offset != 0 || origin != SEEK_SET || !transfer->callbacks.rewind(transfer->owner);
    return transfer->sending.is_lost ? SEEKFUNC_FAIL : SEEKFUNC_OK;
}

// The first bytes of a new connection may be those of a proxy, also if libcurl retries the request.
static int change_connection(void *data, int descriptor, int purpose) {
    (void)descriptor, (void)purpose;
    errand_transfer *transfer = data;
    transfer->head = errand_head_new(transfer->head.is_open);
    transfer->has_response = false;
    return errand_sending_change_connection(&transfer->sending, transfer->easy) ? SOCKOPT_OK : SOCKOPT_ERROR;
}

// Called each time libcurl has processed the transfer.
static int check_framing(void *data, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent) {
    (void)to_receive, (void)received, (void)to_send, (void)sent;
    errand_transfer *transfer = data;
    if (!errand_tally_count_turn(&transfer->tally, transfer->descriptor)) return XFERINFO_OK;
    transfer->callbacks.excess(transfer->owner);
    return XFERINFO_ABORT;
}

// Sets the options for the behavior of the handle.
static bool set_behavior(errand_transfer *transfer, const errand_settings *settings, const char **refused) {
    curl_easy *easy = transfer->easy;
    transfer->version = settings->http1_only || !errand_curl_has_http2() ? ERRAND_CURL_HTTP_VERSION_1_1
                                                                         : ERRAND_CURL_HTTP_VERSION_2TLS;
    SET(OPT_NOSIGNAL, 1L);
    SET(OPT_PROTOCOLS, (long)(PROTO_HTTP | PROTO_HTTPS));
    SET(OPT_HTTP09_ALLOWED, 0L);
    SET(OPT_PIPEWAIT, 1L);
    SET(OPT_PATH_AS_IS, 1L);
    SET(OPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(OPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(OPT_HTTP_CONTENT_DECODING, 0L);
    SET(OPT_CONNECTTIMEOUT_MS, settings->connect_milliseconds);
    // Prevents a name lookup from delaying a cancellation. Unsupported before 7.87, so an error is ignored.
    curl.easy_setopt(easy, OPT_QUICK_EXIT, 1L);
    return true;
}

static bool set_callbacks(errand_transfer *transfer, const char **refused) {
    curl_easy *easy = transfer->easy;
    SET(OPT_PRIVATE, transfer);
    SET(OPT_ERRORBUFFER, transfer->message);
    SET(OPT_NOPROGRESS, 0L);
    SET(OPT_XFERINFOFUNCTION, check_framing);
    SET(OPT_XFERINFODATA, transfer);
    SET(OPT_HEADERFUNCTION, take_head);
    SET(OPT_HEADERDATA, transfer);
    SET(OPT_WRITEFUNCTION, take_body);
    SET(OPT_WRITEDATA, transfer);
    SET(OPT_READFUNCTION, give_body);
    SET(OPT_READDATA, transfer);
    SET(OPT_SEEKFUNCTION, rewind_body);
    SET(OPT_SEEKDATA, transfer);
    SET(OPT_OPENSOCKETFUNCTION, errand_open_socket);
    SET(OPT_SOCKOPTFUNCTION, change_connection);
    SET(OPT_SOCKOPTDATA, transfer);
    return true;
}

// Sets the destination of connections: a proxy, a Unix-domain socket, or another host and port.
static bool set_connections(errand_transfer *transfer, const errand_settings *settings, const char **refused) {
    curl_easy *easy = transfer->easy;
    transfer->may_have_tls_proxy = settings->may_have_tls_proxy;
    if (!errand_route_init(&transfer->route, settings)) return false;
    if (settings->proxy) SET(OPT_PROXY, settings->proxy);
    if (settings->no_proxy) SET(OPT_NOPROXY, settings->no_proxy);
    if (settings->unix_socket) {
        SET(OPT_UNIX_SOCKET_PATH, settings->unix_socket);
        // These connections have no ports, so a reused one cannot be identified. A new one costs very little.
        SET(OPT_FORBID_REUSE, 1L);
    }
    if (settings->connect_to_count == 0) return true;
    transfer->connect_to = calloc(settings->connect_to_count, sizeof *transfer->connect_to);
    if (!transfer->connect_to) return false;
    for (size_t index = 0; index < settings->connect_to_count; index++) {
        transfer->connect_to[index].data = strdup(settings->connect_to[index]);
        if (index > 0) transfer->connect_to[index - 1].next = &transfer->connect_to[index];
    }
    SET(OPT_CONNECT_TO, transfer->connect_to);
    return true;
}

bool errand_transfer_set_up(errand_transfer *transfer, const errand_settings *settings, const char **refused) {
    return set_behavior(transfer, settings, refused) && set_callbacks(transfer, refused)
        && set_connections(transfer, settings, refused) && errand_tls_set_up(transfer->easy, settings, refused);
}

#endif
