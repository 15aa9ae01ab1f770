// Sets what the tests depend on and a process inherits, before any library reads it.

#include "CTestEnvironment.h"

#include <stdlib.h>
#include <sys/resource.h>

/// The open files that tests in parallel need: at most about 100 each.
enum { FILES = 1024 };

/// The limit of open files, after it was raised if it was too low. macOS starts with 256.
static rlim_t file_limit(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
    if (files.rlim_cur >= FILES) return files.rlim_cur;
    rlim_t before = files.rlim_cur;
    files.rlim_cur = files.rlim_max < FILES ? files.rlim_max : FILES;
    return setrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : before;
}

__attribute__((constructor)) static void set_up(void) {
    // The number of tests that run at once, unless the caller has set it. Without a bound all of them start. Hundreds of
    // calls with timeouts then share one thread per core, and those that wait too long fail.
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", file_limit() < FILES ? "2" : "8", 0);
    // The tests use servers on this machine. URLSession on Linux would send requests to them through the proxy.
    const char *proxies[] = {
        "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    };
    for (size_t index = 0; index < sizeof proxies / sizeof *proxies; index++) unsetenv(proxies[index]);
}
