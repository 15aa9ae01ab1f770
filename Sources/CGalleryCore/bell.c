#include "CGalleryCore.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int bell = -1;

void gallery_set_bell(int descriptor) {
    atomic_store(&bell, descriptor);
}

void gallery_ring(int number) {
    (void)number;
    int error = errno;
    unsigned char byte = 0;
    ssize_t written = write(atomic_load(&bell), &byte, 1);
    (void)written;
    errno = error;
}
