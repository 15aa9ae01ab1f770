// Delays the end of the process until no thread uses libcurl.

#include "libcurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/// The maximum time that the end of the process waits for threads that use the library. An iteration of an engine takes
/// far less.
enum { LONGEST_WAIT_MILLISECONDS = 1000 };
/// The time between two checks: 0.1 ms.
enum { CHECK_INTERVAL_NANOSECONDS = 100000 };

static atomic_int users;
static atomic_bool has_ended;
/// The number of uses by this thread. `exit` may be called within one of them.
static _Thread_local int own_uses;

bool errand_library_enter(void) {
    atomic_fetch_add(&users, 1);
    // Both sides write before they read, so at least one of them sees the write of the other.
    if (atomic_load(&has_ended)) {
        atomic_fetch_sub(&users, 1);
        return false;
    }
    own_uses++;
    return true;
}

void errand_library_leave(void) {
    own_uses--;
    atomic_fetch_sub(&users, 1);
}

bool errand_library_has_ended(void) { return atomic_load(&has_ended); }

static void wait_for_users(void) {
    atomic_store(&has_ended, true);
    const struct timespec pause = { .tv_nsec = CHECK_INTERVAL_NANOSECONDS };
    int64_t end = errand_milliseconds() + LONGEST_WAIT_MILLISECONDS;
    while (atomic_load(&users) > own_uses && errand_milliseconds() < end) nanosleep(&pause, NULL);
}

static void (*stop_thread)(void);

void errand_library_end_thread(void) {
    while (!errand_library_enter()) pause();
    if (stop_thread) stop_thread();
    errand_library_leave();
}

void errand_library_watch_exit(void *library) {
    // Other TLS libraries may not have this function.
    *(void **)&stop_thread = dlsym(library, "OPENSSL_thread_stop");
    atexit(wait_for_users);
}

#endif
