// What an engine knows of the descriptors of its connections.

#ifndef ERRAND_PLACES_H
#define ERRAND_PLACES_H

#include "library.h"

#if defined(__linux__)

/// Who has a descriptor.
enum {
    /// The library, with whatever it does there.
    BUSY = 0,
    /// Nobody: a connection of HTTP/1 that waits for its next request.
    IDLE = 1,
    /// A transfer over HTTP/1 that has just begun or is paused, so that libcurl does not wait for its descriptor. It may end, and
    /// the next transfer may begin, without a callback for either.
    TAKEN = 2,
};

/// What is known of a descriptor.
struct place {
    int state;
    /// Whether the epoll set has it, as far as is known: what the library opens for itself, it closes unheard.
    bool is_watched;
    /// What it is watched for.
    uint32_t events;
    /// Whether input is ignored because the transfer is paused, although `events` contains it.
    bool ignores_input;
    /// Where it stands among the parked ones, from 1; 0 where it is not among them.
    int parked;
    /// What tells the connection of an idle or taken one from another: a digest of both its ends.
    uint64_t ends;
    /// Whether a parked one may be shut down.
    bool may_spoil;
    /// With HTTP/1, the one transfer whose response arrives over the connection. It uses no other connection.
    errand_transfer *transfer;
};

/// All of them.
struct places {
    /// By descriptor.
    struct place *all;
    int capacity;
    /// The descriptors that are idle or taken, in no order.
    int *parked;
    int parked_count;
    int parked_capacity;
};

/// What is known of a descriptor; good until the next call. NULL where memory is used up.
struct place *errand_place(struct places *places, int descriptor);
/// Notes who has a descriptor. Where memory is used up, an idle one is taken for a busy one.
void errand_place_set(struct places *places, int descriptor, struct place *place, int state);
/// Makes a parked connection unusable on which something has come that nobody asked for: the library would take it as the
/// answer to the next request. What has been closed by the other end is spared a try, too.
bool errand_place_spoil(int descriptor, const struct place *place);
/// Changes the state of the parked connection with these ends, and makes it unusable if it has received bytes that belong to no
/// response. In that case, the idle connections are checked as well. A connection that was idle and stays idle is not checked.
void errand_places_pass_on(struct places *places, uint64_t ends, int to);
/// A digest of both ends of a connection, or 0 if it has no ports. All connections over a Unix domain socket have the same path,
/// so they are never parked.
uint64_t errand_ends(const char *address, long port, long local_port);
void errand_places_free(struct places *places);

#endif
#endif
