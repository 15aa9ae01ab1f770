import Errand
import ErrandTesting

/// A session with plain sockets that uses the reference parser. Its results are correct by definition, so it shows
/// that the server sends the intended bytes.
struct ReferenceClient: APISession {
    func send(_ request: APIRequest) async throws -> APIResponse {
        guard let url = request.url, let port = url.port else { throw URLError(.badURL) }
        let text = "\(request.method) \(request.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        let (bytes, isReset) = try await withCheckedThrowingContinuation { continuation in
            // A separate thread, because blocking calls must not occupy the threads of Swift tasks.
            Thread.detachNewThread { continuation.resume(with: Result { try Self.exchange(text, port) }) }
        }
        let expectation = WireExpectation(of: bytes, method: request.method, isReset: isReset)
        guard let response = expectation.responses.first else {
            throw ServiceError(.badResponse, expectation.flaw ?? "")
        }
        return APIResponse(
            head: ResponseHead(status: response.status, url: url), body: ResponseBody(response.body))
    }

    private static func exchange(_ text: String, _ port: Int) throws -> (bytes: Data, isReset: Bool) {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw URLError(.cannotConnectToHost) }
        defer { close(descriptor) }
        guard connect(descriptor, to: port) else { throw URLError(.cannotConnectToHost) }
        let request = Array(text.utf8)
        guard Foundation.send(descriptor, request, request.count, noSignal) == request.count else {
            throw URLError(.networkConnectionLost)
        }
        // The server closes a persistent connection when its client closes the sending side.
        shutdown(descriptor, Int32(SHUT_WR))
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return (bytes, count < 0) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    private static func connect(_ descriptor: Int32, to port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Foundation.connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    #if canImport(Glibc)
        private static let streamSocket = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #elseif canImport(Musl)
        private static let streamSocket = SOCK_STREAM
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let streamSocket = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #endif
}
