#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool is_counting;
static atomic_long count;

void errand_allocations_begin(void) {
    atomic_store(&count, 0);
    atomic_store(&is_counting, true);
}

long errand_allocations_end(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&count);
}

#if defined(__linux__) && defined(__GLIBC__)

// These definitions replace those of glibc in the program and in all its libraries. `free` is that of glibc.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

bool errand_allocations_are_counted(void) { return true; }

#else

bool errand_allocations_are_counted(void) { return false; }

#endif
