#ifndef CGALLERYCORE_H
#define CGALLERYCORE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file of the bundled catalogue. Its name and bytes are constants of the program: they are valid until it exits, may
/// be read from any thread, and must not be freed.
typedef struct {
    /// The file name without a folder: "catalogue.json", or the name of a picture, such as "dusk-hills.png".
    const char *name;
    /// The contents of the file: `count` bytes without a terminator.
    const unsigned char *bytes;
    /// The size of the file in bytes.
    size_t count;
} gallery_catalogue_entry;

/// Returns the number of files in the catalogue: the pictures, and "catalogue.json", which describes them.
size_t gallery_catalogue_count(void);

/// Returns the file at `index`, counted from 0. The first file is "catalogue.json". The pictures follow in its order.
/// Beyond the last file, the entry is zero: null pointers and a count of 0.
gallery_catalogue_entry gallery_catalogue_entry_at(size_t index);

/// Sets the file descriptor that `gallery_ring` writes to.
void gallery_set_bell(int descriptor);

/// A signal handler that writes one byte. It is written in C, because it may call only async-signal-safe functions.
void gallery_ring(int number);

#ifdef __cplusplus
}
#endif

#endif
