#include "libcurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static libcurl loaded;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *library, const char *name, void **function) {
    *function = dlsym(library, name);
    return *function != NULL;
}

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failure = "libcurl.so.4 is not installed: install libcurl 7.66 or later";
        return;
    }
    bool complete = true;
#define FIND(name) complete = find(library, "curl_" #name, (void **)&loaded.name) && complete
    FIND(global_init);
    FIND(easy_init);
    FIND(easy_cleanup);
    FIND(easy_setopt);
    FIND(easy_getinfo);
    FIND(easy_strerror);
    FIND(slist_append);
    FIND(slist_free_all);
    FIND(multi_init);
    FIND(multi_cleanup);
    FIND(multi_add_handle);
    FIND(multi_remove_handle);
    FIND(multi_perform);
    FIND(multi_poll);
    FIND(multi_info_read);
    FIND(multi_strerror);
#undef FIND
    if (!complete) {
        failure = "expected libcurl 7.66 or later, found an older libcurl.so.4";
    } else if (loaded.global_init(curl_global_default) != 0) {
        failure = "libcurl cannot be initialized";
    }
}

const libcurl *libcurl_load(const char **problem) {
    pthread_once(&once, load);
    *problem = failure;
    return failure ? NULL : &loaded;
}
