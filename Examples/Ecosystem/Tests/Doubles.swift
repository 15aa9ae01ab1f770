import AsyncHTTPClient
import CoreMetrics
import Errand
import Logging
import NIOCore
import Tracing

/// A session that creates each response with a closure.
struct Canned: APISession {
    let respond: @Sendable (APIRequest) async throws -> APIResponse

    func send(_ request: APIRequest) async throws -> APIResponse {
        try request.checkSendable()
        return try await respond(request)
    }
}

/// Values that are appended from any task.
struct Kept<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func append(_ element: Element) { continuation.yield(element) }

    /// All values. Later ones are dropped.
    func all() async -> [Element] {
        continuation.finish()
        return await stream.reduce(into: []) { $0.append($1) }
    }
}

struct KeptLog: LogHandler {
    let lines: Kept<String>
    var logLevel: Logger.Level = .debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.level) \(event.message)") }
}

struct KeptMetrics: MetricsFactory {
    let values: Kept<String>

    private final class Handler: CounterHandler, TimerHandler {
        let name: String
        let values: Kept<String>

        init(_ label: String, _ dimensions: [(String, String)], _ values: Kept<String>) {
            name = ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
            self.values = values
        }

        func increment(by amount: Int64) { values.append("\(name): \(amount)") }
        func recordNanoseconds(_ duration: Int64) { values.append("\(name): \(duration >= 0)") }
        func reset() {}
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(label, dimensions, values)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(label, dimensions, values)
    }
}

/// A span that stores its values, and a tracer that injects a fixed `traceparent`.
struct KeptSpan: Span, SpanSource, Instrument {
    static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    let facts: Kept<String>
    var context: ServiceContext { .topLevel }

    var attributes: SpanAttributes {
        get { [:] }
        nonmutating set { newValue.forEach { name, value in facts.append("\(name) \(value)") } }
    }

    func startSpan(_ name: String, context: ServiceContext, ofKind kind: SpanKind) -> any Span {
        facts.append("start \(name) \(kind)")
        return self
    }

    func setStatus(_ status: SpanStatus) {}
    func addEvent(_ event: SpanEvent) { facts.append("event \(event.name)") }
    func recordError(_ error: any Error) { facts.append("error \((error as? ServiceError)?.code.description ?? "")") }
    func end() { facts.append("end") }

    func inject<Carrier, Inject>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Inject.Carrier == Carrier {
        injector.inject(Self.traceparent, forKey: "traceparent", into: &carrier)
    }
}
