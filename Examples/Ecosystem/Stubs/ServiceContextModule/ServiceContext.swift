// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-service-context 1.3.0:
// https://github.com/apple/swift-service-context/blob/1.3.0/Sources/ServiceContextModule/ServiceContext.swift
// Only the declarations that the recipes and their tests use.

public protocol ServiceContextKey: Sendable {
    associatedtype Value: Sendable
}

public struct ServiceContext: Sendable {
    @TaskLocal public static var current: ServiceContext?

    private var values: [ObjectIdentifier: any Sendable] = [:]

    public static var topLevel: ServiceContext { ServiceContext() }

    public subscript<Key: ServiceContextKey>(_ key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
