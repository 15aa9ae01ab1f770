public import Errand

/// A failed download of a picture: a code for programs and a reason that is safe to print.
public struct DownloadError: Error, Sendable {
    /// The category of a failure. More codes may be added.
    public struct Code: Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture's URL is not an http or https URL, or contains a user name or a password.
        public static let invalidURL: Self = .init("address")
        /// The request for the picture failed. ``DownloadError/cause`` has the details.
        public static let transfer: Self = .init("transfer")
        /// The status of the response is neither 200 nor 206.
        public static let status: Self = .init("status")
        /// The body is empty or is not a picture.
        public static let notAPicture: Self = .init("not a picture")
        /// The body ended before the stated size. The next run continues it if the server supports this.
        public static let truncated: Self = .init("truncated")
        /// The picture can't be written to the disk.
        public static let disk: Self = .init("disk")
    }

    /// The category of the failure.
    public let code: Code
    /// A short description of the failure.
    public let reason: String
    /// The underlying error, if any.
    public let cause: ServiceError?
    /// The reason without the parts that differ between pictures, such as paths, hosts, times and byte counts.
    package let kind: String

    init(_ code: Code, _ reason: String, kind: String? = nil, cause: ServiceError? = nil) {
        self.code = code
        self.reason = reason
        self.kind = kind ?? reason
        self.cause = cause
    }
}

extension DownloadError {
    /// Creates an error from a failed download.
    init(_ failure: ServiceError) {
        switch failure.code {
        case .status:
            let phrase = failure.response.map { " " + $0.printable($0.reason, limit: 1_024) } ?? ""
            self.init(.status, "the server responded with status \(failure.status ?? 0)\(phrase)", cause: failure)
        case .file: self.init(.disk, failure.reason, cause: failure)
        case .connection: self.init(.transfer, failure.reason, kind: "can't connect to the server", cause: failure)
        case .connectionLost:
            let code: Code = failure.response == nil ? .transfer : .truncated
            self.init(code, failure.reason, kind: "the connection was lost", cause: failure)
        case .timeout:
            self.init(.transfer, failure.reason, kind: "the server did not respond in time", cause: failure)
        default: self.init(.transfer, failure.reason, cause: failure)
        }
    }
}

extension DownloadError: CustomStringConvertible {
    /// The reason.
    public var description: String { reason }
}
