package import Errand

/// What the lottery's server answers when it refuses.
package struct LotteryError: Error, Decodable, Equatable {
    package let code: Int
    package let message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }
}

/// The house is closed: its answers have a status of success, and a body that says so.
package struct ClosedForMaintenance: Error, Equatable {}

extension ResponseValidator {
    /// The server's own error, whatever the status.
    package static let lotteryError: ResponseValidator = .serverError(LotteryError.self, statuses: 200..<600)

    /// One of your own: it throws what the call is to fail with.
    package static let open = ResponseValidator { _, response, _ in
        if response.value(forHTTPHeaderField: "X-Maintenance") == "on" { throw ClosedForMaintenance() }
    }
}
