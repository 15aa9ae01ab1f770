// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-distributed-tracing 1.4.1:
// https://github.com/apple/swift-distributed-tracing/tree/1.4.1/Sources/Instrumentation
// (Instrument.swift, InstrumentationSystem.swift). Only the declarations that the recipes and their tests use.

public import ServiceContextModule

public protocol Injector: Sendable {
    associatedtype Carrier: Sendable
    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}

public protocol Instrument: Sendable {
    func inject<Carrier, Inject>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject: Injector, Inject.Carrier == Carrier
}

public enum InstrumentationSystem {
    @TaskLocal package static var installed: any Instrument = NoOpInstrument()

    public static var instrument: any Instrument { installed }
}

public struct NoOpInstrument: Instrument {
    public func inject<Carrier, Inject>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Inject.Carrier == Carrier {}
}
