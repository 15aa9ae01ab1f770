// Options that the handles of transfers and of connections have in common.

#include "options.h"

#if defined(__linux__)

#include <sys/socket.h>

bool errand_tls_set_up(curl_easy *easy, const errand_settings *settings, const char **refused) {
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

// Child processes must not inherit the connections of this process. libcurl before 8.16 does not set the flag.
int errand_open_socket(void *data, int purpose, struct curl_socket_address *address) {
    (void)data, (void)purpose;
    return socket(address->family, address->kind | SOCK_CLOEXEC, address->protocol);
}

#endif
