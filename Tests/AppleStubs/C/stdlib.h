// The part of Apple's header that the C sources use.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/setenv.3.html
#include <stddef.h>

int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
