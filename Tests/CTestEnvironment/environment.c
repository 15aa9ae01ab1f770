// Sets the environment variables that the tests depend on, before any library reads them.

#include "CTestEnvironment.h"

#include <stdlib.h>

__attribute__((constructor)) static void set_up(void) {
    // The number of tests that run at once, unless the caller has set it. Without a bound all of them start. Hundreds of
    // calls with timeouts then share one thread per core, and those that wait too long fail.
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
    // The tests use servers on this machine. URLSession on Linux would send requests to them through the proxy.
    const char *proxies[] = {
        "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    };
    for (size_t index = 0; index < sizeof proxies / sizeof *proxies; index++) unsetenv(proxies[index]);
}
