// A handle of libcurl that sends one request after another.

#include "transfer_state.h"

#if defined(__linux__)

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// The bytes that are allocated beyond the header lines of a request, so that the next one needs no allocation.
enum { SPARE_LINE_BYTES = 256 };

errand_transfer *errand_transfer_new(
    const errand_settings *settings, const errand_callbacks *callbacks, const char **refused) {
    errand_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->callbacks = *callbacks;
    transfer->easy = curl.easy_init();
    if (transfer->easy && errand_transfer_set_up(transfer, settings, refused)) return transfer;
    errand_transfer_free(transfer);
    return NULL;
}

void errand_transfer_free(errand_transfer *transfer) {
    if (transfer->easy) curl.easy_cleanup(transfer->easy);
    for (struct curl_slist *entry = transfer->connect_to; entry; entry = entry->next) free(entry->data);
    free(transfer->connect_to);
    errand_route_free(&transfer->route);
    free(transfer->lines);
    free(transfer);
}

static bool set_lines(errand_transfer *transfer, const errand_request *request) {
    size_t count = 0;
    for (size_t index = 0; index < request->line_bytes; index++) count += request->lines[index] == 0;
    size_t needed = count * sizeof *transfer->lines + request->line_bytes;
    if (needed > transfer->line_capacity) {
        struct curl_slist *lines = realloc(transfer->lines, needed + SPARE_LINE_BYTES);
        if (!lines) return false;
        transfer->lines = lines;
        transfer->line_capacity = needed + SPARE_LINE_BYTES;
    }
    char *text = (char *)(transfer->lines + count);
    if (count > 0) memcpy(text, request->lines, request->line_bytes);
    for (size_t index = 0; index < count; index++) {
        transfer->lines[index].data = text;
        transfer->lines[index].next = index + 1 < count ? &transfer->lines[index + 1] : NULL;
        text += strlen(text) + 1;
    }
    return curl.easy_setopt(transfer->easy, OPT_HTTPHEADER, count > 0 ? transfer->lines : NULL) == ERRAND_CURLE_OK;
}

// Resets the state of the previous request.
static void reset(errand_transfer *transfer, const errand_request *request, void *owner) {
    transfer->owner = owner;
    transfer->message[0] = 0;
    transfer->is_paused = transfer->awaits_reader = false;
    transfer->descriptor = ERRAND_NO_DESCRIPTOR;
    transfer->head = errand_head_new(true);
    transfer->has_response = false;
    transfer->tally = (struct errand_tally){ 0 };
    transfer->sending = errand_sending_new(request);
}

static bool set_flag(curl_easy *easy, enum curl_option option, bool value) {
    return curl.easy_setopt(easy, option, value ? 1L : 0L) == ERRAND_CURLE_OK;
}

static bool set_method(errand_transfer *transfer, const errand_request *request) {
    curl_easy *easy = transfer->easy;
    bool is_get = strcmp(request->method, "GET") == 0, is_head = strcmp(request->method, "HEAD") == 0;
    // Resets OPT_NOBODY and OPT_UPLOAD.
    bool holds = set_flag(easy, OPT_HTTPGET, true);
    if (is_head) holds = holds && set_flag(easy, OPT_NOBODY, true);
    if (request->has_body) {
        holds = holds && set_flag(easy, OPT_UPLOAD, true);
        holds = holds && curl.easy_setopt(easy, OPT_INFILESIZE_LARGE, request->body_count) == ERRAND_CURLE_OK;
    }
    if (is_get && !transfer->is_method_set) return holds;
    const char *method = is_get || is_head ? NULL : request->method;
    holds = holds && curl.easy_setopt(easy, OPT_CUSTOMREQUEST, method) == ERRAND_CURLE_OK;
    transfer->is_method_set = method != NULL;
    return holds;
}

static bool set_read_size(curl_easy *easy, const errand_request *request) {
    long size = request->is_streamed ? STREAMED_READ_SIZE : READ_SIZE;
    return curl.easy_setopt(easy, OPT_BUFFERSIZE, size) == ERRAND_CURLE_OK;
}

