// Limits the bytes of a response that belong neither to its header section nor to its body, such as chunk extensions.
// libcurl itself decodes chunks and checks their framing. CurlFailure.swift maps its errors.

#include "transfer.h"

#if defined(__linux__)

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/// The number of progress callbacks between two counts of the framing. Most responses have fewer callbacks, so counting
/// costs them no system call.
enum { TURNS_PER_COUNT = 16 };
/// The value for an unknown number of bytes.
enum { UNKNOWN_BYTES = -1 };
/// linux/tcp.h: the offset of `tcpi_bytes_received` in `struct tcp_info`, since Linux 4.1.
enum { TCP_INFO_RECEIVED_OFFSET = 128 };
/// The length of a time window, after which counting begins again.
enum { WINDOW_MILLISECONDS = 10000 };

// Returns the number of bytes that were received over a connection and read, or `UNKNOWN_BYTES`, as for a Unix-domain
// socket.
static int64_t received_bytes(int descriptor) {
    // The structure in glibc ends before this member.
    struct {
        char others[TCP_INFO_RECEIVED_OFFSET];
        uint64_t received;
    } info = { { 0 }, 0 };
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < sizeof info) return UNKNOWN_BYTES;
    int unread = 0;
    return ioctl(descriptor, FIONREAD, &unread) == 0 ? (int64_t)info.received - unread : UNKNOWN_BYTES;
}

bool errand_tally_count_turn(struct errand_tally *tally, int descriptor) {
    if (descriptor == ERRAND_NO_DESCRIPTOR || ++tally->turns % TURNS_PER_COUNT != 0) return false;
    int64_t received = received_bytes(descriptor);
    // Bytes can arrive between the two system calls, so the difference may be negative.
    if (received < 0) return false;
    // The idle timeout ends a slow excess. Without the window, padded TLS records of a quiet stream would add up over
    // days.
    int64_t now = errand_milliseconds();
    if (!tally->has_start || now - tally->start > WINDOW_MILLISECONDS) {
        tally->has_start = true;
        tally->start = now;
        tally->start_received = received;
        tally->start_delivered = tally->delivered;
        return false;
    }
    int64_t delivered = tally->delivered - tally->start_delivered;
    return received - tally->start_received - delivered > ERRAND_FRAMING_LIMIT + ERRAND_FRAMING_PER_BYTE * delivered;
}

#endif
