import Foundation

/// The one error that this library throws: a code to branch on, and the system's number where it gave one.
public struct LoopbackError: Error, Sendable, Hashable {
    /// What went wrong, in general; more codes may be added.
    public struct Code: Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Makes a code from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The server could not be started: the port is taken or not allowed, or descriptors or threads ran out.
        public static let cannotListen: Self = .init("cannot listen")
        /// The peer closed the connection, or the server stopped, before the reply was complete.
        public static let disconnected: Self = .init("disconnected")
        /// A stream was given more bytes than the content length it had declared.
        public static let contentLengthExceeded: Self = .init("content length exceeded")
    }

    /// What to branch on.
    public let code: Code
    /// The `errno` of the system call that failed; `nil` when none did.
    public let systemError: Int32?

    init(_ code: Code, system systemError: Int32? = nil) {
        self.code = code
        self.systemError = systemError
    }
}

extension LoopbackError: CustomStringConvertible {
    /// The code, and the system's number for it.
    public var description: String {
        guard let systemError else { return code.rawValue }
        return "\(code.rawValue) (errno \(systemError))"
    }
}
