// The epoll descriptor on which a thread waits for its engine.

#include "libcurl.h"

#if defined(__linux__)

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// The maximum number of events of one wait.
enum { EVENT_LIMIT = 64 };

void errand_waiter_close(errand_waiter waiter) {
    if (waiter.poll >= 0) close(waiter.poll);
    if (waiter.wake >= 0) close(waiter.wake);
}

errand_waiter errand_waiter_new(void) {
    return (errand_waiter){ .poll = -1, .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
}

int errand_wait(errand_waiter waiter, int milliseconds, errand_event *events, int capacity) {
    struct epoll_event ready[EVENT_LIMIT];
    int count = epoll_wait(waiter.poll, ready, capacity < EVENT_LIMIT ? capacity : EVENT_LIMIT, milliseconds);
    int kept = 0;
    for (int index = 0; index < count; index++) {
        if (ready[index].data.fd == waiter.wake) {
            eventfd_t ignored;
            eventfd_read(waiter.wake, &ignored);
            continue;
        }
        int readiness = 0;
        if (ready[index].events & EPOLLIN) readiness |= CSELECT_IN;
        if (ready[index].events & EPOLLOUT) readiness |= CSELECT_OUT;
        if (ready[index].events & (EPOLLERR | EPOLLHUP)) readiness |= CSELECT_ERR;
        events[kept++] = (errand_event){ .descriptor = ready[index].data.fd, .readiness = readiness };
    }
    return kept;
}

void errand_wake(errand_waiter waiter) { eventfd_write(waiter.wake, 1); }

#endif
