public import Errand
import ErrandSupport

/// A session that records the requests and responses of another one.
///
/// ```swift
/// let recording = RecordingSession(.platform)
/// _ = try await APILoader(GalleryAPI(environment: .production), session: recording).load(GalleryQuery())
/// try recording.archive.write(to: folder.appending(path: "gallery.har"))
/// ```
/// A ``ReplaySession`` replays the file in tests, without a network. The values of hidden names are masked
/// (``/Errand/RequestOptions/redaction``). Streamed response bodies are recorded with the times of their chunks. Request
/// bodies from files and streams, and response bodies that the session cannot decode, are not recorded.
public final class RecordingSession: APISession {
    private let inner: any APISession
    private let bodyLimit: Int
    private let exchanges = Locked<[RecordedExchange]>([])

    /// The default maximum size of a recorded body: 16 MB.
    public static let defaultBodyLimit: Int = 16 << 20

    /// Creates a session that sends requests with another one.
    ///
    /// - Parameters:
    ///   - session: The session to record.
    ///   - bodyLimit: The maximum number of recorded bytes of each body. The default is 16 MB. The replay of a longer
    ///     response body fails. A longer request body is not compared.
    public init(_ session: some APISession, bodyLimit: Int = RecordingSession.defaultBodyLimit) {
        (inner, self.bodyLimit) = (session, bodyLimit)
    }

    /// The recorded entries so far, in the order of their requests. The values of hidden names are masked.
    public var archive: HTTPArchive { HTTPArchive(exchanges.withLock { $0 }.map(\.unredacted)) }

    /// Sends a request and records it.
    /// - Throws: The error of the session.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        let exchange = RecordedExchange(request, limit: bodyLimit)
        exchanges.withLock { $0.append(exchange) }
        return try await exchange.send(request, to: inner)
    }
}
