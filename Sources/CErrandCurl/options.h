// Options that the handles of transfers and of connections have in common.

#ifndef ERRAND_OPTIONS_H
#define ERRAND_OPTIONS_H

#include "libcurl.h"

#if defined(__linux__)

// Sets an option, or ends the function with the option's name in `refused`.
#define SET(option, value)                                                                                             \
    do {                                                                                                               \
        if (curl.easy_setopt(easy, option, value) != ERRAND_CURLE_OK) {                                                \
            *refused = #option;                                                                                        \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

/// Sets the options for TLS. Returns false if libcurl rejects one, with its name in `refused`.
bool errand_tls_set_up(curl_easy *easy, const errand_settings *settings, const char **refused);
/// Creates a socket (`CURLOPT_OPENSOCKETFUNCTION`).
int errand_open_socket(void *data, int purpose, struct curl_socket_address *address);

#endif
#endif
