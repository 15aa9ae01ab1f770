package import Errand

/// The error response of the lottery server.
package struct LotteryError: Error, Decodable, Equatable {
    package let code: Int
    package let message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }
}

/// The error for a response during maintenance. Such a response can have status 200.
package struct ClosedForMaintenance: Error, Equatable {}

extension ResponseValidator {
    /// Throws the server's error for every status.
    package static let lotteryError: ResponseValidator = .serverError(LotteryError.self, statuses: 200..<600)

    /// A custom validator. The error that it throws becomes the underlying error of the API call.
    package static let open = ResponseValidator { _, response, _ in
        if response.value(forHTTPHeaderField: "X-Maintenance") == "on" { throw ClosedForMaintenance() }
    }
}
