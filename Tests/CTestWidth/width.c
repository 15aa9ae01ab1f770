// How many tests run at once, where the caller has not said: before the test library looks.
//
// Without a bound it starts all of them. Hundreds of calls with time-outs of their own then share a pool of as many threads
// as there are cores, and those that wait for their turn end by their time-outs.

#include "CTestWidth.h"

#include <stdlib.h>

__attribute__((constructor)) static void set_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
