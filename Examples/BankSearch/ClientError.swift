import Errand
import ErrandGraphQL

/// What a screen tells apart.
package enum ClientError: Error, Equatable {
    /// Nobody waits for it any longer.
    case cancelled
    /// There was no answer: the device is offline, or the service too slow.
    case unreachable
    /// The service said no, with these messages.
    case refused([String])
    /// Anything else; the reason is for developers.
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
