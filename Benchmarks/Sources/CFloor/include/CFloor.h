#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A minimal HTTP client over libcurl, as a baseline: one thread, one multi handle and reused easy handles. It does not
// follow redirects, and stops at the first failure.
typedef struct errand_floor errand_floor;

// Receives each response. The bytes are valid until it returns. Returns whether to send another request.
typedef bool (*errand_floor_received)(void *context, long status, const uint8_t *bytes, size_t count);

// Creates a floor that keeps `in_flight` GET requests in flight, each to one of the `url_count` URLs. `lines` are `count` header
// lines. `authorities` is a PEM file, or NULL. On failure, returns NULL and sets `problem` to a string that is valid forever.
errand_floor *errand_floor_make(
    const char *const *urls, int url_count, int in_flight, const char *const *lines, int count, const char *authorities,
    const char **problem);

// Starts `in_flight` requests, and another one each time the callback returns true. Returns when all responses are
// complete. The result is NULL or an error message. Connections stay open for the next run.
const char *errand_floor_run(errand_floor *floor, errand_floor_received received, void *context);

void errand_floor_free(errand_floor *floor);
