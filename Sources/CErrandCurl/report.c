// The measurements of a request: times, sizes, the connection and the result of its TLS verification.

#include "transfer.h"

#if defined(__linux__)

#include <string.h>

static int64_t offset(const errand_transfer *transfer, enum curl_info info) {
    int64_t value = 0;
    curl.easy_getinfo(errand_transfer_handle(transfer), info, &value);
    return value;
}

static long number(const errand_transfer *transfer, enum curl_info info) {
    long value = 0;
    curl.easy_getinfo(errand_transfer_handle(transfer), info, &value);
    return value;
}

void errand_transfer_report(errand_transfer *transfer, errand_report *report) {
    report->name_resolved = offset(transfer, INFO_NAMELOOKUP_TIME_T);
    report->connected = offset(transfer, INFO_CONNECT_TIME_T);
    report->secured = offset(transfer, INFO_APPCONNECT_TIME_T);
    report->first_byte = offset(transfer, INFO_STARTTRANSFER_TIME_T);
    report->total = offset(transfer, INFO_TOTAL_TIME_T);
    report->sent = offset(transfer, INFO_SIZE_UPLOAD_T);
    report->received = offset(transfer, INFO_SIZE_DOWNLOAD_T);
    report->version = number(transfer, INFO_HTTP_VERSION);
    report->new_connections = number(transfer, INFO_NUM_CONNECTS);
    report->tunnel_status = number(transfer, INFO_HTTP_CONNECTCODE);
    // The proxy's certificate is verified first.
    report->verify_result = number(transfer, INFO_PROXY_SSL_VERIFYRESULT);
    if (report->verify_result == ERRAND_X509_V_OK) report->verify_result = number(transfer, INFO_SSL_VERIFYRESULT);
    const char *address = NULL;
    curl.easy_getinfo(errand_transfer_handle(transfer), INFO_PRIMARY_IP, &address);
    report->address[0] = 0;
    if (address) strncat(report->address, address, sizeof report->address - 1);
}

#endif
