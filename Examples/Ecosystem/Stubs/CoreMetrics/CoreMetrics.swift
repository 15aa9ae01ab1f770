// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-metrics 2.10.1:
// https://github.com/apple/swift-metrics/blob/2.10.1/Sources/CoreMetrics/Metrics.swift
// Only the declarations that the recipes and their tests use.

public final class Counter: Sendable {
    private let handler: any CounterHandler

    public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
        handler = factory.makeCounter(label: label, dimensions: dimensions)
    }

    public convenience init(label: String, dimensions: [(String, String)] = []) {
        self.init(label: label, dimensions: dimensions, factory: MetricsSystem.factory)
    }

    public func increment<DataType: BinaryInteger>(by amount: DataType) { handler.increment(by: Int64(amount)) }

    public func increment() { increment(by: 1) }
}

public final class Timer: Sendable {
    private let handler: any TimerHandler

    public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
        handler = factory.makeTimer(label: label, dimensions: dimensions)
    }

    public convenience init(label: String, dimensions: [(String, String)] = []) {
        self.init(label: label, dimensions: dimensions, factory: MetricsSystem.factory)
    }

    public func recordNanoseconds(_ duration: Int64) { handler.recordNanoseconds(duration) }
}

public protocol CounterHandler: AnyObject, Sendable {
    func increment(by: Int64)
    func reset()
}

public protocol TimerHandler: AnyObject, Sendable {
    func recordNanoseconds(_ duration: Int64)
}

public protocol MetricsFactory: Sendable {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler
}

public enum MetricsSystem {
    @TaskLocal package static var installed: (any MetricsFactory)?

    public static var factory: any MetricsFactory { installed ?? NOOPMetricsHandler() }
}

public final class NOOPMetricsHandler: MetricsFactory, CounterHandler, TimerHandler {
    public init() {}
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { self }
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { self }
    public func increment(by: Int64) {}
    public func reset() {}
    public func recordNanoseconds(_ duration: Int64) {}
}
