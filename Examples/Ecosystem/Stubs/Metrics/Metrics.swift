// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-metrics 2.10.1: https://github.com/apple/swift-metrics/blob/2.10.1/Sources/Metrics/Metrics.swift
// Only the declarations that the recipes use.

@_exported import CoreMetrics

@_exported import class CoreMetrics.Timer

extension Timer {
    public func record(duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
