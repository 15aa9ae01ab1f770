// The functions of a library that was loaded at run time.

#ifndef ERRAND_SYMBOLS_H
#define ERRAND_SYMBOLS_H

#include <stddef.h>

#if defined(__linux__)

struct errand_symbol {
    /// The function pointer that is set.
    void *slot;
    const char *name;
};

/// Looks up the symbols of a library. Returns the name of the first missing one, or `NULL` if all were found.
const char *errand_symbols_resolve(void *library, const struct errand_symbol *symbols, size_t count);

#endif
#endif
