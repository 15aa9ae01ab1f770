import Errand

/// The open event streams: the operations `sse-open`, `sse-close` and `sse-restart` of the driver's protocol.
actor EventStreams {
    private struct Stream {
        let source: EventSource<ServerSentEvent>
        let task: Task<Void, Never>
    }

    private let options: DriverOptions
    private let output: LineWriter
    /// The streams that were not closed, by the text of their identifier. Some may have ended.
    private var streams: [String: Stream] = [:]

    init(_ options: DriverOptions, _ output: LineWriter) {
        (self.options, self.output) = (options, output)
    }

    /// Performs an operation, or returns `nil` if the request is for another one.
    func answer(_ request: OrderedJSON) async -> Operation.Answer? {
        do throws(ServiceError) {
            switch request["op"]?.string {
            case "sse-open":
                guard let session = options.session else { return Operation.unsupported }
                try open(request, over: session)
                return []
            case "sse-close":
                let stream = try stream(request)
                streams[request["stream"]?.text ?? ""] = nil
                stream.task.cancel()
                await stream.task.value
                return [("ok", .bool(true))]
            case "sse-restart":
                try stream(request).source.restart()
                return [("ok", .bool(true))]
            default: return nil
            }
        } catch {
            return error.answer
        }
    }

    /// Closes all streams.
    func close() async {
        let tasks = streams.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func stream(_ request: OrderedJSON) throws(ServiceError) -> Stream {
        guard let stream = streams[request["stream"]?.text ?? ""] else {
            throw ServiceError(.configuration, "invalid stream: expected the id of an open stream")
        }
        return stream
    }

    private func open(_ request: OrderedJSON, over session: any APISession) throws(ServiceError) {
        var settings = EventOptions()
        settings.lastEventID = request["lastEventId"]?.string ?? ""
        if let delay = try request.number("initialDelayMs") { settings.backoff.base = .seconds(delay / 1_000) }
        if let timeout = try request.number("readTimeoutMs") { settings.idleTimeout = .seconds(timeout / 1_000) }
        let call = FetchCall(validatesStatus: true, isRepeatable: true)
        let source = APILoader(call, session: session).events(request, options: settings)
        let id = request["id"] ?? .null
        streams[id.text] = Stream(source: source, task: Task { await report(source, id) })
    }

    private func report(_ source: EventSource<ServerSentEvent>, _ id: OrderedJSON) async {
        do throws(ServiceError) {
            for try await activity in source.activities { await write(activity.answer, id) }
        } catch {
            if error.code != .cancelled { await write(error.failure, id) }
        }
        await write([("closed", .bool(true))], id)
    }

    private func write(_ answer: Operation.Answer, _ id: OrderedJSON) async {
        await output.write(.object([("id", id)] + answer))
    }
}

extension EventActivity {
    /// The activity in the driver's protocol.
    fileprivate var answer: Operation.Answer {
        switch self {
        case .opened: [("opened", .bool(true))]
        case .event(let event): [("event", event.json)]
        case .comment(let text): [("comment", .string(text))]
        case .disconnected(let error, _):
            error?.failure ?? [("failure", .string("the server ended the stream"))]
        }
    }
}

extension ServiceError {
    fileprivate var failure: Operation.Answer { [("failure", .string("\(code): \(reason)"))] }
}
