// The part of Apple's header that the C sources use.
// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/resource.h
#include <stdint.h>

#define RLIMIT_NOFILE 8
typedef uint64_t rlim_t;
struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
