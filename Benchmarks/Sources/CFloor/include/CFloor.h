#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The least that HTTP over libcurl costs: one thread, one multi handle, easy handles that are used again.
//
// A test program for other programs' figures: it follows no redirects and gives up at the first failure.
typedef struct errand_floor errand_floor;

// Gets each answer; the bytes are valid until it returns. What it returns says whether one more request is to follow.
typedef bool (*errand_floor_answered)(void *context, long status, const uint8_t *bytes, size_t count);

// Makes a floor that keeps `in_flight` GET requests to `url` on their way. The lines are whole header fields, `count` of
// them. Where that fails it is NULL, and `problem` says why, for ever.
errand_floor *errand_floor_make(
    const char *url, int in_flight, const char *const *lines, int count, const char **problem);

// Starts as many requests as there are in flight, and one more for each answer that asks for it; returns when all are
// answered: NULL, or what went wrong. Connections stay open for the next run.
const char *errand_floor_run(errand_floor *floor, errand_floor_answered answered, void *context);

void errand_floor_free(errand_floor *floor);
