import Errand
import ErrandSupport
import Security

/// A keychain with scripted statuses that records each call.
final class ScriptedKeychain: KeychainStubbing {
    typealias Values = [String: KeychainStub.Value]

    enum Call: Equatable {
        case add(Values)
        case copyMatching(Values)
        case update(Values, Values)
        case delete(Values)

        var query: Values {
            switch self {
            case .add(let values), .copyMatching(let values), .update(let values, _), .delete(let values): values
            }
        }
    }

    private struct State {
        var calls: [Call] = []
        var statuses: [OSStatus]
    }

    private let state: Locked<State>
    private let data: Data?

    /// Creates a keychain that returns the statuses in order, and success after the last one.
    init(_ statuses: OSStatus..., data: Data? = nil) {
        state = Locked(State(statuses: statuses))
        self.data = data
    }

    var calls: [Call] { state.withLock { $0.calls } }

    func add(_ attributes: Values) -> OSStatus { record(.add(attributes)) }
    func update(_ query: Values, _ attributes: Values) -> OSStatus { record(.update(query, attributes)) }
    func delete(_ query: Values) -> OSStatus { record(.delete(query)) }

    func copyMatching(_ query: Values) -> (OSStatus, Data?) {
        let status = record(.copyMatching(query))
        return (status, status == errSecSuccess ? data : nil)
    }

    private func record(_ call: Call) -> OSStatus {
        state.withLock { state in
            state.calls.append(call)
            return state.statuses.isEmpty ? errSecSuccess : state.statuses.removeFirst()
        }
    }
}
