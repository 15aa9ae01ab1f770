/// Gives the platform's errors a code.
///
/// On Linux almost every failure is `URLError.unknown`, and only libcurl's English text tells them apart; it is kept in
/// the reason. Phrases, not words: the text holds the host's name.
enum TransportFailure {
    private static let phrases: [(String, ServiceError.Code)] = [
        ("could not resolve", .connection), ("couldn't connect", .connection), ("failed to connect", .connection),
        ("timed out", .timeout), ("timeout was reached", .timeout),
        ("bytes remaining", .connectionLost), ("remaining to read", .connectionLost),
        ("outstanding read data", .connectionLost),
        ("connection reset", .connectionLost), ("recv failure", .connectionLost), ("send failure", .connectionLost),
        ("empty reply", .connectionLost), ("connection died", .connectionLost),
        ("ssl certificate", .tls), ("ssl connect", .tls), ("ssl routines", .tls), ("ssl_", .tls), ("tls connect", .tls),
        ("certificate subject name", .tls), ("peer certificate", .tls), ("ssl peer", .tls), ("ssl: ", .tls),
        ("chunk", .badResponse), ("content unencoding", .badResponse), ("content encoding", .badResponse),
        ("writing header", .badResponse), ("out of memory", .badResponse), ("http/0.9", .badResponse),
        ("nul byte in header", .badResponse), ("invalid content-length", .badResponse),
        ("unsupported protocol", .badResponse), ("weird server reply", .badResponse),
    ]

    /// The codes under which the platform reports what its text tells better.
    private static let vague: Set<URLError.Code> = [
        .unknown, .badServerResponse, .cannotConnectToHost, .networkConnectionLost, .unsupportedURL, .badURL,
    ]

    static func classify(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return error }
        if let told = error.errorUserInfo[URLError.serviceErrorKey] as? ServiceError { return told }
        if error.code == .cancelled { return CancellationError() }
        let text = error.localizedDescription
        let known = text.lowercased()
        let told = vague.contains(error.code) ? phrases.first { known.contains($0.0) }?.1 : nil
        let code = told ?? ServiceError.Code(error.code) ?? .transport
        return ServiceError(code, text.singleLine(limit: 200), underlying: error)
    }
}

extension URLError {
    /// Where a `URLProtocol` of this library's own keeps what it has to say: the platforms pass on a `URLError` whole,
    /// and of any other error Apple's keeps domain and code alone.
    package static let serviceErrorKey = "ErrandServiceError"
}
