// The sockets of an engine and their states, and what is known about each connection.

#include "sockets.h"

#if defined(__linux__)

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/// The number of elements by which an array grows beyond what it needs.
enum { SPARE_CAPACITY = 64 };

/// The constants of FNV-1a with 64 bits.
static const uint64_t fnv_offset_basis = 0xcbf29ce484222325;
static const uint64_t fnv_prime = 0x100000001b3;

struct socket_entry *errand_sockets_find(struct socket_table *table, int descriptor) {
    if (descriptor >= table->capacity) {
        int capacity = descriptor + SPARE_CAPACITY;
        struct socket_entry *entries = realloc(table->entries, (size_t)capacity * sizeof *entries);
        if (!entries) return NULL;
        memset(entries + table->capacity, 0, (size_t)(capacity - table->capacity) * sizeof *entries);
        table->entries = entries;
        table->capacity = capacity;
    }
    return &table->entries[descriptor];
}

// Returns false if memory is exhausted.
static bool park(struct socket_table *table, int descriptor, struct socket_entry *entry) {
    if (table->parked_count == table->parked_capacity) {
        int capacity = table->parked_capacity + SPARE_CAPACITY;
        int *parked = realloc(table->parked, (size_t)capacity * sizeof *parked);
        if (!parked) return false;
        table->parked = parked;
        table->parked_capacity = capacity;
    }
    table->parked[table->parked_count++] = descriptor;
    entry->parked = table->parked_count;
    return true;
}

static void unpark(struct socket_table *table, struct socket_entry *entry) {
    int last = table->parked[--table->parked_count];
    table->parked[entry->parked - 1] = last;
    table->entries[last].parked = entry->parked;
    entry->parked = 0;
}

void errand_sockets_set_state(
    struct socket_table *table, int descriptor, struct socket_entry *entry, enum socket_state state) {
    entry->state = state;
    if (state != SOCKET_BUSY && !entry->parked) {
        if (!park(table, descriptor, entry)) entry->state = SOCKET_BUSY;
    } else if (state == SOCKET_BUSY && entry->parked) {
        unpark(table, entry);
    }
}

void errand_sockets_set_parked_state(struct socket_table *table, uint64_t endpoints, enum socket_state state) {
    bool was_stale = false;
    for (int index = 0; index < table->parked_count; index++) {
        int descriptor = table->parked[index];
        struct socket_entry *entry = &table->entries[descriptor];
        bool stays_idle = entry->state == SOCKET_IDLE && state == SOCKET_IDLE;
        if (entry->endpoints != endpoints || stays_idle) continue;
        entry->state = state;
        if (errand_socket_shut_down_if_stale(descriptor, entry)) was_stale = true;
    }
    if (!was_stale) return;
    // libcurl takes the next idle connection instead, and gives up after five stale ones.
    for (int index = 0; index < table->parked_count; index++) {
        int descriptor = table->parked[index];
        const struct socket_entry *entry = &table->entries[descriptor];
        if (entry->state == SOCKET_IDLE) errand_socket_shut_down_if_stale(descriptor, entry);
    }
}

void errand_sockets_free(struct socket_table *table) {
    free(table->entries);
    free(table->parked);
}

bool errand_socket_shut_down_if_stale(int descriptor, const struct socket_entry *entry) {
    char byte;
    if (!entry->may_shut_down || recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0) return false;
    shutdown(descriptor, SHUT_RDWR);
    return true;
}

void errand_socket_acknowledge(int descriptor) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

long errand_socket_local_port(int descriptor) {
    struct sockaddr_in6 address = { 0 };
    socklen_t size = sizeof address;
    // Both families have the port at the same offset.
    return getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin6_port) : -1;
}

uint64_t errand_endpoints_digest(const char *address, long port, long local_port) {
    if (local_port <= 0) return 0;
    uint64_t digest = fnv_offset_basis;
    for (const char *byte = address ? address : ""; *byte; byte++) digest = (digest ^ (uint8_t)*byte) * fnv_prime;
    return (digest ^ (uint64_t)(port << 16 ^ local_port)) * fnv_prime;
}

uint64_t errand_endpoints_of(curl_easy *easy) {
    const char *address = NULL;
    long port = 0, local_port = 0;
    curl.easy_getinfo(easy, INFO_PRIMARY_IP, &address);
    curl.easy_getinfo(easy, INFO_PRIMARY_PORT, &port);
    curl.easy_getinfo(easy, INFO_LOCAL_PORT, &local_port);
    return errand_endpoints_digest(address, port, local_port);
}

#endif
