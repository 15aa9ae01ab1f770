public import Errand
import ErrandSupport

/// A session without a network that responds to requests with the responses of a HAR file.
///
/// ```swift
/// let session = ReplaySession(try HTTPArchive(contentsOf: URL(filePath: "Tests/gallery.har")))
/// let photos = try await APILoader(GalleryAPI(environment: .production), session: session).load(GalleryQuery())
/// #expect(photos.count == 10)
/// try session.verify()        // throws if an entry is unused, or a request has no entry
/// ```
/// The file comes from a ``RecordingSession``, from a ``/Errand/FlightRecorder``, or from the developer tools of a
/// browser. Each request uses the first matching entry that is unused. Values that the
/// ``/Errand/RequestOptions/redaction`` of the request hides are not compared.
public final class ReplaySession: APISession {
    /// The parts of a request that are compared with an entry.
    public enum Matching: Sendable, Hashable {
        /// The method, the URL and the body. JSON bodies are compared by value, multipart bodies without their boundary.
        /// A body that was truncated or not recorded is not compared.
        case strict
        /// The method, the host, the path, and the query items in any order.
        case loose
    }

    /// The speed of the responses.
    public enum Pace: Sendable, Hashable {
        /// Without waits.
        case immediate
        /// With the recorded waits before the responses and before the chunks of streamed bodies, on the
        /// loader's clock.
        case recorded
    }

    private struct State {
        var isUsed: [Bool]
        var unmatched: [String] = []
        /// The requests of the entries, masked by each redaction.
        var recorded: [Redaction: [RequestParts]] = [:]
    }

    private let archive: HTTPArchive
    private let matching: Matching
    private let pace: Pace
    private let state: Locked<State>

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - archive: The recorded entries.
    ///   - matching: The compared parts of the requests. The default is ``Matching/strict``.
    ///   - pace: The speed of the responses. The default is ``Pace/immediate``.
    public init(_ archive: HTTPArchive, matching: Matching = .strict, pace: Pace = .immediate) {
        (self.archive, self.matching, self.pace) = (archive, matching, pace)
        state = Locked(State(isUsed: archive.entries.map { _ in false }))
    }

    /// Responds to a request with the first unused entry that matches it.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if no entry matches, the
    ///   recorded failure, and the errors that every session throws.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await ScriptedSession { try self.reply(to: $0) }.send(request)
    }

    /// Checks that every entry was used and that every request had an entry.
    /// - Throws: ``VerificationError`` with the differences of each unmatched request from the most similar entry, and
    ///   with the unused entries.
    public func verify() throws(VerificationError) {
        let state = state.withLock { $0 }
        let unused = archive.entries.indices.filter { !state.isUsed[$0] }.map { index in
            "never used  entry \(index + 1): \(recorded(.standard)[index].summary)"
        }
        let problems = state.unmatched + unused
        guard problems.isEmpty else { throw VerificationError(problems) }
    }

    private func reply(to request: APIRequest) throws(ServiceError) -> CannedReply {
        let redaction = request.options.redaction
        let sent = ReplayedRequest(RecordedExchange(request, limit: .max).unredacted)
        let recorded = recorded(redaction)
        let found = state.withLock { state -> HTTPArchive.Entry? in
            guard
                let index = recorded.indices.first(where: { !state.isUsed[$0] && sent.matches(recorded[$0], matching) })
            else {
                state.unmatched.append(problem(sent, recorded, state.isUsed))
                return nil
            }
            state.isUsed[index] = true
            return archive.entries[index]
        }
        guard let found else {
            throw ServiceError(
                .configuration,
                "the archive has no unused entry for \(sent.summary): call verify() for the differences")
        }
        return CannedReply(found, pace)
    }

    /// Returns the requests of the entries, masked by a redaction.
    private func recorded(_ redaction: Redaction) -> [RequestParts] {
        if let known = state.withLock({ $0.recorded[redaction] }) { return known }
        let recorded = archive.redacted(by: redaction).entries.map { RequestParts($0.request) }
        state.withLock { $0.recorded[redaction] = recorded }
        return recorded
    }

    /// Describes a request without an entry, and its differences from the most similar unused entry.
    private func problem(_ sent: ReplayedRequest, _ recorded: [RequestParts], _ isUsed: [Bool]) -> String {
        let candidates = recorded.indices.filter { !isUsed[$0] }.map { index in
            (index, sent.differences(from: recorded[index], matching))
        }
        guard let (index, lines) = candidates.min(by: { $0.1.count < $1.1.count }) else {
            return "unmatched  \(sent.summary): all entries were used"
        }
        let differences = lines.map { "\n    \($0)" }.joined()
        return "unmatched  \(sent.summary)\n  the most similar unused entry is entry \(index + 1):\(differences)"
    }
}

extension CannedReply {
    /// Creates the reply of an entry.
    fileprivate init(_ entry: HTTPArchive.Entry, _ pace: ReplaySession.Pace) {
        guard let response = entry.response else {
            self = .failure(ServiceError(recorded: entry.failure ?? "connection: no response was received"))
            return
        }
        // The recorded body is decoded, so its coding, length and digest headers no longer apply. A response without a
        // body (HEAD, 304) keeps its `Content-Length`, which describes another representation.
        let isCoded = response.headers["Content-Encoding"] != nil
        let framing =
            ["content-encoding", "transfer-encoding"] + (response.body.bytes.isEmpty ? [] : ["content-length"])
            + (isCoded ? ["content-length", "content-digest", "repr-digest"] : [])
        let headers = response.headers.filter { !framing.contains($0.name.lowercased()) }
        let isPaced = pace == .recorded
        let parts = response.parts
        self.init(status: response.status, headers: HeaderFields(headers), chunks: parts.map(\.bytes))
        if isPaced { (delay, pauses) = (entry.wait, parts.map(\.pause)) }
        if let failure = entry.failure {
            ending = .failure(ServiceError(recorded: failure))
        } else if !response.body.isComplete {
            let size = response.body.size.map { " of \($0)" } ?? ""
            ending = .failure(
                ServiceError(
                    .configuration,
                    "the archive has only the first \(response.body.bytes.count)\(size) bytes of the body"))
        }
    }
}

extension HTTPArchive.Response {
    /// The chunks of the body, with the pause before each.
    fileprivate var parts: [(bytes: Data, pause: Duration)] {
        var (index, moment) = (body.bytes.startIndex, Duration.zero)
        var parts: [(bytes: Data, pause: Duration)] = []
        for chunk in chunks where index < body.bytes.endIndex && chunk.size > 0 {
            let end = index + min(chunk.size, body.bytes.endIndex - index)
            parts.append((Data(body.bytes[index..<end]), max(.zero, chunk.moment - moment)))
            (index, moment) = (end, max(moment, chunk.moment))
        }
        if index < body.bytes.endIndex { parts.append((Data(body.bytes[index...]), .zero)) }
        return parts
    }
}

extension ServiceError {
    /// Creates the error of a recorded failure: `code: reason`.
    fileprivate init(recorded failure: String) {
        let parts = failure.split(separator: ": ", maxSplits: 1)
        // Browsers write other texts.
        guard parts.count == 2, parts[0].utf8.allSatisfy({ $0 == 0x2D || (0x61...0x7A).contains($0) }) else {
            self.init(.connection, failure.singleLine(limit: 300))
            return
        }
        self.init(Code(String(parts[0])), String(parts[1]))
    }
}
