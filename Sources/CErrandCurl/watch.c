// The epoll set of an engine.

#include "engine.h"

#if defined(__linux__)

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

void errand_engine_stop_watching(errand_engine *engine, int descriptor, struct socket_entry *entry) {
    struct epoll_event ignored = { .data.fd = descriptor };
    epoll_ctl(engine->waiter.poll, EPOLL_CTL_DEL, descriptor, &ignored);
    entry->is_watched = false;
    entry->ignores_input = false;
}

void errand_engine_ignore_input(errand_engine *engine, int descriptor, struct socket_entry *entry) {
    uint32_t others = entry->events & ~(uint32_t)EPOLLIN;
    // A descriptor without events is removed, because epoll would still report its errors.
    if (!others) errand_engine_stop_watching(engine, descriptor, entry);
    struct epoll_event event = { .events = others, .data.fd = descriptor };
    if (others) epoll_ctl(engine->waiter.poll, EPOLL_CTL_MOD, descriptor, &event);
    entry->ignores_input = true;
}

void errand_engine_accept_input(errand_engine *engine, const errand_transfer *transfer, int descriptor) {
    struct socket_entry *entry = descriptor < 0 ? NULL : errand_sockets_find(&engine->sockets, descriptor);
    if (!entry || entry->transfer != transfer || !entry->ignores_input) return;
    struct epoll_event event = { .events = entry->events, .data.fd = descriptor };
    int operation = entry->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    entry->is_watched = epoll_ctl(engine->waiter.poll, operation, descriptor, &event) == 0;
    entry->ignores_input = false;
}

void errand_engine_set_descriptor(errand_engine *engine, errand_transfer *transfer, int descriptor) {
    int before = errand_transfer_set_descriptor(transfer, descriptor);
    struct socket_entry *entry = before < 0 ? NULL : errand_sockets_find(&engine->sockets, before);
    if (entry && entry->transfer == transfer) entry->transfer = NULL;
    entry = descriptor < 0 ? NULL : errand_sockets_find(&engine->sockets, descriptor);
    if (entry) entry->transfer = transfer;
}

// Whether a handle has received a response over HTTP/1.
static bool is_http1(curl_easy *easy) {
    long version = 0;
    curl.easy_getinfo(easy, INFO_HTTP_VERSION, &version);
    return version == ERRAND_CURL_HTTP_VERSION_1_0 || version == ERRAND_CURL_HTTP_VERSION_1_1;
}

// Parks a connection that libcurl no longer waits for. Returns whether it stays in the epoll set.
static bool park(
    errand_engine *engine, const errand_transfer *transfer, int descriptor, struct socket_entry *entry,
    uint64_t endpoints) {
    entry->endpoints = endpoints;
    // Before 7.87, sending the close_notify alert over a connection that is shut down raises a signal that ends the
    // process.
    entry->may_shut_down = errand_curl_writes_quietly() || (transfer && errand_transfer_is_plain(transfer));
    // A paused transfer may end without another callback.
    bool is_paused = transfer && errand_transfer_is_paused(transfer);
    errand_sockets_set_state(&engine->sockets, descriptor, entry, is_paused ? SOCKET_ASSIGNED : SOCKET_IDLE);
    // An idle connection stays in the epoll set, at no cost, until it is reused or closed. Bytes that arrive later are
    // detected before the next request, or by epoll.
    return !is_paused && (errand_curl_announces_requests() || !errand_socket_shut_down_if_stale(descriptor, entry));
}

static void release(
    errand_engine *engine, curl_easy *easy, const errand_transfer *transfer, int descriptor,
    struct socket_entry *entry) {
    entry->transfer = NULL;
    uint64_t endpoints = is_http1(easy) ? errand_endpoints_of(easy) : 0;
    if (endpoints && park(engine, transfer, descriptor, entry, endpoints)) return;
    errand_engine_stop_watching(engine, descriptor, entry);
}

// Waits for these events. Returns false if the system rejects the request.
static bool wait_for(
    errand_engine *engine, curl_easy *easy, int descriptor, const struct socket_entry *entry, uint32_t events) {
    // A parked socket has stayed in the epoll set if it belongs to the same connection. Until 8.1, libcurl closes the
    // second one of two connection attempts without a callback, and its descriptor may belong to another connection by
    // now.
    bool is_parked = entry->state != SOCKET_BUSY && entry->is_watched;
    if (is_parked && entry->events == events && entry->endpoints == errand_endpoints_of(easy)) return true;
    struct epoll_event event = { .events = events, .data.fd = descriptor };
    int operation = entry->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    int failed = epoll_ctl(engine->waiter.poll, operation, descriptor, &event);
    if (failed && errno == EEXIST) failed = epoll_ctl(engine->waiter.poll, EPOLL_CTL_MOD, descriptor, &event);
    if (failed && errno == ENOENT) failed = epoll_ctl(engine->waiter.poll, EPOLL_CTL_ADD, descriptor, &event);
    return !failed;
}

int errand_engine_watch(curl_easy *easy, int descriptor, int what, void *data, void *ignored) {
    (void)ignored;
    errand_engine *engine = data;
    errand_transfer *transfer = NULL;
    curl.easy_getinfo(easy, INFO_PRIVATE, &transfer);
    struct socket_entry *entry = errand_sockets_find(&engine->sockets, descriptor);
    if (!entry) return MULTI_CALLBACK_ERROR;
    if (what == POLL_REMOVE) {
        release(engine, easy, transfer, descriptor, entry);
        return MULTI_CALLBACK_OK;
    }
    uint32_t events = 0;
    if (what & POLL_IN) events |= EPOLLIN;
    if (what & POLL_OUT) events |= EPOLLOUT;
    bool is_watched = wait_for(engine, easy, descriptor, entry, events);
    errand_sockets_set_state(&engine->sockets, descriptor, entry, SOCKET_BUSY);
    *entry = (struct socket_entry){ .state = SOCKET_BUSY, .is_watched = is_watched, .events = events };
    // A connection over HTTP/2 is shared. One of its transfers may end while another one continues.
    if (transfer && errand_transfer_is_alone(transfer)) {
        errand_engine_set_descriptor(engine, transfer, descriptor);
        // libcurl may have read a response right after sending, without an event.
        if (errand_transfer_is_plain(transfer) && errand_transfer_has_response(transfer)) {
            errand_socket_acknowledge(descriptor);
        }
    }
    return is_watched ? MULTI_CALLBACK_OK : MULTI_CALLBACK_ERROR;
}

int errand_engine_close_socket(void *data, int descriptor) {
    errand_engine *engine = data;
    struct socket_entry *entry = errand_sockets_find(&engine->sockets, descriptor);
    if (entry) {
        errand_sockets_set_state(&engine->sockets, descriptor, entry, SOCKET_BUSY);
        *entry = (struct socket_entry){ .state = SOCKET_BUSY };
    }
    return close(descriptor);
}

#endif
