// The list of hosts that are exempt from the proxy (`no_proxy`).

#include "CErrandCurl.h"

#if defined(__linux__)

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    IPV4_SIZE = sizeof(struct in_addr),
    IPV6_SIZE = sizeof(struct in6_addr),
    /// The maximum size of an address block as text. The longest one has an IPv6 address and three digits.
    BLOCK_TEXT_SIZE = 64,
};

struct address {
    unsigned char bytes[IPV6_SIZE];
    /// The number of bytes: `IPV4_SIZE`, `IPV6_SIZE`, or 0 for a name.
    size_t count;
};

static struct address address_of(const char *host) {
    struct address address = { .count = 0 };
    struct in_addr number;
    // libcurl also accepts other forms of an IPv4 address, such as `127.1`.
    if (inet_aton(host, &number)) {
        memcpy(address.bytes, &number, IPV4_SIZE);
        address.count = IPV4_SIZE;
    } else if (inet_pton(AF_INET6, host, address.bytes) == 1) {
        address.count = IPV6_SIZE;
    }
    return address;
}

// Matches an IP address, or an address block such as `10.0.0.0/8` (RFC 4632, section 3.1).
static bool is_in_block(const struct address *address, const char *token, size_t count) {
    char text[BLOCK_TEXT_SIZE];
    if (count >= sizeof text) return false;
    memcpy(text, token, count);
    text[count] = 0;
    long bits = (long)address->count * 8;
    char *slash = strchr(text, '/');
    if (slash) {
        char *end;
        long number = strtol(slash + 1, &end, 10);
        if (end == slash + 1 || *end || number < 0 || number > bits) return false;
        bits = number;
        *slash = 0;
    }
    unsigned char network[IPV6_SIZE];
    if (inet_pton(address->count == IPV4_SIZE ? AF_INET : AF_INET6, text, network) != 1) return false;
    size_t complete = (size_t)bits / 8;
    if (memcmp(address->bytes, network, complete) != 0) return false;
    unsigned int mask = 0xff00u >> (bits % 8) & 0xff;
    return bits % 8 == 0 || ((address->bytes[complete] ^ network[complete]) & mask) == 0;
}

// Matches a host, or a domain with all its hosts. A leading dot makes no difference.
static bool is_in_domain(const char *host, size_t length, const char *token, size_t count) {
    if (count > 0 && token[count - 1] == '.') count--;
    if (count > 0 && token[0] == '.') token++, count--;
    if (count == 0 || count > length || strncasecmp(host + length - count, token, count) != 0) return false;
    return count == length || host[length - count - 1] == '.';
}

bool errand_is_excepted(const char *exceptions, const char *host) {
    if (strcmp(exceptions, "*") == 0) return true;
    struct address address = address_of(host);
    size_t length = strlen(host);
    if (length > 0 && host[length - 1] == '.') length--;
    const char *token = exceptions;
    while (*(token += strspn(token, ", \t"))) {
        size_t count = strcspn(token, ", \t");
        bool is_one = address.count ? is_in_block(&address, token, count) : is_in_domain(host, length, token, count);
        if (is_one) return true;
        token += count;
    }
    return false;
}

#endif
