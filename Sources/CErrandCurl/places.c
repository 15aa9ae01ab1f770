#include "places.h"

#if defined(__linux__)

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct place *errand_place(struct places *places, int descriptor) {
    if (descriptor >= places->capacity) {
        int capacity = descriptor + 64;
        struct place *all = realloc(places->all, (size_t)capacity * sizeof *all);
        if (!all) return NULL;
        memset(all + places->capacity, 0, (size_t)(capacity - places->capacity) * sizeof *all);
        places->all = all;
        places->capacity = capacity;
    }
    return &places->all[descriptor];
}

void errand_place_set(struct places *places, int descriptor, struct place *place, int state) {
    place->state = state;
    if (state != BUSY && !place->parked) {
        if (places->parked_count == places->parked_capacity) {
            int capacity = places->parked_capacity + 64;
            int *parked = realloc(places->parked, (size_t)capacity * sizeof *parked);
            if (!parked) {
                place->state = BUSY;
                return;
            }
            places->parked = parked;
            places->parked_capacity = capacity;
        }
        places->parked[places->parked_count++] = descriptor;
        place->parked = places->parked_count;
    } else if (state == BUSY && place->parked) {
        int last = places->parked[--places->parked_count];
        places->parked[place->parked - 1] = last;
        places->all[last].parked = place->parked;
        place->parked = 0;
    }
}

bool errand_place_spoil(int descriptor, const struct place *place) {
    char byte;
    if (!place->may_spoil || recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0) return false;
    shutdown(descriptor, SHUT_RDWR);
    return true;
}

// FNV-1a.
uint64_t errand_ends(const char *address, long port, long local_port) {
    if (local_port <= 0) return 0;
    uint64_t digest = 0xcbf29ce484222325;
    for (const char *byte = address ? address : ""; *byte; byte++) digest = (digest ^ (uint8_t)*byte) * 0x100000001b3;
    return (digest ^ (uint64_t)(port << 16 ^ local_port)) * 0x100000001b3;
}

void errand_places_pass_on(struct places *places, uint64_t ends, int to) {
    bool is_spoilt = false;
    for (int index = 0; index < places->parked_count; index++) {
        int descriptor = places->parked[index];
        struct place *place = &places->all[descriptor];
        if (place->ends != ends || (place->state == IDLE && to == IDLE)) continue;
        place->state = to;
        if (errand_place_spoil(descriptor, place)) is_spoilt = true;
    }
    if (!is_spoilt) return;
    // The library takes the next idle one instead, and gives up after five: those like it must not be among them.
    for (int index = 0; index < places->parked_count; index++) {
        int descriptor = places->parked[index];
        if (places->all[descriptor].state == IDLE) errand_place_spoil(descriptor, &places->all[descriptor]);
    }
}

void errand_places_free(struct places *places) {
    free(places->all);
    free(places->parked);
}

#endif
