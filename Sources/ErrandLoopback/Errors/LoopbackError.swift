import Foundation

/// The only error type of this library: a code, and the `errno` of the system call if there is one.
public struct LoopbackError: Error, Sendable, Hashable {
    /// The category of a failure. New codes may be added.
    public struct Code: Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The server cannot start: the port is in use or not permitted, or no descriptors or threads are left.
        public static let cannotListen: Self = .init("cannot listen")
        /// The peer closed the connection, or the server stopped, before the response was complete.
        public static let disconnected: Self = .init("disconnected")
        /// More bytes were written to a stream than its declared content length.
        public static let contentLengthExceeded: Self = .init("content length exceeded")
    }

    /// The category of the failure.
    public let code: Code
    /// The `errno` of the failed system call, or `nil` if the failure has another cause.
    public let systemError: Int32?

    init(_ code: Code, system systemError: Int32? = nil) {
        self.code = code
        self.systemError = systemError
    }
}

extension LoopbackError: CustomStringConvertible {
    /// The name of the code, and the `errno` if there is one.
    public var description: String {
        guard let systemError else { return code.rawValue }
        return "\(code.rawValue) (errno \(systemError))"
    }
}
