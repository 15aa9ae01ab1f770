// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-openapi-runtime 1.11.0:
// https://github.com/apple/swift-openapi-runtime/tree/1.11.0/Sources/OpenAPIRuntime/Interface
// (ClientTransport.swift, HTTPBody.swift, AsyncSequenceCommon.swift).
// Only the declarations that the recipes and their tests use.

public import Foundation
public import HTTPTypes

public protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

public enum IterationBehavior: Sendable {
    case single
    case multiple
}

public final class HTTPBody: Sendable, AsyncSequence {
    public typealias ByteChunk = ArraySlice<UInt8>
    public typealias Element = ByteChunk

    public enum Length: Sendable, Equatable {
        case unknown
        case known(Int64)
    }

    public let iterationBehavior: IterationBehavior
    public let length: Length
    private let open: @Sendable () -> () async throws -> ByteChunk?

    public init<Bytes: AsyncSequence>(
        _ sequence: Bytes, length: HTTPBody.Length, iterationBehavior: OpenAPIRuntime.IterationBehavior
    ) where Bytes.Element == ByteChunk, Bytes: Sendable {
        self.length = length
        self.iterationBehavior = iterationBehavior
        open = {
            var iterator = sequence.makeAsyncIterator()
            return { try await iterator.next() }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let produceNext: () async throws -> ByteChunk?

        public mutating func next() async throws -> ByteChunk? { try await produceNext() }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(produceNext: open()) }
}