bool errand_transfer_prepare(errand_transfer *transfer, const errand_request *request, void *owner) {
    curl_easy *easy = transfer->easy;
    reset(transfer, request, owner);
    const char https[] = "https:";
    bool is_http = strncasecmp(request->url, https, sizeof https - 1) != 0;
    transfer->is_plain = is_http && !transfer->may_have_tls_proxy;
    // If a server without TLS claims HTTP/2, libcurl would share its connection and confuse the responses.
    long version = is_http ? ERRAND_CURL_HTTP_VERSION_1_1 : transfer->version;
    return set_method(transfer, request) && curl.easy_setopt(easy, OPT_HTTP_VERSION, version) == ERRAND_CURLE_OK
        && set_flag(easy, OPT_FRESH_CONNECT, errand_sending_needs_connection(request))
        && errand_route_apply(&transfer->route, easy, request, is_http, transfer->connect_to)
        && set_read_size(easy, request) && set_lines(transfer, request)
        && curl.easy_setopt(easy, OPT_URL, request->url) == ERRAND_CURLE_OK;
}

void errand_transfer_unpause(errand_transfer *transfer) {
    transfer->is_paused = transfer->awaits_reader = false;
    // This must precede `easy_pause`, which may pause the transfer again or wait for other events.
    errand_engine_accept_input(transfer->engine, transfer, transfer->descriptor);
    curl.easy_pause(transfer->easy, PAUSE_CONT);
}

bool errand_transfer_is_paused(const errand_transfer *transfer) { return transfer->is_paused; }

bool errand_transfer_awaits_reader(const errand_transfer *transfer) { return transfer->awaits_reader; }

const char *errand_transfer_message(const errand_transfer *transfer) { return transfer->message; }

void *errand_transfer_owner(const errand_transfer *transfer) { return transfer->owner; }

int errand_transfer_set_descriptor(errand_transfer *transfer, int descriptor) {
    int before = transfer->descriptor;
    transfer->descriptor = descriptor;
    if (before != descriptor) transfer->tally.has_start = false;
    return before;
}

void errand_transfer_set_engine(errand_transfer *transfer, errand_engine *engine) { transfer->engine = engine; }

errand_engine *errand_transfer_begin_sending(errand_transfer *transfer) {
    if (!errand_sending_change_connection(&transfer->sending, transfer->easy)) return NULL;
    transfer->sending.has_begun = true;
    transfer->head = errand_head_new(transfer->head.is_open);
    transfer->head.has_begun = true;
    return transfer->engine;
}

bool errand_transfer_is_plain(const errand_transfer *transfer) { return transfer->is_plain; }

bool errand_transfer_is_alone(const errand_transfer *transfer) {
    return transfer->is_plain || transfer->version == ERRAND_CURL_HTTP_VERSION_1_1;
}

bool errand_transfer_is_lost(const errand_transfer *transfer) { return transfer->sending.is_lost; }

bool errand_transfer_is_sent(const errand_transfer *transfer) { return transfer->sending.has_begun; }

bool errand_transfer_has_response(const errand_transfer *transfer) { return transfer->has_response; }

bool errand_transfer_wants_look(const errand_transfer *transfer) {
    bool may_be_response = transfer->head.has_begun || !errand_curl_announces_requests();
    return transfer->is_plain && transfer->head.is_open && may_be_response && errand_curl_discards_lines();
}

bool errand_transfer_look(errand_transfer *transfer, const char *bytes, size_t count, bool is_all) {
    bool hides_line;
    bool is_enough = errand_head_look(&transfer->head, bytes, count, is_all, &hides_line);
    // The owner rejects this line, and then everything that libcurl delivers to it.
    if (hides_line) transfer->callbacks.head(transfer->owner, (const uint8_t *)"", 1);
    return is_enough;
}

curl_easy *errand_transfer_handle(const errand_transfer *transfer) { return transfer->easy; }

#endif
