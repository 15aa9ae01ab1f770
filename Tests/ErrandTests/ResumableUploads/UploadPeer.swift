import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport

/// A server that implements the three protocols, and loses connections as scripted. A test double uses it directly or
/// over the loopback interface.
final class UploadPeer: Sendable {
    /// The fault of one request with content.
    enum Fault: Sendable {
        /// Stores the first bytes, and loses the connection.
        case lost(after: Int)
        /// Stores all bytes, and loses the response.
        case lostResponse
        /// Stores all bytes, loses the response, and removes the upload.
        case lostUpload
        /// Stores the first bytes, and responds with a status.
        case status(Int, after: Int)
        /// Removes the upload before the request.
        case removed
    }

    struct Message: Sendable {
        let method: String
        let path: String
        let fields: @Sendable (String) -> String?
        let body: Data
    }

    struct Reply: Sendable {
        var status: Int
        var headers: [(String, String)] = []
        var body = ""
    }

    private struct Upload {
        let size: Int
        var bytes = Data()
        var isComplete = false
        var isRemoved = false
    }

    private struct State {
        var faults: [Fault]
        var uploads: [String: Upload] = [:]
        var count = 0
        var log: [String] = []
        var failure: Reply?
    }

    let kind: ResumableUploadProtocol
    /// The prefix of the `Location` of uploads.
    private let location: String
    private let limits: String?
    private let state: Locked<State>

    init(_ kind: ResumableUploadProtocol, _ faults: [Fault] = [], location: String = "", limits: String? = nil) {
        (self.kind, self.location, self.limits) = (kind, location, limits)
        state = Locked(State(faults: faults))
    }

    /// The requests: the method, the path, and the offset and the size of the content.
    var log: [String] { state.withLock { $0.log } }

    /// The content of the uploads that are complete.
    var stored: [Data] { state.withLock { $0.uploads.values.filter(\.isComplete).map(\.bytes) } }

    /// Responds to each request with a status from now on, or normally again.
    func fail(with status: Int?) { state.withLock { $0.failure = status.map { Reply(status: $0) } } }

    /// Returns the response to a request, or `nil` if the connection is lost.
    func reply(to message: Message) -> Reply? {
        state.withLock { state in
            state.log.append(Self.entry(message))
            if let failure = state.failure { return failure }
            return switch (kind.kind, message.method) {
            case (.googleSession, _) where !message.path.hasPrefix("/files/"):
                create(message, "X-Upload-Content-Length", &state)
            case _ where !message.path.hasPrefix("/files/"): create(message, "Upload-Length", &state)
            case (_, "HEAD"): found(message, &state)
            case (.googleSession, "PUT") where message.fields("Content-Range")?.hasPrefix("bytes */") == true:
                found(message, &state)
            default: append(message, &state)
            }
        }
    }

    private static func entry(_ message: Message) -> String {
        let offset = message.fields("Upload-Offset") ?? message.fields("Content-Range")
        return ([message.method, message.path] + (offset.map { [$0, "+\(message.body.count)"] } ?? []))
            .joined(separator: " ")
    }

    private func create(_ message: Message, _ field: String, _ state: inout State) -> Reply {
        guard let size = message.fields(field).flatMap({ Int($0) }) else { return Reply(status: 400) }
        state.count += 1
        let path = "/files/\(state.count)"
        state.uploads[path] = Upload(size: size, isComplete: size == 0 && kind == .tus)
        var headers = [("Location", location + path)]
        if let limits { headers.append(("Upload-Limit", limits)) }
        return Reply(status: kind.kind == .googleSession ? 200 : 201, headers: headers)
    }

    private func found(_ message: Message, _ state: inout State) -> Reply {
        guard let upload = state.uploads[message.path], !upload.isRemoved else { return Reply(status: 404) }
        if kind.kind == .googleSession, upload.size == 0 { state.uploads[message.path]?.isComplete = true }
        return progress(upload, message.method == "HEAD" ? 200 : 308)
    }

    /// The response with the number of stored bytes, or with the value.
    private func progress(_ upload: Upload, _ status: Int) -> Reply {
        let count = "\(upload.bytes.count)"
        switch kind.kind {
        case .tus:
            return Reply(status: status, headers: [("Upload-Offset", count), ("Upload-Length", "\(upload.size)")])
        case .httpDraft:
            let done = ("Upload-Complete", upload.isComplete ? "?1" : "?0")
            let body = upload.isComplete && status == 204 ? "\(count) bytes" : ""
            return Reply(
                status: body.isEmpty ? status : 200, headers: [("Upload-Offset", count), done], body: body)
        case .googleSession:
            if upload.isComplete || upload.size == 0 { return Reply(status: 200, body: "\(count) bytes") }
            return Reply(
                status: 308, headers: upload.bytes.isEmpty ? [] : [("Range", "bytes=0-\(upload.bytes.count - 1)")])
        }
    }

    private func append(_ message: Message, _ state: inout State) -> Reply? {
        let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
        if case .removed = fault { state.uploads[message.path] = nil }
        guard var upload = state.uploads[message.path], !upload.isRemoved else { return Reply(status: 410) }
        guard offset(message) == upload.bytes.count else { return Reply(status: 409) }
        var body = message.body
        switch fault {
        case .lost(let count), .status(_, let count): body = body.prefix(count)
        case .lostUpload: upload.isRemoved = true
        case .lostResponse, .removed, nil: break
        }
        upload.bytes += body
        let isAll = upload.bytes.count == upload.size
        upload.isComplete = isAll && (kind.kind != .httpDraft || message.fields("Upload-Complete") == "?1")
        state.uploads[message.path] = upload
        switch fault {
        case .lost, .lostResponse, .lostUpload: return nil
        case .status(let status, _): return Reply(status: status)
        case .removed, nil: return progress(upload, 204)
        }
    }

    private func offset(_ message: Message) -> Int? {
        if let offset = message.fields("Upload-Offset") { return Int(offset) }
        let range = message.fields("Content-Range") ?? ""
        return Int(range.dropFirst(6).prefix { $0 != "-" })
    }
}

extension UploadPeer {
    /// A session that talks to this server without a network.
    func session(_ note: @escaping @Sendable (APIRequest) async throws -> Void = { _ in }) -> ScriptedSession {
        ScriptedSession(answering: { request in
            try await note(request)
            var body = Data()
            for try await chunk in request.body.chunks {
                request.options.reportUpload(of: Int64(chunk.count))
                body += chunk
            }
            let headers = request.headers
            let message = Message(
                method: request.method.rawValue, path: request.path, fields: { headers[$0] }, body: body)
            guard let reply = self.reply(to: message) else { return .failure(URLError(.networkConnectionLost)) }
            return reply.headers.reduce(CannedReply.text(reply.body, status: reply.status)) { $0.header($1.0, $1.1) }
        })
    }

    /// The response of a loopback server.
    func reply(to request: LoopbackRequest) -> LoopbackReply {
        let message = Message(method: request.method, path: request.path, fields: { request[$0] }, body: request.body)
        guard let reply = reply(to: message) else { return .reset }
        let plain: LoopbackReply = reply.body.isEmpty ? .status(reply.status) : .text(reply.body, status: reply.status)
        return reply.headers.reduce(plain) { $0.header($1.0, $1.1) }
    }
}
