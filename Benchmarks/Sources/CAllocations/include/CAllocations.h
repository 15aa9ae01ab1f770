// Counts the allocations of the process on Linux with glibc. On other platforms, nothing is counted.

#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>

/// Whether allocations can be counted on this platform.
bool errand_allocations_are_counted(void);
/// Resets the count to zero and starts counting on all threads.
void errand_allocations_begin(void);
/// Stops counting and returns the number of allocations.
long errand_allocations_end(void);

#endif
