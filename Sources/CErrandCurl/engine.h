// Declarations that are shared by the files of an engine.

#ifndef ERRAND_ENGINE_H
#define ERRAND_ENGINE_H

#include "sockets.h"

#if defined(__linux__)

struct errand_engine {
    curl_multi *multi;
    /// The TLS sessions of earlier connections. A new connection resumes an earlier session, which costs much less than
    /// a handshake with certificates. No lock is needed, because one thread at a time uses an engine and its transfers.
    curl_share *sessions;
    errand_waiter waiter;
    int64_t due;
    struct socket_table sockets;
    /// The bytes that are inspected, up to the size of one read of libcurl.
    char seen[STREAMED_READ_SIZE];
};

/// `CURLMOPT_SOCKETFUNCTION`: waits for the events that libcurl asks for, or parks the connection.
int errand_engine_watch(curl_easy *easy, int descriptor, int what, void *engine, void *ignored);
/// `CURLOPT_CLOSESOCKETFUNCTION`: forgets the socket and closes it.
int errand_engine_close_socket(void *engine, int descriptor);
/// Removes a socket from the epoll set.
void errand_engine_stop_watching(errand_engine *engine, int descriptor, struct socket_entry *entry);
/// Stops waiting for the input of a paused transfer. libcurl 8.5.0 continues to read it and keeps all of it in memory
/// (curl issue 12632). Other versions until 8.20 may wait for input without reading it, so that each wait returns
/// immediately (issue 21671).
void errand_engine_ignore_input(errand_engine *engine, int descriptor, struct socket_entry *entry);
/// Records the descriptor of a transfer, or `ERRAND_NO_DESCRIPTOR`. The transfer uses no other descriptor from then on.
void errand_engine_set_descriptor(errand_engine *engine, errand_transfer *transfer, int descriptor);

#endif
#endif
