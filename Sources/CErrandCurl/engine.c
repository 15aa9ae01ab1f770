#include "places.h"

#if defined(__linux__)

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// As many bytes as hold most heads: to copy what follows them twice costs time.
enum { FIRST_LOOK = 4096 };

struct errand_engine {
    curl_multi *multi;
    errand_waiter waiter;
    int64_t due;
    struct places places;
    /// As many bytes as the library reads at a time.
    char seen[READ_SIZE];
};

static void stop_watching(errand_engine *engine, int descriptor, struct place *place) {
    struct epoll_event ignored = { .data.fd = descriptor };
    epoll_ctl(engine->waiter.poll, EPOLL_CTL_DEL, descriptor, &ignored);
    place->is_watched = false;
    place->ignores_input = false;
}

// Stops waiting for the input of a paused transfer. libcurl 8.5.0 continues to read it and keeps all of it in memory (curl issue
// 12632). Other versions until 8.20 may wait for input without reading it, so that each wait returns immediately (issue 21671).
static void ignore_input(errand_engine *engine, int descriptor, struct place *place) {
    uint32_t others = place->events & ~(uint32_t)EPOLLIN;
    // A descriptor without events is removed, because epoll would still report its errors.
    if (!others) stop_watching(engine, descriptor, place);
    struct epoll_event event = { .events = others, .data.fd = descriptor };
    if (others) epoll_ctl(engine->waiter.poll, EPOLL_CTL_MOD, descriptor, &event);
    place->ignores_input = true;
}

void errand_engine_accept_input(errand_engine *engine, const errand_transfer *transfer, int descriptor) {
    struct place *place = descriptor < 0 ? NULL : errand_place(&engine->places, descriptor);
    if (!place || place->transfer != transfer || !place->ignores_input) return;
    struct epoll_event event = { .events = place->events, .data.fd = descriptor };
    int operation = place->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    place->is_watched = epoll_ctl(engine->waiter.poll, operation, descriptor, &event) == 0;
    place->ignores_input = false;
}

// Shows a transfer the bytes of a head before the library reads them: where a few do not hold the whole of it, as many as
// the library reads at a time.
static void look(errand_engine *engine, int descriptor) {
    struct place *place = errand_place(&engine->places, descriptor);
    errand_transfer *transfer = place ? place->transfer : NULL;
    if (!transfer || !errand_transfer_wants_look(transfer)) return;
    const size_t sizes[] = { FIRST_LOOK, sizeof engine->seen };
    for (int index = 0; index < 2; index++) {
        ssize_t count = recv(descriptor, engine->seen, sizes[index], MSG_PEEK | MSG_DONTWAIT);
        if (count <= 0) return;
        bool is_all = (size_t)count < sizes[index] || index == 1;
        if (errand_transfer_look(transfer, engine->seen, (size_t)count, is_all)) return;
    }
}

// Tells the sender at once what has come of an answer without TLS: it may keep back the rest until it knows (Nagle's
// algorithm, RFC 9293, section 3.7.4), and the system would have it wait for 40 ms, as if something were about to be sent. It
// soon forgets that it was told.
static void acknowledge(int descriptor) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

// Notes where a transfer is; it is in no other place then. -1 for nowhere.
static void move(errand_engine *engine, errand_transfer *transfer, int descriptor) {
    int before = errand_transfer_is_at(transfer, descriptor);
    struct place *place = before < 0 ? NULL : errand_place(&engine->places, before);
    if (place && place->transfer == transfer) place->transfer = NULL;
    place = descriptor < 0 ? NULL : errand_place(&engine->places, descriptor);
    if (place) place->transfer = transfer;
}

static uint64_t ends_of(curl_easy *easy) {
    const char *address = NULL;
    long port = 0, local_port = 0;
    curl.easy_getinfo(easy, INFO_PRIMARY_IP, &address);
    curl.easy_getinfo(easy, INFO_PRIMARY_PORT, &port);
    curl.easy_getinfo(easy, INFO_LOCAL_PORT, &local_port);
    return errand_ends(address, port, local_port);
}

// Whether a handle has received a response over HTTP/1.
static bool is_http1(curl_easy *easy) {
    long version = 0;
    curl.easy_getinfo(easy, INFO_HTTP_VERSION, &version);
    return version == 1 || version == 2;
}

