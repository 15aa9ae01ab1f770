// An engine runs the requests of a session in one thread: a multi handle of libcurl with an epoll set.

#include "engine.h"

#if defined(__linux__)

#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// The number of bytes that contain most header sections. A larger number would copy a part of the body twice.
enum { FIRST_LOOK = 4096 };
/// If they are not enough, a second look inspects the bytes of one read of libcurl.
enum { LOOKS = 2 };

// Shows a transfer the bytes of a header section before libcurl reads them.
static void look(errand_engine *engine, int descriptor) {
    struct socket_entry *entry = errand_sockets_find(&engine->sockets, descriptor);
    errand_transfer *transfer = entry ? entry->transfer : NULL;
    if (!transfer || !errand_transfer_wants_look(transfer)) return;
    const size_t sizes[LOOKS] = { FIRST_LOOK, sizeof engine->seen };
    for (int index = 0; index < LOOKS; index++) {
        ssize_t count = recv(descriptor, engine->seen, sizes[index], MSG_PEEK | MSG_DONTWAIT);
        if (count <= 0) return;
        bool is_all = (size_t)count < sizes[index] || index == LOOKS - 1;
        if (errand_transfer_look(transfer, engine->seen, (size_t)count, is_all)) return;
    }
}

// `CURLOPT_PREREQFUNCTION`: called before libcurl sends a request. Until now, bytes on an idle connection belong to no
// response. libcurl cannot send over a connection that is shut down here, and uses another one.
static int check_before_request(void *data, char *address, char *local, int port, int local_port) {
    (void)local;
    errand_engine *engine = errand_transfer_begin_sending(data);
    if (!engine) return PREREQFUNC_ABORT;
    errand_sockets_set_parked_state(
        &engine->sockets, errand_endpoints_digest(address, port, local_port), SOCKET_ASSIGNED);
    return PREREQFUNC_OK;
}

int64_t errand_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// `CURLMOPT_TIMERFUNCTION`: libcurl sets its timer.
static int set_timer(curl_multi *multi, long milliseconds, void *data) {
    (void)multi;
    errand_engine *engine = data;
    engine->due = milliseconds < 0 ? INT64_MAX : milliseconds == 0 ? 0 : errand_milliseconds() + milliseconds;
    return MULTI_CALLBACK_OK;
}

errand_engine *errand_engine_new(long idle_limit, long host_limit, long stream_limit) {
    errand_engine *engine = calloc(1, sizeof *engine);
    if (!engine) return NULL;
    engine->due = INT64_MAX;
    engine->waiter.poll = epoll_create1(EPOLL_CLOEXEC);
    engine->waiter.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    engine->multi = curl.multi_init();
    engine->sessions = curl.share_init();
    struct epoll_event event = { .events = EPOLLIN, .data.fd = engine->waiter.wake };
    if (engine->waiter.poll < 0 || engine->waiter.wake < 0 || !engine->multi || !engine->sessions
        || epoll_ctl(engine->waiter.poll, EPOLL_CTL_ADD, engine->waiter.wake, &event) != 0) {
        errand_waiter_close(engine->waiter);
        errand_engine_free(engine);
        return NULL;
    }
    // If this fails, new connections cannot resume a TLS session.
    curl.share_setopt(engine->sessions, SHOPT_SHARE, LOCK_DATA_SSL_SESSION);
    curl.multi_setopt(engine->multi, MOPT_SOCKETFUNCTION, errand_engine_watch);
    curl.multi_setopt(engine->multi, MOPT_SOCKETDATA, engine);
    curl.multi_setopt(engine->multi, MOPT_TIMERFUNCTION, set_timer);
    curl.multi_setopt(engine->multi, MOPT_TIMERDATA, engine);
    curl.multi_setopt(engine->multi, MOPT_MAXCONNECTS, idle_limit);
    curl.multi_setopt(engine->multi, MOPT_MAX_HOST_CONNECTIONS, host_limit);
    curl.multi_setopt(engine->multi, MOPT_MAX_CONCURRENT_STREAMS, stream_limit);
    return engine;
}

void errand_engine_free(errand_engine *engine) {
    if (engine->multi) curl.multi_cleanup(engine->multi);
    // The handles refer to the sessions, so they must be freed first.
    if (engine->sessions) curl.share_cleanup(engine->sessions);
    errand_sockets_free(&engine->sockets);
    free(engine);
}

