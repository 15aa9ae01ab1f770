// Tracks the header lines of a response, and inspects received bytes for a line that libcurl would truncate at a NUL.

#include "CErrandCurl.h"

#if defined(__linux__)

#include <string.h>

/// The number of digits of a status code (RFC 9110, section 15).
enum { STATUS_DIGITS = 3 };

static bool begins_head(const char *line, size_t count) {
    const char prefix[] = { 'H', 'T', 'T', 'P', '/' };
    return count >= sizeof prefix && memcmp(line, prefix, sizeof prefix) == 0;
}

static bool is_empty_line(const char *line, size_t count) {
    return (count == 1 && line[0] == '\n') || (count == 2 && line[0] == '\r' && line[1] == '\n');
}

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

static void extend(struct errand_beginning *beginning, const char *bytes, size_t count) {
    size_t room = sizeof beginning->bytes - beginning->count;
    size_t copied = count < room ? count : room;
    memcpy(beginning->bytes + beginning->count, bytes, copied);
    beginning->count += copied;
}

// Whether a header section with this beginning is certainly interim. The bytes may belong to different lines if libcurl
// has read more than was inspected.
static bool is_interim_head(const struct errand_beginning *beginning) {
    const char *blank = memchr(beginning->bytes, ' ', beginning->count);
    bool is_complete = blank && beginning->bytes + beginning->count - blank > STATUS_DIGITS;
    return is_complete && blank[1] == '1' && is_digit(blank[2]) && is_digit(blank[3]);
}

static bool is_return(const struct errand_beginning *beginning) {
    return beginning->count == 1 && beginning->bytes[0] == '\r';
}

static bool is_seen(const struct errand_head *head) { return !head->is_unseen && head->lines_ahead == 0; }

struct errand_head errand_head_new(bool is_open) { return (struct errand_head){ .is_open = is_open }; }

void errand_head_follow(struct errand_head *head, const char *line, size_t count) {
    head->has_begun = true;
    head->lines_ahead--;
    if (!head->is_open) return;
    if (begins_head(line, count)) {
        // A lenient check is sufficient, because the owner receives the complete line and rejects a malformed one.
        const char *blank = memchr(line, ' ', count);
        head->is_interim = blank && blank + 1 < line + count && blank[1] == '1';
    } else if (is_empty_line(line, count)) {
        head->is_open = head->is_interim;
        head->is_interim = false;
    }
}

/// The result of an inspection.
struct sight {
    int lines;
    bool hides_line;
    /// Whether the bytes contain the end of the final header section.
    bool has_ended;
    /// The inspected bytes of the incomplete line.
    struct errand_beginning beginning;
    bool is_unseen;
};

// Inspects the bytes up to a line that may end the final header section.
static struct sight look(const struct errand_head *head, const char *bytes, size_t count) {
    struct sight sight = { .is_unseen = !is_seen(head) };
    if (!sight.is_unseen) sight.beginning = head->beginning;
    struct errand_beginning *beginning = &sight.beginning;
    bool is_interim = head->is_interim;
    const char *end = bytes + count, *line = bytes;
    for (const char *newline; (newline = memchr(line, '\n', (size_t)(end - line)));) {
        size_t length = (size_t)(newline + 1 - line);
        bool may_end = is_empty_line(line, length) && (beginning->count == 0 || is_return(beginning));
        // "\r\n" after "\r": libcurl may not have consumed that byte, so it is inspected twice.
        bool is_doubtful = sight.is_unseen || (is_return(beginning) && length > 1);
        sight.lines++;
        if (may_end && is_doubtful) return sight;
        if (may_end) {
            sight.has_ended = !is_interim;
            if (sight.has_ended) return sight;
            is_interim = false;
        } else if (!sight.is_unseen) {
            extend(beginning, line, length);
            if (begins_head(beginning->bytes, beginning->count)) is_interim = is_interim_head(beginning);
        }
        line = newline + 1;
        *beginning = (struct errand_beginning){ 0 };
        sight.is_unseen = false;
        sight.hides_line = line < end && *line == 0;
        if (sight.hides_line) return sight;
    }
    extend(beginning, line, (size_t)(end - line));
    return sight;
}

bool errand_head_look(struct errand_head *head, const char *bytes, size_t count, bool is_all, bool *hides_line) {
    *hides_line = false;
    if (!head->has_begun && bytes[0] != 'H') return true;
    struct sight sight = look(head, bytes, count);
    if (!sight.hides_line && !sight.has_ended && !is_all) return false;
    *hides_line = sight.hides_line;
    head->has_begun = true;
    head->beginning = sight.beginning;
    head->is_unseen = sight.is_unseen;
    head->lines_ahead = sight.lines;
    return true;
}

#endif
