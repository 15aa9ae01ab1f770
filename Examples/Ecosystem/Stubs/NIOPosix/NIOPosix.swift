// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-nio 2.101.3: https://github.com/apple/swift-nio/blob/2.101.3/Sources/NIOPosix/HappyEyeballs.swift
// Only the declarations that the recipes and their tests use.

public struct NIOConnectionError: Error {
    public let host: String
    public let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
