#include "library.h"

#if defined(__linux__)

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/// The number of turns of the library between two counts of the framing. Most responses take fewer turns, so that counting
/// costs them no system call.
enum { TURNS_PER_COUNT = 16 };
/// The bytes of framing for each byte of the response. A TLS record of one byte has 29 more, a chunk of one byte 6.
enum { FRAMING_PER_BYTE = 64 };
/// The time after which counting begins again.
enum { WINDOW_MILLISECONDS = 10000 };

// The bytes that have come over a connection and been read; -1 if that is unknown, as for a Unix-domain socket.
static int64_t received_bytes(int descriptor) {
    // The system's own structure has this member since Linux 4.1. That of glibc ends before it.
    struct {
        char others[128];
        uint64_t received;
    } info = { { 0 }, 0 };
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < sizeof info) return -1;
    int unread = 0;
    return ioctl(descriptor, FIONREAD, &unread) == 0 ? (int64_t)info.received - unread : -1;
}

bool errand_tally_has_excess(struct errand_tally *tally, int descriptor) {
    if (descriptor < 0 || ++tally->turns % TURNS_PER_COUNT != 0) return false;
    int64_t received = received_bytes(descriptor);
    if (received < 0) return false;
    // A slow excess ends by the idle timeout. Without this, padded TLS records of a quiet stream would add up for days.
    int64_t now = errand_milliseconds();
    if (!tally->has_start || now - tally->start > WINDOW_MILLISECONDS) {
        tally->has_start = true;
        tally->start = now;
        tally->start_received = received;
        tally->start_taken = tally->taken;
        return false;
    }
    int64_t taken = tally->taken - tally->start_taken;
    return received - tally->start_received - taken > ERRAND_FRAMING_LIMIT + FRAMING_PER_BYTE * taken;
}

#endif
