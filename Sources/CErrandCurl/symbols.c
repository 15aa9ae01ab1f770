// Resolves the functions of a library by name.

#include "symbols.h"

#if defined(__linux__)

#include <dlfcn.h>

const char *errand_symbols_resolve(void *library, const struct errand_symbol *symbols, size_t count) {
    for (size_t index = 0; index < count; index++) {
        void *address = dlsym(library, symbols[index].name);
        if (!address) return symbols[index].name;
        *(void **)symbols[index].slot = address;
    }
    return NULL;
}

#endif
