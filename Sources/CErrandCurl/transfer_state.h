// The state of a transfer, for the files that implement it.

#ifndef ERRAND_TRANSFER_STATE_H
#define ERRAND_TRANSFER_STATE_H

#include "transfer.h"

#if defined(__linux__)

struct errand_transfer {
    curl_easy *easy;
    errand_engine *engine;
    void *owner;
    errand_callbacks callbacks;
    struct curl_slist *connect_to;
    struct errand_route route;
    /// The header lines of the present request: a list with entries that point into the bytes after them, in one block.
    struct curl_slist *lines;
    size_t line_capacity;
    bool is_method_set;
    /// The version of HTTP that is offered to https servers.
    long version;
    bool is_paused;
    /// Whether the transfer is paused because its reader is slow.
    bool awaits_reader;
    /// The descriptor of its connection, or `ERRAND_NO_DESCRIPTOR` if it is not known.
    int descriptor;
    bool may_have_tls_proxy;
    /// Whether the response is certainly received without TLS.
    bool is_plain;
    struct errand_head head;
    /// Whether a line of the response was read.
    bool has_response;
    struct errand_sending sending;
    struct errand_tally tally;
    char message[ERROR_SIZE];
};

/// Sets the options that are the same for each request. Returns false if memory is exhausted or libcurl rejects an
/// option. `refused` then contains its name.
bool errand_transfer_set_up(errand_transfer *transfer, const errand_settings *settings, const char **refused);

#endif
#endif
