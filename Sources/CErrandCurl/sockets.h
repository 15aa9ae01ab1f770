// The sockets of an engine's connections.

#ifndef ERRAND_SOCKETS_H
#define ERRAND_SOCKETS_H

#include "transfer.h"

#if defined(__linux__)

enum socket_state {
    /// libcurl waits for the socket, or may do so.
    SOCKET_BUSY,
    /// A connection over HTTP/1 that waits for its next request.
    SOCKET_IDLE,
    /// A transfer over HTTP/1 has just begun or is paused, so that libcurl does not wait for its socket. It may end,
    /// and the next transfer may begin, without a callback for either.
    SOCKET_ASSIGNED,
};

/// The state of one socket.
struct socket_entry {
    enum socket_state state;
    /// Whether the epoll set contains the socket. This may be outdated, because libcurl closes the sockets that it
    /// opens for itself without a callback.
    bool is_watched;
    /// The epoll events that libcurl waits for.
    uint32_t events;
    /// Whether input is ignored because the transfer is paused, although `events` contains it.
    bool ignores_input;
    /// The index in the list of parked sockets plus 1, or 0 for a socket that is not parked.
    int parked;
    /// For a parked socket, the digest of both endpoints of its connection.
    uint64_t endpoints;
    /// Whether a parked socket may be shut down.
    bool may_shut_down;
    /// With HTTP/1, the one transfer that receives its response over the connection. It uses no other connection.
    errand_transfer *transfer;
};

struct socket_table {
    /// The entries by descriptor.
    struct socket_entry *entries;
    int capacity;
    /// The descriptors of idle and assigned sockets, in no order.
    int *parked;
    int parked_count;
    int parked_capacity;
};

/// Returns the entry of a descriptor, which is valid until the next call, or `NULL` if memory is exhausted.
struct socket_entry *errand_sockets_find(struct socket_table *table, int descriptor);
/// Sets the state of a socket. If memory is exhausted, an idle socket becomes a busy one.
void errand_sockets_set_state(
    struct socket_table *table, int descriptor, struct socket_entry *entry, enum socket_state state);
/// Sets the state of the parked connection with these endpoints, and shuts it down if it is stale. In that case, stale
/// idle connections are shut down as well. A connection that was idle and stays idle is not checked.
void errand_sockets_set_parked_state(struct socket_table *table, uint64_t endpoints, enum socket_state state);
void errand_sockets_free(struct socket_table *table);

/// Shuts a parked connection down if it is stale: the peer has closed it, or it has received bytes that belong to no
/// response. libcurl would use them as the response to the next request. Returns whether the connection was stale.
bool errand_socket_shut_down_if_stale(int descriptor, const struct socket_entry *entry);
/// Acknowledges received bytes without delay. A server may hold back the rest of a response until then (Nagle's
/// algorithm, RFC 9293, section 3.7.4), and Linux delays an acknowledgment by 40 ms. The kernel resets the option, so
/// it must be set again each time.
void errand_socket_acknowledge(int descriptor);
/// Returns the local port of a socket, or -1 if it has none.
long errand_socket_local_port(int descriptor);
/// Returns a digest of both endpoints of a connection, or 0 if it has no ports. All connections over a Unix-domain
/// socket have the same path, so they are never parked.
uint64_t errand_endpoints_digest(const char *address, long port, long local_port);
/// Returns the digest for the last connection of a transfer.
uint64_t errand_endpoints_of(curl_easy *easy);

#endif
#endif