// The library is about to send a request: the last moment at which bytes on an idle connection are known to be unasked for.
// Over a connection that is spoilt here it can't send, and takes another.
static int check_before_request(void *data, char *address, char *local, int port, int local_port) {
    (void)local;
    errand_engine *engine = errand_transfer_begins(data);
    if (!engine) return PREREQ_ABORT;
    errand_places_pass_on(&engine->places, errand_ends(address, port, local_port), TAKEN);
    return PREREQ_OK;
}

static int close_descriptor(void *data, int descriptor) {
    errand_engine *engine = data;
    struct place *place = errand_place(&engine->places, descriptor);
    if (place) {
        errand_place_set(&engine->places, descriptor, place, BUSY);
        *place = (struct place){ .state = BUSY };
    }
    return close(descriptor);
}

int64_t errand_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// The library says which descriptors it waits for.
static int watch(curl_easy *easy, int descriptor, int what, void *data, void *known) {
    (void)known;
    errand_engine *engine = data;
    errand_transfer *transfer = NULL;
    curl.easy_getinfo(easy, INFO_PRIVATE, &transfer);
    struct place *place = errand_place(&engine->places, descriptor);
    if (!place) return -1;
    if (what == POLL_REMOVE) {
        place->transfer = NULL;
        uint64_t ends = is_http1(easy) ? ends_of(easy) : 0;
        if (ends) {
            place->ends = ends;
            // Before 7.87 the library says goodbye over TLS in a way that ends the program where it can't be said any more.
            place->may_spoil = errand_curl_writes_quietly() || (transfer && errand_transfer_is_plain(transfer));
            // A paused transfer may end without another call of this function.
            bool is_paused = transfer && errand_transfer_is_paused(transfer);
            errand_place_set(&engine->places, descriptor, place, is_paused ? TAKEN : IDLE);
            // An idle connection stays in the epoll set, at no cost, until it is reused or closed. Bytes that arrive later are
            // detected before the next request, or by epoll.
            if (!is_paused && (errand_curl_announces_requests() || !errand_place_spoil(descriptor, place))) return 0;
        }
        stop_watching(engine, descriptor, place);
        return 0;
    }
    struct epoll_event event = { .data.fd = descriptor };
    if (what & POLL_IN) event.events |= EPOLLIN;
    if (what & POLL_OUT) event.events |= EPOLLOUT;
    // What was idle has stayed in the set, if it is the same connection: until 8.1 the library closes one unheard that came
    // second where two were tried, and its number may be another's by now.
    bool is_there = place->state != BUSY && place->is_watched && place->events == event.events
        && place->ends == ends_of(easy);
    int failed = is_there
        ? 0 : epoll_ctl(engine->waiter.poll, place->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
    if (failed && errno == EEXIST) failed = epoll_ctl(engine->waiter.poll, EPOLL_CTL_MOD, descriptor, &event);
    if (failed && errno == ENOENT) failed = epoll_ctl(engine->waiter.poll, EPOLL_CTL_ADD, descriptor, &event);
    errand_place_set(&engine->places, descriptor, place, BUSY);
    *place = (struct place){ .state = BUSY, .is_watched = !failed, .events = event.events };
    // A connection of HTTP/2 is shared: one of its transfers may be gone while another is still there.
    if (transfer && errand_transfer_is_alone(transfer)) {
        move(engine, transfer, descriptor);
        // The library may have read as soon as it had sent, where no event was waited for.
        if (errand_transfer_is_plain(transfer) && errand_transfer_has_answer(transfer)) acknowledge(descriptor);
    }
    return failed ? -1 : 0;
}

// The library says when it wants to act on the time.
static int set_timer(curl_multi *multi, long milliseconds, void *data) {
    (void)multi;
    errand_engine *engine = data;
    engine->due = milliseconds < 0 ? INT64_MAX : milliseconds == 0 ? 0 : errand_milliseconds() + milliseconds;
    return 0;
}

errand_engine *errand_engine_new(long most_idle_connections, long most_to_host) {
    errand_engine *engine = calloc(1, sizeof *engine);
    if (!engine) return NULL;
    engine->due = INT64_MAX;
    engine->waiter.poll = epoll_create1(EPOLL_CLOEXEC);
    engine->waiter.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    engine->multi = curl.multi_init();
    struct epoll_event event = { .events = EPOLLIN, .data.fd = engine->waiter.wake };
    if (engine->waiter.poll < 0 || engine->waiter.wake < 0 || !engine->multi
        || epoll_ctl(engine->waiter.poll, EPOLL_CTL_ADD, engine->waiter.wake, &event) != 0) {
        errand_waiter_close(engine->waiter);
        errand_engine_free(engine);
        return NULL;
    }
    curl.multi_setopt(engine->multi, MOPT_SOCKETFUNCTION, watch);
    curl.multi_setopt(engine->multi, MOPT_SOCKETDATA, engine);
    curl.multi_setopt(engine->multi, MOPT_TIMERFUNCTION, set_timer);
    curl.multi_setopt(engine->multi, MOPT_TIMERDATA, engine);
    curl.multi_setopt(engine->multi, MOPT_MAXCONNECTS, most_idle_connections);
    curl.multi_setopt(engine->multi, MOPT_MAX_HOST_CONNECTIONS, most_to_host);
    return engine;
}

void errand_engine_free(errand_engine *engine) {
    if (engine->multi) curl.multi_cleanup(engine->multi);
    errand_places_free(&engine->places);
    free(engine);
}

errand_waiter errand_engine_waiter(const errand_engine *engine) { return engine->waiter; }

void errand_engine_act(errand_engine *engine, errand_event event) {
    struct place *place = errand_place(&engine->places, event.descriptor);
    if (place && place->state != BUSY) {
        if (place->state == IDLE) errand_place_spoil(event.descriptor, place);
        stop_watching(engine, event.descriptor, place);
        return;
    }
    if (event.readiness & SELECT_IN && place && place->transfer && errand_transfer_awaits_reader(place->transfer)) {
        ignore_input(engine, event.descriptor, place);
        if (!(event.readiness & SELECT_OUT)) return;
        event.readiness &= ~SELECT_IN;
    }
    if (event.readiness & SELECT_IN) look(engine, event.descriptor);
    const errand_transfer *waiting = place ? place->transfer : NULL;
    int running;
    curl.multi_socket_action(engine->multi, event.descriptor, event.readiness, &running);
    place = errand_place(&engine->places, event.descriptor);
    bool waits_on = waiting && place && place->transfer == waiting && errand_transfer_is_plain(waiting);
    if (waits_on && event.readiness & SELECT_IN) acknowledge(event.descriptor);
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
    // Not known before 7.80, where what comes between two requests is seen only if it is there when the first one ends.
    curl.easy_setopt(easy, OPT_PREREQFUNCTION, check_before_request);
    curl.easy_setopt(easy, OPT_PREREQDATA, transfer);
    errand_transfer_joins(transfer, engine);
    curl.easy_setopt(easy, OPT_CLOSESOCKETFUNCTION, close_descriptor);
    curl.easy_setopt(easy, OPT_CLOSESOCKETDATA, engine);
    return curl.multi_add_handle(engine->multi, easy) == 0;
}

void errand_engine_remove(errand_engine *engine, errand_transfer *transfer) {
    curl.multi_remove_handle(engine->multi, errand_transfer_handle(transfer));
    move(engine, transfer, -1);
}

static long local_port(int descriptor) {
    struct sockaddr_in6 address = { 0 };
    socklen_t size = sizeof address;
    // Both families have the port at the same offset.
    return getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin6_port) : -1;
}

