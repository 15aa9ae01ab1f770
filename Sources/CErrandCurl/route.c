// The proxy of a request, from the settings or the environment.

#include "transfer.h"

#if defined(__linux__)

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// The maximum size of a host name (RFC 1035, section 2.3.4), and the NUL after it.
enum { HOST_SIZE = 256 };

// Returns the value of the first of these environment variables that is not empty.
static const char *variable(const char *const *names) {
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (value && *value) return value;
    }
    return NULL;
}

// Returns the proxy that libcurl uses for http. `HTTP_PROXY` is ignored, because in a CGI program the client sets it.
static const char *environment_proxy(void) {
    return variable((const char *const[]) { "http_proxy", "all_proxy", "ALL_PROXY", NULL });
}

static const char *environment_exceptions(void) {
    const char *exceptions = variable((const char *const[]) { "no_proxy", "NO_PROXY", NULL });
    return exceptions ? exceptions : "";
}

// A proxy URL without a scheme belongs to an HTTP proxy.
static bool is_http_proxy(const char *proxy) {
    if (!proxy || !*proxy) return false;
    size_t count = strcspn(proxy, ":/");
    bool is_socks = strncasecmp(proxy, "socks", 5) == 0 && strncmp(proxy + count, "://", 3) == 0;
    return !is_socks;
}

// Copies the host of a URL, without the brackets of an IPv6 address. The copy is empty if the host is longer than any
// name.
static void copy_host(const char *url, char *host, size_t capacity) {
    const char *scheme_end = strstr(url, "://");
    const char *start = scheme_end ? scheme_end + 3 : url;
    bool has_brackets = *start == '[';
    start += has_brackets;
    size_t count = strcspn(start, has_brackets ? "]/" : ":/");
    if (count >= capacity) count = 0;
    memcpy(host, start, count);
    host[count] = 0;
}

// Whether a `HOST::ADDRESS:PORT` entry applies to a host. An entry without a host applies to every host.
static bool is_for(const char *entry, const char *host) {
    size_t length = strlen(host);
    bool has_brackets = *entry == '[';
    entry += has_brackets;
    if (*entry == ':' && !has_brackets) return true;
    return strncasecmp(entry, host, length) == 0 && entry[length] == (has_brackets ? ']' : ':');
}

// With a proxy, libcurl uses a tunnel for a host that has such an entry, also without TLS.
static bool is_tunnelled(const struct curl_slist *connect_to, const char *host) {
    for (; connect_to; connect_to = connect_to->next) {
        if (is_for(connect_to->data, host)) return true;
    }
    return false;
}

bool errand_route_init(struct errand_route *route, const errand_settings *settings) {
    // Connections to a Unix-domain socket use no proxy.
    route->is_from_environment = !settings->proxy && !settings->unix_socket;
    route->has_http_proxy = is_http_proxy(settings->proxy) && !settings->unix_socket;
    route->exceptions = settings->no_proxy ? strdup(settings->no_proxy) : NULL;
    return route->exceptions || !settings->no_proxy;
}

bool errand_route_apply(
    struct errand_route *route, curl_easy *easy, const errand_request *request, bool is_plain,
    const struct curl_slist *connect_to) {
    // A remote proxy cannot reach this machine.
    bool is_local = route->is_from_environment && request->is_loopback;
    bool has_proxy = route->has_http_proxy || (route->is_from_environment && is_http_proxy(environment_proxy()));
    const char *target = request->url + request->target_start;
    bool is_decided = is_local || (is_plain && has_proxy);
    const char *exceptions = route->exceptions;
    if (is_decided) {
        char host[HOST_SIZE];
        copy_host(request->url, host, sizeof host);
        bool is_direct = is_local || errand_is_excepted(exceptions ? exceptions : environment_exceptions(), host);
        if (!is_direct && !is_tunnelled(connect_to, host)) target = request->url;
        exceptions = is_direct ? "*" : "";
    }
    bool holds = true;
    if (is_decided || route->is_decided) holds = curl.easy_setopt(easy, OPT_NOPROXY, exceptions) == ERRAND_CURLE_OK;
    route->is_decided = is_decided;
    return holds && curl.easy_setopt(easy, OPT_REQUEST_TARGET, target) == ERRAND_CURLE_OK;
}

void errand_route_free(struct errand_route *route) { free(route->exceptions); }

#endif
