// Counts what the process allocates, on Linux with glibc; elsewhere nothing is counted.

#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>

/// Whether allocations can be counted here.
bool errand_allocations_are_counted(void);
/// Begins to count, from zero, on all threads.
void errand_allocations_begin(void);
/// Ends the counting; how many there were.
long errand_allocations_end(void);

#endif
