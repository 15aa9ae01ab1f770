// Prevents libcurl from sending a request twice if that is not allowed.

#include "transfer.h"

#if defined(__linux__)

struct errand_sending errand_sending_new(const errand_request *request) {
    // A libcurl that does not announce requests may send this one at any time.
    return (struct errand_sending){ .may_retry = request->may_retry, .has_begun = !errand_curl_announces_requests() };
}

bool errand_sending_change_connection(struct errand_sending *sending, curl_easy *easy) {
    long count = 0;
    curl.easy_getinfo(easy, INFO_REQUEST_SIZE, &count);
    if (sending->has_begun && !sending->may_retry && count > sending->count_before) sending->is_lost = true;
    sending->has_begun = false;
    sending->count_before = count;
    return !sending->is_lost;
}

bool errand_sending_needs_connection(const errand_request *request) {
    bool may_be_retried = request->has_late_body && !request->may_retry && !errand_curl_announces_requests();
    return request->fresh_connection || may_be_retried;
}

#endif
