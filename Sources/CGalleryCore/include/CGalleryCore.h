#ifndef CGALLERYCORE_H
#define CGALLERYCORE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One file of the bundled catalogue. Its name and bytes are constants of the program: they live as long as it does,
/// may be read from any thread, and must not be freed.
typedef struct {
    /// The file's name without a folder: "catalogue.json", or a picture's such as "dusk-hills.png".
    const char *name;
    /// The file's contents, `count` bytes with no terminator after them.
    const unsigned char *bytes;
    /// How many bytes the file has.
    size_t count;
} gallery_catalogue_entry;

/// How many files the catalogue has: the pictures, and "catalogue.json", which describes them.
size_t gallery_catalogue_count(void);

/// The file at `index`, which counts from 0. "catalogue.json" comes first and the pictures follow in its order.
/// Beyond the last file the entry is all zero: no name, no bytes, a count of 0.
gallery_catalogue_entry gallery_catalogue_entry_at(size_t index);

/// The file descriptor that `gallery_ring` writes to.
void gallery_set_bell(int descriptor);

/// A signal handler that writes one byte. It is written in C, because it may call only async-signal-safe functions.
void gallery_ring(int number);

#ifdef __cplusplus
}
#endif

#endif
