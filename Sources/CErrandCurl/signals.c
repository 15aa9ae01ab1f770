// Blocks SIGPIPE in a thread while it uses libcurl.

#include "CErrandCurl.h"

#if defined(__linux__)

#include <errno.h>
#include <signal.h>
#include <time.h>

static sigset_t pipe_signal(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return signals;
}

errand_signals errand_signals_hold(void) {
    sigset_t pending, before, held = pipe_signal();
    // A signal that is already pending was not raised by the library.
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    return (errand_signals){
        .is_held = true, .was_blocked = sigismember(&before, SIGPIPE) == 1, .was_pending = sigismember(&pending, SIGPIPE) == 1
    };
}

void errand_signals_release(errand_signals signals) {
    if (!signals.is_held) return;
    const sigset_t held = pipe_signal();
    const struct timespec now = { 0 };
    if (!signals.was_pending) while (sigtimedwait(&held, NULL, &now) < 0 && errno == EINTR) continue;
    if (!signals.was_blocked) pthread_sigmask(SIG_UNBLOCK, &held, NULL);
}

#endif
