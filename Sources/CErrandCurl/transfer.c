#include "library.h"

#if defined(__linux__)

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

struct errand_transfer {
    curl_easy *easy;
    errand_engine *engine;
    void *owner;
    errand_callbacks callbacks;
    struct curl_slist *connect_to;
    struct errand_route route;
    /// The header lines of the present request: a list whose entries point into the bytes after them, in one block.
    struct curl_slist *lines;
    size_t line_capacity;
    bool is_method_set;
    /// What is offered to https servers.
    long version;
    bool is_paused;
    /// Whether the transfer is paused because its reader is slow.
    bool awaits_reader;
    /// Where its answer comes from; -1 where that is not known.
    int descriptor;
    bool may_have_tls_proxy;
    /// Whether the answer's bytes come without TLS, for certain.
    bool is_plain;
    struct errand_head head;
    /// Whether a line of the answer has been read.
    bool has_answer;
    struct errand_sending sending;
    struct errand_tally tally;
    char message[ERROR_SIZE];
};

static size_t take_head(char *bytes, size_t size, size_t count, void *data) {
    errand_transfer *transfer = data;
    transfer->has_answer = true;
    transfer->tally.taken += (int64_t)(size * count);
    errand_head_follow(&transfer->head, bytes, size * count);
    return transfer->callbacks.head(transfer->owner, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
    errand_transfer *transfer = data;
    switch (transfer->callbacks.body(transfer->owner, (const uint8_t *)bytes, size * count)) {
    case 1: transfer->tally.taken += (int64_t)(size * count); return size * count;
    case 2: transfer->is_paused = transfer->awaits_reader = true; return PAUSE;
    // Another number than that of the bytes is a failure, whatever their number is.
    default: return size * count + 1;
    }
}

static size_t give_body(char *bytes, size_t size, size_t count, void *data) {
    errand_transfer *transfer = data;
    int64_t given = transfer->callbacks.read(transfer->owner, (uint8_t *)bytes, size * count);
    if (given == -2) transfer->is_paused = true;
    return given == -2 ? PAUSE : given < 0 ? READ_ABORT : (size_t)given;
}

static int go_back(void *data, int64_t offset, int origin) {
    errand_transfer *transfer = data;
    transfer->sending.is_lost = offset != 0 || origin != 0 || !transfer->callbacks.rewind(transfer->owner);
    return transfer->sending.is_lost ? SEEK_FAIL : SEEK_OK;
}

// Programs that this process starts must not inherit its connections. libcurl sets no such flag before 8.16.
static int open_socket(void *data, int purpose, struct curl_socket_address *address) {
    (void)data, (void)purpose;
    return socket(address->family, address->kind | SOCK_CLOEXEC, address->protocol);
}

// What comes over a new connection first is a proxy's, also where the library asks again because another one has ended.
static int take_socket(void *data, int descriptor, int purpose) {
    (void)descriptor, (void)purpose;
    errand_transfer *transfer = data;
    transfer->head = errand_head_new(transfer->head.is_open);
    transfer->has_answer = false;
    return errand_sending_moves(&transfer->sending, transfer->easy) ? SOCKOPT_OK : SOCKOPT_ERROR;
}

// Called each time that the library has worked on the transfer. A value other than 0 ends it.
static int check_framing(void *data, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent) {
    (void)to_receive, (void)received, (void)to_send, (void)sent;
    errand_transfer *transfer = data;
    if (!errand_tally_has_excess(&transfer->tally, transfer->descriptor)) return 0;
    transfer->callbacks.excess(transfer->owner);
    return 1;
}

#define SET(option, value)                                                                                             \
    do {                                                                                                               \
        if (curl.easy_setopt(easy, option, value) != 0) {                                                              \
            *refused = #option;                                                                                        \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static bool set_up_tls(curl_easy *easy, const errand_settings *settings, const char **refused) {
    if (settings->own_ca_only) SET(OPT_CAPATH, NULL);
    if (settings->ca_file) SET(OPT_CAINFO, settings->ca_file);
    if (settings->ca_bytes) {
        struct curl_blob blob = { (void *)settings->ca_bytes, settings->ca_count, BLOB_COPY };
        SET(OPT_CAINFO_BLOB, &blob);
    }
    if (settings->certificate_file) SET(OPT_SSLCERT, settings->certificate_file);
    if (settings->key_file) SET(OPT_SSLKEY, settings->key_file);
    if (settings->key_password) SET(OPT_KEYPASSWD, settings->key_password);
    if (settings->pinned_keys) SET(OPT_PINNEDPUBLICKEY, settings->pinned_keys);
    SET(OPT_SSLVERSION, settings->tls_minimum);
    return true;
}

static bool set_up(errand_transfer *transfer, const errand_settings *settings, const char **refused) {
    curl_easy *easy = transfer->easy;
    SET(OPT_NOSIGNAL, 1L);
    SET(OPT_NOPROGRESS, 0L);
    SET(OPT_XFERINFOFUNCTION, check_framing);
    SET(OPT_XFERINFODATA, transfer);
    SET(OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    transfer->version = settings->http1_only || !errand_curl_has_http2() ? HTTP_1_1 : HTTP_2_TLS;
    SET(OPT_HTTP09_ALLOWED, 0L);
    SET(OPT_PIPEWAIT, 1L);
    SET(OPT_PATH_AS_IS, 1L);
    SET(OPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(OPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(OPT_HTTP_CONTENT_DECODING, 0L);
    SET(OPT_CONNECTTIMEOUT_MS, settings->connect_milliseconds);
    SET(OPT_BUFFERSIZE, (long)READ_SIZE);
    // Since 7.87: a lookup that is under way does not keep its canceller waiting. Older ones do not know it.
    curl.easy_setopt(easy, OPT_QUICK_EXIT, 1L);
    SET(OPT_ERRORBUFFER, transfer->message);
    SET(OPT_PRIVATE, transfer);
    SET(OPT_HEADERFUNCTION, take_head);
    SET(OPT_HEADERDATA, transfer);
    SET(OPT_WRITEFUNCTION, take_body);
    SET(OPT_WRITEDATA, transfer);
    SET(OPT_READFUNCTION, give_body);
    SET(OPT_READDATA, transfer);
    SET(OPT_SEEKFUNCTION, go_back);
    SET(OPT_SEEKDATA, transfer);
    SET(OPT_OPENSOCKETFUNCTION, open_socket);
    SET(OPT_SOCKOPTFUNCTION, take_socket);
    SET(OPT_SOCKOPTDATA, transfer);
    transfer->may_have_tls_proxy = settings->may_have_tls_proxy;
    if (!errand_route_init(&transfer->route, settings)) return false;
    if (settings->proxy) SET(OPT_PROXY, settings->proxy);
    if (settings->no_proxy) SET(OPT_NOPROXY, settings->no_proxy);
    if (settings->unix_socket) {
        SET(OPT_UNIX_SOCKET_PATH, settings->unix_socket);
        // Such connections have no ports: nobody could tell which one is used again. To make one costs next to nothing.
        SET(OPT_FORBID_REUSE, 1L);
    }
    if (settings->connect_to_count > 0) {
        transfer->connect_to = calloc(settings->connect_to_count, sizeof *transfer->connect_to);
        if (!transfer->connect_to) return false;
        for (size_t index = 0; index < settings->connect_to_count; index++) {
            transfer->connect_to[index].data = strdup(settings->connect_to[index]);
            if (index > 0) transfer->connect_to[index - 1].next = &transfer->connect_to[index];
        }
        SET(OPT_CONNECT_TO, transfer->connect_to);
    }
    return set_up_tls(easy, settings, refused);
}

errand_transfer *errand_transfer_new(
    const errand_settings *settings, const errand_callbacks *callbacks, const char **refused) {
    errand_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->callbacks = *callbacks;
    transfer->easy = curl.easy_init();
    if (transfer->easy && set_up(transfer, settings, refused)) return transfer;
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
        struct curl_slist *lines = realloc(transfer->lines, needed + 256);
        if (!lines) return false;
        transfer->lines = lines;
        transfer->line_capacity = needed + 256;
    }
    char *text = (char *)(transfer->lines + count);
    if (count > 0) memcpy(text, request->lines, request->line_bytes);
    for (size_t index = 0; index < count; index++) {
        transfer->lines[index].data = text;
        transfer->lines[index].next = index + 1 < count ? &transfer->lines[index + 1] : NULL;
        text += strlen(text) + 1;
    }
    return curl.easy_setopt(transfer->easy, OPT_HTTPHEADER, count > 0 ? transfer->lines : NULL) == 0;
}

bool errand_transfer_prepare(errand_transfer *transfer, const errand_request *request, void *owner) {
    curl_easy *easy = transfer->easy;
    transfer->owner = owner;
    transfer->message[0] = 0;
    transfer->is_paused = transfer->awaits_reader = false;
    transfer->descriptor = -1;
    transfer->head = errand_head_new(true);
    transfer->has_answer = false;
    transfer->tally = (struct errand_tally){ 0 };
    transfer->sending = errand_sending_new(request);
    bool is_get = strcmp(request->method, "GET") == 0, is_head = strcmp(request->method, "HEAD") == 0;
    // Sets back what the two others have set.
    bool holds = curl.easy_setopt(easy, OPT_HTTPGET, 1L) == 0;
    if (is_head) holds = holds && curl.easy_setopt(easy, OPT_NOBODY, 1L) == 0;
    if (request->has_body) {
        holds = holds && curl.easy_setopt(easy, OPT_UPLOAD, 1L) == 0;
        holds = holds && curl.easy_setopt(easy, OPT_INFILESIZE_LARGE, request->body_count) == 0;
    }
    // Where a server without TLS says "HTTP/2" the library would share its connection, and mix answers up.
    bool is_http = strncasecmp(request->url, "https:", 6) != 0;
    transfer->is_plain = is_http && !transfer->may_have_tls_proxy;
    long version = is_http ? HTTP_1_1 : transfer->version;
    holds = holds && curl.easy_setopt(easy, OPT_HTTP_VERSION, version) == 0;
    if (!is_get || transfer->is_method_set) {
        const char *method = is_get || is_head ? NULL : request->method;
        holds = holds && curl.easy_setopt(easy, OPT_CUSTOMREQUEST, method) == 0;
        transfer->is_method_set = method != NULL;
    }
    holds = holds && curl.easy_setopt(easy, OPT_FRESH_CONNECT, errand_sending_needs_connection(request) ? 1L : 0L) == 0;
    holds = holds && errand_route_set(&transfer->route, easy, request, is_http, transfer->connect_to);
    return holds && set_lines(transfer, request) && curl.easy_setopt(easy, OPT_URL, request->url) == 0;
}

void errand_transfer_unpause(errand_transfer *transfer) {
    transfer->is_paused = transfer->awaits_reader = false;
    // This must precede `easy_pause`, which may pause the transfer again or wait for other events.
    errand_engine_accept_input(transfer->engine, transfer, transfer->descriptor);
    curl.easy_pause(transfer->easy, PAUSE_CONTINUE);
}

bool errand_transfer_is_paused(const errand_transfer *transfer) { return transfer->is_paused; }

bool errand_transfer_awaits_reader(const errand_transfer *transfer) { return transfer->awaits_reader; }

const char *errand_transfer_message(const errand_transfer *transfer) { return transfer->message; }

void *errand_transfer_owner(const errand_transfer *transfer) { return transfer->owner; }

int errand_transfer_is_at(errand_transfer *transfer, int descriptor) {
    int before = transfer->descriptor;
    transfer->descriptor = descriptor;
    if (before != descriptor) transfer->tally.has_start = false;
    return before;
}

void errand_transfer_joins(errand_transfer *transfer, errand_engine *engine) { transfer->engine = engine; }

errand_engine *errand_transfer_begins(errand_transfer *transfer) {
    if (!errand_sending_moves(&transfer->sending, transfer->easy)) return NULL;
    transfer->sending.has_begun = true;
    transfer->head = errand_head_new(transfer->head.is_open);
    transfer->head.has_begun = true;
    return transfer->engine;
}

bool errand_transfer_is_plain(const errand_transfer *transfer) { return transfer->is_plain; }

bool errand_transfer_is_alone(const errand_transfer *transfer) {
    return transfer->is_plain || transfer->version == HTTP_1_1;
}

bool errand_transfer_is_lost(const errand_transfer *transfer) { return transfer->sending.is_lost; }

bool errand_transfer_has_answer(const errand_transfer *transfer) { return transfer->has_answer; }

bool errand_transfer_wants_look(const errand_transfer *transfer) {
    bool may_be_answer = transfer->head.has_begun || !errand_curl_announces_requests();
    return transfer->is_plain && transfer->head.is_open && may_be_answer && errand_curl_forgets_lines();
}

bool errand_transfer_look(errand_transfer *transfer, const char *bytes, size_t count, bool is_all) {
    bool hides_line;
    bool is_enough = errand_head_look(&transfer->head, bytes, count, is_all, &hides_line);
    // The owner refuses such a line, and with it all that the library has for it.
    if (hides_line) transfer->callbacks.head(transfer->owner, (const uint8_t *)"", 1);
    return is_enough;
}

curl_easy *errand_transfer_handle(const errand_transfer *transfer) { return transfer->easy; }

#endif
