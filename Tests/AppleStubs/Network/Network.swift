// swift-format-ignore-file
// The part of Apple's Network framework that the package uses. It connects to nothing.

import Dispatch
import Foundation

// https://developer.apple.com/documentation/network/nwerror
public enum NWError: Error, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(Int32)
    case wifiAware(Int32)
}

// https://developer.apple.com/documentation/network/nwendpoint
public enum NWEndpoint: Sendable {
    // https://developer.apple.com/documentation/network/nwendpoint/host
    public struct Host: Sendable {
        public init(_ string: String) {}
    }

    // https://developer.apple.com/documentation/network/nwendpoint/port
    public struct Port: Sendable {
        public init?(rawValue: UInt16) {}
    }
}

// https://developer.apple.com/documentation/network/nwparameters
public final class NWParameters: @unchecked Sendable {
    public class var tcp: NWParameters { NWParameters() }
    public class var tls: NWParameters { NWParameters() }
}

// https://developer.apple.com/documentation/network/nwconnection
public final class NWConnection: @unchecked Sendable {
    // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum
    public enum State: Equatable, Sendable {
        case setup
        case waiting(NWError)
        case preparing
        case ready
        case failed(NWError)
        case cancelled
        public static func == (lhs: State, rhs: State) -> Bool { false }
    }

    // https://developer.apple.com/documentation/network/nwconnection/contentcontext
    public final class ContentContext: Sendable {
        public static let defaultMessage = ContentContext()
    }

    // https://developer.apple.com/documentation/network/nwconnection/sendcompletion
    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (NWError?) -> Void)
        case idempotent
    }

    // https://developer.apple.com/documentation/network/nwconnection
    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) {}
    public var state: State { .setup }
    public var stateUpdateHandler: (@Sendable (State) -> Void)?
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true, completion: SendCompletion
    ) {}
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int,
        completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) {}
}