errand_waiter errand_engine_waiter(const errand_engine *engine) { return engine->waiter; }

void errand_engine_act(errand_engine *engine, errand_event event) {
    struct socket_entry *entry = errand_sockets_find(&engine->sockets, event.descriptor);
    if (entry && entry->state != SOCKET_BUSY) {
        if (entry->state == SOCKET_IDLE) errand_socket_shut_down_if_stale(event.descriptor, entry);
        errand_engine_stop_watching(engine, event.descriptor, entry);
        return;
    }
    if (event.readiness & CSELECT_IN && entry && entry->transfer && errand_transfer_awaits_reader(entry->transfer)) {
        errand_engine_ignore_input(engine, event.descriptor, entry);
        if (!(event.readiness & CSELECT_OUT)) return;
        event.readiness &= ~CSELECT_IN;
    }
    if (event.readiness & CSELECT_IN) look(engine, event.descriptor);
    const errand_transfer *waiting = entry ? entry->transfer : NULL;
    int running;
    curl.multi_socket_action(engine->multi, event.descriptor, event.readiness, &running);
    entry = errand_sockets_find(&engine->sockets, event.descriptor);
    bool waits_on = waiting && entry && entry->transfer == waiting && errand_transfer_is_plain(waiting);
    if (waits_on && event.readiness & CSELECT_IN) errand_socket_acknowledge(event.descriptor);
}

bool errand_engine_tick(errand_engine *engine, int64_t now) {
    if (engine->due > now) return false;
    engine->due = INT64_MAX;
    int running;
    curl.multi_socket_action(engine->multi, SOCKET_TIMEOUT, 0, &running);
    return true;
}

int64_t errand_engine_due(const errand_engine *engine) { return engine->due; }

bool errand_engine_add(errand_engine *engine, errand_transfer *transfer) {
    curl_easy *easy = errand_transfer_handle(transfer);
    // Unsupported before 7.80. Bytes between two requests are then detected only if they have arrived when the first
    // one ends.
    curl.easy_setopt(easy, OPT_PREREQFUNCTION, check_before_request);
    curl.easy_setopt(easy, OPT_PREREQDATA, transfer);
    errand_transfer_set_engine(transfer, engine);
    curl.easy_setopt(easy, OPT_SHARE, engine->sessions);
    curl.easy_setopt(easy, OPT_CLOSESOCKETFUNCTION, errand_engine_close_socket);
    curl.easy_setopt(easy, OPT_CLOSESOCKETDATA, engine);
    return curl.multi_add_handle(engine->multi, easy) == M_OK;
}

void errand_engine_remove(errand_engine *engine, errand_transfer *transfer) {
    curl.multi_remove_handle(engine->multi, errand_transfer_handle(transfer));
    errand_engine_set_descriptor(engine, transfer, ERRAND_NO_DESCRIPTOR);
}

void errand_engine_read_again(errand_engine *engine, const errand_transfer *ended) {
    long port = 0;
    curl.easy_getinfo(errand_transfer_handle(ended), INFO_LOCAL_PORT, &port);
    if (port <= 0) return;
    for (int descriptor = 0; descriptor < engine->sockets.capacity; descriptor++) {
        const struct socket_entry *entry = &engine->sockets.entries[descriptor];
        bool may_read = entry->state == SOCKET_BUSY && entry->is_watched && !entry->ignores_input;
        if (!may_read || errand_socket_local_port(descriptor) != port) continue;
        // Connections to different servers may share a local port. An unnecessary read is harmless.
        int running;
        curl.multi_socket_action(engine->multi, descriptor, CSELECT_IN, &running);
    }
}

void *errand_engine_next_ended(errand_engine *engine, int *code) {
    int left;
    struct curl_message *message;
    while ((message = curl.multi_info_read(engine->multi, &left))) {
        if (message->kind != MSG_DONE) continue;
        void *transfer = NULL;
        *code = message->data.result;
        // The transfer may have ended without a call of `errand_engine_watch`.
        errand_sockets_set_parked_state(&engine->sockets, errand_endpoints_of(message->easy), SOCKET_IDLE);
        curl.easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
        if (!transfer) continue;
        // The error code of this failure depends on the version of libcurl.
        if (*code != ERRAND_CURLE_OK && errand_transfer_is_lost(transfer)) *code = ERRAND_CURLE_SEND_FAIL_REWIND;
        return errand_transfer_owner(transfer);
    }
    return NULL;
}

#endif
