/// Gives the platform's errors a code.
///
/// On Linux almost every failure is `URLError.unknown`, and only libcurl's English text tells them apart; it is kept in
/// the reason.
enum TransportFailure {
    private static let texts: [(String, ServiceError.Code)] = [
        ("ssl", .tls), ("certificate", .tls), ("tls", .tls),
        ("bytes remaining", .connectionLost), ("remaining to read", .connectionLost),
        ("connection reset", .connectionLost), ("recv failure", .connectionLost), ("send failure", .connectionLost),
        ("couldn't connect", .connection), ("failed to connect", .connection), ("could not resolve", .connection),
        ("empty reply", .connectionLost),
        ("chunk", .badResponse), ("content unencoding", .badResponse), ("content encoding", .badResponse),
        ("writing header", .badResponse), ("header", .badResponse), ("unsupported protocol", .badResponse),
        ("http/", .badResponse), ("timed out", .timeout), ("out of memory", .badResponse),
    ]

    static func classify(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return error }
        if error.code == .cancelled { return CancellationError() }
        let text = error.localizedDescription
        let known = text.lowercased()
        // Texts first: the platform reports an empty reply as a bad server response, and TLS failures as unknown.
        let code = texts.first { known.contains($0.0) }?.1 ?? ServiceError.Code(error.code) ?? .transport
        return ServiceError(code, text.singleLine(limit: 200), underlying: error)
    }
}
