// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-distributed-tracing 1.4.1:
// https://github.com/apple/swift-distributed-tracing/tree/1.4.1/Sources/Tracing
// (Tracer.swift, SpanProtocol.swift). Only the declarations that the recipes and their tests use.

@_exported import Instrumentation
@_exported import ServiceContextModule

public enum SpanKind: Sendable {
    case server, client, producer, consumer, `internal`
}

public struct SpanStatus: Equatable, Sendable {
    public enum Code: Sendable {
        case ok, error
    }

    public let code: Code
    public let message: String?

    public init(code: Code, message: String? = nil) {
        self.code = code
        self.message = message
    }
}

public protocol SpanAttributeConvertible {
    func toSpanAttribute() -> SpanAttribute
}

public enum SpanAttribute: Equatable, Sendable {
    case int64(Int64)
    case double(Double)
    case bool(Bool)
    case string(String)
}

extension SpanAttribute: SpanAttributeConvertible {
    public func toSpanAttribute() -> SpanAttribute { self }
}

extension SpanAttribute: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .int64(Int64(value)) }
}

extension String: SpanAttributeConvertible {
    public func toSpanAttribute() -> SpanAttribute { .string(self) }
}

extension Int: SpanAttributeConvertible {
    public func toSpanAttribute() -> SpanAttribute { .int64(Int64(self)) }
}

extension Double: SpanAttributeConvertible {
    public func toSpanAttribute() -> SpanAttribute { .double(self) }
}

extension Bool: SpanAttributeConvertible {
    public func toSpanAttribute() -> SpanAttribute { .bool(self) }
}

public struct SpanAttributes: Equatable, Sendable {
    private var values: [String: SpanAttribute] = [:]

    public subscript(_ name: String) -> (any SpanAttributeConvertible)? {
        get { values[name] }
        set { values[name] = newValue?.toSpanAttribute() }
    }

    public func forEach(_ callback: (String, SpanAttribute) -> Void) {
        for (name, value) in values { callback(name, value) }
    }
}

extension SpanAttributes: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, SpanAttribute)...) {
        values = Dictionary(elements) { _, later in later }
    }
}

public struct SpanEvent: Equatable, Sendable {
    public let name: String
    public var attributes: SpanAttributes

    public init(name: String, attributes: SpanAttributes = [:]) {
        self.name = name
        self.attributes = attributes
    }
}

public protocol Span: Sendable {
    var context: ServiceContext { get }
    var attributes: SpanAttributes { get nonmutating set }
    func setStatus(_ status: SpanStatus)
    func addEvent(_ event: SpanEvent)
    func recordError(_ error: any Error)
    func end()
}

/// The tracer that the tests set instead of `Tracer`.
package protocol SpanSource: Sendable {
    func startSpan(_ operationName: String, context: ServiceContext, ofKind kind: SpanKind) -> any Span
}

package enum Spans {
    @TaskLocal package static var source: (any SpanSource)?
}

public func withSpan<T>(
    _ operationName: String, context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
    ofKind kind: SpanKind = .internal, isolation: isolated (any Actor)? = #isolation, function: String = #function,
    file fileID: String = #fileID, line: UInt = #line, _ operation: (any Span) async throws -> T
) async rethrows -> T {
    let span = Spans.source?.startSpan(operationName, context: context(), ofKind: kind) ?? NoOpSpan()
    defer { span.end() }
    do {
        return try await ServiceContext.$current.withValue(span.context) { try await operation(span) }
    } catch {
        span.recordError(error)
        throw error
    }
}

public struct NoOpSpan: Span {
    public var context: ServiceContext { .topLevel }
    public var attributes: SpanAttributes {
        get { [:] }
        nonmutating set {}
    }
    public func setStatus(_ status: SpanStatus) {}
    public func addEvent(_ event: SpanEvent) {}
    public func recordError(_ error: any Error) {}
    public func end() {}
}
