import ErrandSupport

/// Maps the platform's errors to errors with a code.
///
/// On Linux almost every failure is `URLError.unknown`, and only libcurl's English message distinguishes them. The
/// message is kept in the reason. The table has phrases, not words, because the message contains the name of the host.
package enum TransportFailure {
    /// The phrases of libcurl 7.76.0 to 8.23.0, in lower case. The first that matches decides.
    private static let phrases: [(String, ServiceError.Code)] = [
        ("could not resolve", .connection), ("couldn't connect", .connection), ("failed to connect", .connection),
        ("could not connect", .connection),
        ("timed out", .timeout), ("timeout was reached", .timeout),
        // A body shorter than its Content-Length. The first is of 8.8.0 and earlier, the second of 8.9.0 and later.
        ("bytes remaining", .connectionLost), ("bytes missing", .connectionLost),
        ("outstanding read data", .connectionLost),
        ("connection reset", .connectionLost), ("recv failure", .connectionLost), ("send failure", .connectionLost),
        ("empty reply", .connectionLost), ("connection died", .connectionLost),
        // A request that cannot be retried after its connection was lost (8.7.1 and later).
        ("of needed bytes read", .connectionLost),
        ("ssl certificate", .tls), ("ssl connect", .tls), ("ssl routines", .tls), ("ssl_", .tls), ("tls connect", .tls),
        ("certificate subject name", .tls), ("peer certificate", .tls), ("ssl peer", .tls), ("ssl: ", .tls),
        ("chunk", .badResponse), ("content unencoding", .badResponse), ("content encoding", .badResponse),
        // A header that the platform refuses. The first is of versions before 8.7.1, the second of 8.7.1 and later.
        ("writing header", .badResponse), ("failure writing output", .badResponse),
        // A header that is too long, in different versions.
        ("out of memory", .badResponse), ("too large response headers", .badResponse),
        ("larger than allowed", .badResponse),
        ("http/0.9", .badResponse), ("carriage return found", .badResponse), ("multiple location", .badResponse),
        ("nul byte in header", .badResponse), ("invalid content-length", .badResponse),
        ("unsupported protocol", .badResponse), ("weird server reply", .badResponse),
    ]

    /// The codes that the platform uses for failures that its message describes more precisely.
    private static let vague: Set<URLError.Code> = [
        .unknown, .badServerResponse, .cannotConnectToHost, .networkConnectionLost, .unsupportedURL, .badURL,
    ]

    /// Maps an error of the platform to an error with a code.
    ///
    /// - Parameters:
    ///   - error: The platform's error. Any other error is returned unchanged.
    ///   - isBodyShort: Whether the body has fewer bytes than the response announced.
    /// - Returns: A ``ServiceError``, or a `CancellationError`.
    package static func classify(_ error: any Error, isBodyShort: Bool = false) -> any Error {
        guard let error = error as? URLError else { return error }
        if let told = error.errorUserInfo[URLError.serviceErrorKey] as? ServiceError { return told }
        if error.code == .cancelled { return CancellationError() }
        let text = error.localizedDescription
        let known = text.lowercased()
        let isVague = vague.contains(error.code)
        let told = isBodyShort ? .connectionLost : phrases.first { known.contains($0.0) }?.1
        let code = (isVague ? told : nil) ?? ServiceError.Code(error.code) ?? .transport
        return ServiceError(code, text.singleLine(limit: 200), underlying: error)
    }
}

extension URLError {
    /// The key for the error of a `URLProtocol` of this library. Platforms preserve the user info of a `URLError`. Of
    /// any other error, Apple platforms preserve only the domain and the code.
    package static let serviceErrorKey = "ErrandServiceError"
}
