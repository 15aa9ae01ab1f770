import Errand
import ErrandGraphQL

/// The failures that a screen distinguishes.
package enum ClientError: Error, Equatable {
    /// The request was cancelled.
    case cancelled
    /// The service did not respond, because the device is offline or the service is too slow.
    case unreachable
    /// The service returned errors with these messages.
    case refused([String])
    /// Any other failure. The reason is for developers.
    case failed(String)

    init(_ error: ServiceError) {
        self =
            switch error.code {
            case .cancelled: .cancelled
            case .connection, .connectionLost, .transport, .timeout: .unreachable
            case .graphQL: .refused(error.graphQLErrors.map(\.message))
            default: .failed(error.reason)
            }
    }
}
