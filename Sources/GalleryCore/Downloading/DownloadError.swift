public import Errand

/// Why a picture is not there: a code to branch on, and a reason that is safe to print.
public struct DownloadError: Error, Sendable {
    /// What went wrong, in general; more codes may be added.
    public struct Code: Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Makes a code from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture's address is not http or https, or holds a user name or a password.
        public static let address: Self = .init("address")
        /// The picture could not be fetched; ``DownloadError/cause`` says more.
        public static let transfer: Self = .init("transfer")
        /// The server answered with another status than 200.
        public static let status: Self = .init("status")
        /// What arrived is not a picture, or nothing at all.
        public static let notAPicture: Self = .init("not a picture")
        /// The picture has another size than the server states.
        public static let truncated: Self = .init("truncated")
        /// The picture can't be written.
        public static let disk: Self = .init("disk")
    }

    /// What to branch on.
    public let code: Code
    /// What went wrong, in one clause for a person.
    public let reason: String
    /// What caused it, where there is more to know.
    public let cause: ServiceError?
    /// The reason without the parts that differ between pictures: paths, hosts, times and byte counts.
    package let kind: String

    init(_ code: Code, _ reason: String, kind: String? = nil, cause: ServiceError? = nil) {
        self.code = code
        self.reason = reason
        self.kind = kind ?? reason
        self.cause = cause
    }
}

extension DownloadError {
    /// A failure of the session.
    init(_ failure: ServiceError) {
        let kind: String? =
            switch failure.code {
            case .connection: "can't connect to the server"
            case .connectionLost: "the connection was lost"
            case .timeout: "the server did not respond in time"
            default: nil
            }
        self.init(.transfer, failure.reason, kind: kind, cause: failure)
    }
}

extension DownloadError: CustomStringConvertible {
    /// The reason.
    public var description: String { reason }
}
