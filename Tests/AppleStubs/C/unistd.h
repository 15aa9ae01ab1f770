// The part of Apple's header that the C sources use.
// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/unistd.h
#include <stddef.h>

typedef long ssize_t;
ssize_t write(int descriptor, const void *bytes, size_t count);
