#include "CFloor.h"

#include <stdlib.h>
#include <string.h>

#include "libcurl.h"

// Received bytes. The memory is reused for the next response.
typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t room;
} buffer;

typedef struct {
    void *easy;
    buffer head;
    buffer body;
} transfer;

struct errand_floor {
    const libcurl *curl;
    void *multi;
    void *fields;
    transfer *transfers;
    int in_flight;
};

// The write callback of libcurl. Returns the number of accepted bytes. A smaller number ends the transfer.
static size_t append(char *bytes, size_t size, size_t count, void *context) {
    buffer *to = context;
    size_t length = size * count;
    if (length > to->room - to->count) {
        size_t room = to->room ? to->room : 4096;
        while (length > room - to->count) { room *= 2; }
        uint8_t *grown = realloc(to->bytes, room);
        if (!grown) { return 0; }
        to->bytes = grown;
        to->room = room;
    }
    memcpy(to->bytes + to->count, bytes, length);
    to->count += length;
    return length;
}

// Only these authorities are trusted. libcurl 7.88 caches them only if it has no folder of authorities, and would otherwise parse
// them for each connection.
static bool trust(const libcurl *curl, void *easy, const char *authorities) {
    return curl->easy_setopt(easy, curl_option_ca_file, authorities) == 0
        && curl->easy_setopt(easy, curl_option_ca_folder, NULL) == 0;
}

static bool prepare(errand_floor *floor, transfer *one, const char *url, const char *authorities) {
    const libcurl *curl = floor->curl;
    void *easy = one->easy = curl->easy_init();
    return easy && curl->easy_setopt(easy, curl_option_url, url) == 0
        && (!authorities || trust(curl, easy, authorities))
        && curl->easy_setopt(easy, curl_option_no_signal, 1L) == 0
        && curl->easy_setopt(easy, curl_option_header, floor->fields) == 0
        && curl->easy_setopt(easy, curl_option_private, one) == 0
        && curl->easy_setopt(easy, curl_option_header_function, append) == 0
        && curl->easy_setopt(easy, curl_option_header_data, &one->head) == 0
        && curl->easy_setopt(easy, curl_option_write_function, append) == 0
        && curl->easy_setopt(easy, curl_option_write_data, &one->body) == 0;
}

errand_floor *errand_floor_make(
    const char *const *urls, int url_count, int in_flight, const char *const *lines, int count, const char *authorities,
    const char **problem) {
    const libcurl *curl = libcurl_load(problem);
    if (!curl) { return NULL; }
    *problem = "libcurl cannot create a handle";
    errand_floor *floor = calloc(1, sizeof(errand_floor));
    if (!floor) { return NULL; }
    floor->curl = curl;
    floor->transfers = calloc(in_flight, sizeof(transfer));
    bool ready = floor->transfers && (floor->multi = curl->multi_init());
    for (int i = 0; ready && i < count; i++) {
        void *longer = curl->slist_append(floor->fields, lines[i]);
        if (longer) { floor->fields = longer; }
        ready = longer != NULL;
    }
    for (int i = 0; ready && i < in_flight; i++) {
        floor->in_flight = i + 1;
        ready = prepare(floor, &floor->transfers[i], urls[i % url_count], authorities);
    }
    if (ready) { return floor; }
    errand_floor_free(floor);
    return NULL;
}

static const char *start(errand_floor *floor, transfer *one) {
    one->head.count = 0;
    one->body.count = 0;
    int code = floor->curl->multi_add_handle(floor->multi, one->easy);
    return code ? floor->curl->multi_strerror(code) : NULL;
}

// Passes completed responses to the callback and starts further requests. `open` is the number of requests in flight.
static const char *collect(errand_floor *floor, int *open, errand_floor_received received, void *context) {
    const libcurl *curl = floor->curl;
    curl_message *message;
    int left;
    while ((message = curl->multi_info_read(floor->multi, &left))) {
        if (message->kind != curl_message_done) { continue; }
        void *easy = message->easy;
        int result = message->data.result;
        transfer *one = NULL;
        long status = 0;
        curl->easy_getinfo(easy, curl_info_private, &one);
        curl->easy_getinfo(easy, curl_info_response_code, &status);
        curl->multi_remove_handle(floor->multi, easy);
        *open -= 1;
        if (result != 0) { return curl->easy_strerror(result); }
        if (!received(context, status, one->body.bytes, one->body.count)) { continue; }
        const char *problem = start(floor, one);
        if (problem) { return problem; }
        *open += 1;
    }
    return NULL;
}

static const char *exchange(errand_floor *floor, errand_floor_received received, void *context) {
    const char *problem = NULL;
    int open = 0;
    for (; open < floor->in_flight && !problem; open++) { problem = start(floor, &floor->transfers[open]); }
    while (open > 0 && !problem) {
        int running = 0;
        int code = floor->curl->multi_perform(floor->multi, &running);
        if (code) { return floor->curl->multi_strerror(code); }
        int before = open;
        problem = collect(floor, &open, received, context);
        // New requests are sent before the loop waits for events.
        if (problem || open == 0 || running < before) { continue; }
        code = floor->curl->multi_poll(floor->multi, NULL, 0, 1000, NULL);
        if (code) { return floor->curl->multi_strerror(code); }
    }
    return problem;
}

const char *errand_floor_run(errand_floor *floor, errand_floor_received received, void *context) {
    const char *problem = exchange(floor, received, context);
    // After a failure, other requests can still be in flight. This has no effect on completed requests.
    for (int i = 0; i < floor->in_flight && problem; i++) {
        floor->curl->multi_remove_handle(floor->multi, floor->transfers[i].easy);
    }
    return problem;
}

void errand_floor_free(errand_floor *floor) {
    if (!floor) { return; }
    for (int i = 0; i < floor->in_flight; i++) {
        if (floor->transfers[i].easy) { floor->curl->easy_cleanup(floor->transfers[i].easy); }
        free(floor->transfers[i].head.bytes);
        free(floor->transfers[i].body.bytes);
    }
    if (floor->multi) { floor->curl->multi_cleanup(floor->multi); }
    floor->curl->slist_free_all(floor->fields);
    free(floor->transfers);
    free(floor);
}
