import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

/// A GraphQL service in single connection mode, written from the text of the protocol GraphQL over SSE.
final class SingleConnectionService: APISession {
    /// A response that replaces that of the service.
    enum Fault: Sendable {
        case reply(Int, String, type: String = "application/json")
        case failure(URLError)
        /// The operation is executed. Its response is lost when the gate opens.
        case lost(Gate)
        /// No response until the request is cancelled.
        case stall
    }

    private typealias Stream = AsyncThrowingStream<Data, any Error>.Continuation

    private struct State {
        var log: [String] = []
        var requests: [APIRequest] = []
        var lastToken = 0
        var reserved: Set<String> = []
        var streams: [String: Stream] = [:]
        var operations: Set<String> = []
        var faults: [HTTPMethod: [Fault]] = [:]
        var waiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// The requests so far: method, token and operation ID. `CLOSED` is the end of a stream by the client.
    var log: [String] { state.withLock { $0.log } }
    var requests: [APIRequest] { state.withLock { $0.requests } }

    /// Adds faults for the next requests with a method.
    func fail(_ method: HTTPMethod, _ faults: Fault...) {
        state.withLock { $0.faults[method, default: []] += faults }
    }

    /// Waits until the log has a number of entries or the task is cancelled, and returns the log.
    func log(_ count: Int) async -> [String] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isReached = state.withLock { state in
                    if state.log.count >= count || Task.isCancelled { return true }
                    state.waiters.append((count, waiter))
                    return false
                }
                if isReached { waiter.resume() }
            }
        } onCancel: {
            // The other waiters are those of the same test.
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for (_, waiter) in waiters { waiter.resume() }
        }
        return log
    }

    func send(_ request: APIRequest) async throws -> APIResponse {
        let url = try #require(request.url)
        let token = request.headers["X-GraphQL-Event-Stream-Token"] ?? ""
        let fault = state.withLock { state -> Fault? in
            state.requests.append(request)
            guard state.faults[request.method]?.isEmpty == false else { return nil }
            return state.faults[request.method]?.removeFirst()
        }
        switch fault {
        case .reply(let status, let text, let type):
            note("\(request.method.rawValue) \(status)")
            return response(status, type, text, url)
        case .failure(let error):
            note("\(request.method.rawValue) failed")
            throw error
        case .lost(let gate):
            _ = execute(try Self.operationID(request), token, url)
            await gate.wait()
            throw URLError(.networkConnectionLost)
        case .stall:
            note("\(request.method.rawValue) stalled")
            await waitUntilCancelled()
            throw CancellationError()
        case nil: break
        }
        switch request.method {
        case .put: return reserve(url)
        case .get: return open(token, url)
        case .delete: return stop(token, url)
        default: return execute(try Self.operationID(request), token, url)
        }
    }

    private static func operationID(_ request: APIRequest) throws -> String {
        struct Body: Decodable {
            struct Extensions: Decodable { let operationId: String }
            let extensions: Extensions
        }
        return try JSONDecoder().decode(Body.self, from: request.body.data ?? Data()).extensions.operationId
    }

    private func note(_ entry: String) {
        let ready = state.withLock { state in
            state.log.append(entry)
            let ready = state.waiters.filter { $0.count <= state.log.count }
            state.waiters.removeAll { $0.count <= state.log.count }
            return ready
        }
        for (_, waiter) in ready { waiter.resume() }
    }

    private func response(_ status: Int, _ type: String, _ text: String, _ url: URL) -> APIResponse {
        let head = ResponseHead(status: status, headers: type.isEmpty ? [:] : ["Content-Type": type], url: url)
        return APIResponse(head: head, body: ResponseBody(Data(text.utf8)))
    }

    private func reserve(_ url: URL) -> APIResponse {
        let token = state.withLock { state in
            state.lastToken += 1
            state.reserved.insert("t\(state.lastToken)")
            return "t\(state.lastToken)"
        }
        note("PUT")
        return response(201, "text/plain", token, url)
    }

    private func open(_ token: String, _ url: URL) -> APIResponse {
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        let isReserved = state.withLock { state in
            guard state.reserved.remove(token) != nil else { return false }
            state.streams[token] = continuation
            return true
        }
        guard isReserved else { return response(404, "", "", url) }
        continuation.onTermination = { [weak self] end in
            if case .cancelled = end { self?.close(token) }
        }
        continuation.yield(Data(":\n\n".utf8))
        note("GET \(token)")
        let head = ResponseHead(status: 200, headers: ["Content-Type": "text/event-stream"], url: url)
        return APIResponse(head: head, body: ResponseBody(stream: stream))
    }

    private func close(_ token: String) {
        state.withLock { state in
            state.streams[token] = nil
            state.operations = state.operations.filter { !$0.hasPrefix("\(token) ") }
        }
        note("CLOSED \(token)")
    }

    private func execute(_ id: String, _ token: String, _ url: URL) -> APIResponse {
        let status = state.withLock { state in
            guard state.streams[token] != nil else { return 404 }
            return state.operations.insert("\(token) \(id)").inserted ? 202 : 409
        }
        note("POST \(token) \(id)")
        return response(status, "", "", url)
    }

    private func stop(_ token: String, _ url: URL) -> APIResponse {
        let id = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first?.value ?? ""
        state.withLock { _ = $0.operations.remove("\(token) \(id)") }
        note("DELETE \(token) \(id)")
        return response(200, "", "", url)
    }
}

extension SingleConnectionService {
    /// Sends text to all open streams.
    func write(_ text: String) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(Data(text.utf8)) }
    }

    /// Sends a comment of a post as an update.
    func emit(_ text: String, to id: String) {
        write(
            """
            event: next\ndata: {"id":"\(id)","payload":{"data":{"commentAdded":{"text":"\(text)"}}}}\n\n
            """)
    }

    /// Sends an update to each operation.
    func emitToAll(_ text: String) {
        let ids = state.withLock { state in
            state.operations.map { String($0.drop { $0 != " " }.dropFirst()) }
        }
        for id in ids { emit(text, to: id) }
    }

    /// Whether no stream and no operation is open.
    var isIdle: Bool { state.withLock { $0.streams.isEmpty && $0.operations.isEmpty } }

    func complete(_ id: String) {
        write("event: complete\ndata: {\"id\":\"\(id)\"}\n\n")
    }

    /// Ends all streams: with an error, or by the service.
    func drop(_ error: URLError? = nil) {
        let streams = state.withLock { state in
            defer { (state.streams, state.operations) = ([:], []) }
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish(throwing: error) }
    }
}
