// Sets the inherited environment and limits that the tests depend on, before any library reads them.

#include "CTestEnvironment.h"

#include <stdlib.h>
#include <sys/resource.h>

/// The number of open files that parallel tests need. Each test needs at most about 100.
enum { FILES = 1024 };

/// Returns the limit of open files, and raises it first if it is too low. macOS starts with 256.
static rlim_t file_limit(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
    if (files.rlim_cur >= FILES) return files.rlim_cur;
    rlim_t before = files.rlim_cur;
    files.rlim_cur = files.rlim_max < FILES ? files.rlim_max : FILES;
    return setrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : before;
}

__attribute__((constructor)) static void set_up(void) {
    // The number of tests that run at the same time, unless the caller has set it. Without a limit all tests start at
    // once. Hundreds of API calls with timeouts then share one thread per core, and some of them time out.
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", file_limit() < FILES ? "2" : "8", 0);
    // The tests use servers on this machine. URLSession on Linux would send requests to them through the proxy.
    const char *proxies[] = {
        "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    };
    for (size_t index = 0; index < sizeof proxies / sizeof *proxies; index++) unsetenv(proxies[index]);
}
