#pragma once

// The functions of libcurl that the floor uses. They are loaded at run time, so the build requires no curl headers. The
// names have no prefix. The numbers are those of curl/curl.h and curl/multi.h, which never change.

typedef struct {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} curl_message;

enum { curl_message_done = 1 };
enum { curl_global_default = 3 };
enum { curl_info_response_code = 0x200000 + 2, curl_info_private = 0x100000 + 21 };
enum {
    curl_option_no_signal = 99,
    curl_option_write_data = 10000 + 1,
    curl_option_url = 10000 + 2,
    curl_option_header = 10000 + 23,
    curl_option_header_data = 10000 + 29,
    curl_option_ca_file = 10000 + 65,
    curl_option_ca_folder = 10000 + 97,
    curl_option_private = 10000 + 103,
    curl_option_write_function = 20000 + 11,
    curl_option_header_function = 20000 + 79,
};

typedef struct {
    int (*global_init)(long flags);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *easy);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    const char *(*easy_strerror)(int code);
    void *(*slist_append)(void *list, const char *line);
    void (*slist_free_all)(void *list);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *multi);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_poll)(void *multi, void *extra, unsigned int extras, int milliseconds, int *ready);
    curl_message *(*multi_info_read)(void *multi, int *left);
    const char *(*multi_strerror)(int code);
} libcurl;

// Returns the library, which is loaded once for each process. If it cannot be loaded, returns NULL and sets `problem`.
const libcurl *libcurl_load(const char **problem);
