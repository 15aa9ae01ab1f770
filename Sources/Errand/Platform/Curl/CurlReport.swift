#if os(Linux)
    import CErrandCurl

    /// The measurements and the connection state that libcurl reports for a transfer.
    struct CurlReport {
        private var report = errand_report()

        init(_ handle: OpaquePointer) {
            errand_transfer_report(handle, &report)
        }

        /// Whether many requests can share the connection.
        var multiplexes: Bool { report.version >= ERRAND_CURL_HTTP_VERSION_2_0 }
        /// The number of connections that were opened for this transfer.
        var newConnections: Int { report.new_connections }
        /// Whether a connection to the server was established, including the handshake for https.
        private func hasConnected(isSecure: Bool) -> Bool {
            guard isSecure, report.new_connections > 0 else { return true }
            let hasTunnel = report.tunnel_status == 0 || (200..<300).contains(report.tunnel_status)
            return hasTunnel && report.secured > 0
        }

        /// The failure of the transfer.
        func failure(_ code: Int, of handle: OpaquePointer, isSecure: Bool) -> CurlFailure {
            CurlFailure(
                code: code, message: String(cString: errand_transfer_message(handle)),
                verifyResult: report.verify_result,
                wasConnected: hasConnected(isSecure: isSecure))
        }

        private var protocolName: String? {
            switch report.version {
            case ERRAND_CURL_HTTP_VERSION_1_0: "http/1.0"
            case ERRAND_CURL_HTTP_VERSION_1_1: "http/1.1"
            case ERRAND_CURL_HTTP_VERSION_2_0: "h2"
            case ERRAND_CURL_HTTP_VERSION_3: "h3"
            default: nil
            }
        }

        func metrics(queued: Duration) -> TransportMetrics {
            var metrics = TransportMetrics()
            metrics.queued = queued
            metrics.nameResolved = .microseconds(report.name_resolved)
            metrics.connected = .microseconds(report.connected)
            if report.secured > 0 { metrics.secured = .microseconds(report.secured) }
            metrics.firstByte = .microseconds(report.first_byte)
            metrics.total = .microseconds(report.total)
            metrics.bytesSent = report.sent
            metrics.bytesReceived = report.received
            metrics.protocolName = protocolName
            metrics.isConnectionReused = report.new_connections == 0
            let address = withUnsafeBytes(of: report.address) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            metrics.remoteAddress = address.isEmpty ? nil : address
            return metrics
        }
    }
#endif
