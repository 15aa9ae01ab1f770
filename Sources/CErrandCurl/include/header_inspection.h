// The inspection of header sections before libcurl reads them.
//
// libcurl 8.4.0 and earlier stops reading at a line that begins with NUL, and discards the other bytes that it has
// read. A server could hide header lines in this way. Therefore, the bytes are inspected before libcurl reads them, and
// compared with the lines that it delivers.

#ifndef HEADER_INSPECTION_H
#define HEADER_INSPECTION_H

#include <stdbool.h>
#include <stddef.h>

/// The number of bytes of a status line that show whether the response is interim, such as `HTTP/1.1 103`.
enum { ERRAND_BEGINNING_SIZE = 12 };

/// The first bytes of a line.
struct errand_beginning {
    char bytes[ERRAND_BEGINNING_SIZE];
    size_t count;
};

/// The inspection state of a header section.
struct errand_head {
    /// Whether the end of the final header section has not been delivered yet.
    bool is_open;
    /// Whether the bytes belong to the response. Earlier bytes belong to a proxy (RFC 1928), or to no response.
    bool has_begun;
    /// Whether the present header section is known to be interim.
    bool is_interim;
    /// The inspected bytes of the line that libcurl has not read to its end.
    struct errand_beginning beginning;
    /// Whether libcurl has read bytes of that line that were not inspected.
    bool is_unseen;
    /// The number of lines that were inspected and not delivered. Negative if libcurl has read the end of a line that
    /// was not inspected.
    int lines_ahead;
};

/// The state before the first byte.
struct errand_head errand_head_new(bool is_open);
/// Records a line that libcurl delivers.
void errand_head_follow(struct errand_head *head, const char *line, size_t count);
/// Inspects the bytes that libcurl is about to read. They hide a line if a line other than the first one begins with
/// NUL. Returns false, and records nothing, if more of the available bytes are needed.
bool errand_head_look(struct errand_head *head, const char *bytes, size_t count, bool is_all, bool *hides_line);

#endif