void errand_engine_read_again(errand_engine *engine, const errand_transfer *ended) {
    long port = 0;
    curl.easy_getinfo(errand_transfer_handle(ended), INFO_LOCAL_PORT, &port);
    if (port <= 0) return;
    for (int descriptor = 0; descriptor < engine->places.capacity; descriptor++) {
        const struct place *place = &engine->places.all[descriptor];
        if (place->state != BUSY || !place->is_watched || place->ignores_input || local_port(descriptor) != port) continue;
        // Connections to different servers may share a local port. To read without need does no harm.
        int running;
        curl.multi_socket_action(engine->multi, descriptor, SELECT_IN, &running);
    }
}

void *errand_engine_next_ended(errand_engine *engine, int *code) {
    int left;
    struct curl_message *message;
    while ((message = curl.multi_info_read(engine->multi, &left))) {
        if (message->kind != MESSAGE_DONE) continue;
        void *transfer = NULL;
        *code = message->data.result;
        // The transfer may have ended without a call of `watch`.
        errand_places_pass_on(&engine->places, ends_of(message->easy), IDLE);
        curl.easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
        if (!transfer) continue;
        // The code that libcurl gives this failure depends on its version.
        if (*code != 0 && errand_transfer_is_lost(transfer)) *code = SEND_FAIL_REWIND;
        return errand_transfer_owner(transfer);
    }
    return NULL;
}

#endif
