import ErrandSupport

/// A token that cancels an API call that was started with callbacks.
///
/// The API call continues if the token is released. To cancel it with its owner, store the token in a
/// ``LoadToken/Bag``.
public final class LoadToken: Sendable {
    private let task: Task<Void, Never>
    private let ended: Ended

    /// Starts an unstructured task, because the caller is not asynchronous. The token can cancel it.
    init(_ work: @escaping @Sendable () async -> Void) {
        let ended = Ended()
        self.ended = ended
        task = Task {
            await work()
            ended.mark()
        }
    }

    /// Whether the callback has run.
    public var isFinished: Bool { ended.isMarked }

    /// Cancels the API call. Its callback still runs, with ``ServiceError/Code/cancelled``, unless it has already
    /// run.
    public func cancel() {
        task.cancel()
    }

    /// Stores this token in a bag, which cancels the API call when the bag is released.
    public func store(in bag: LoadToken.Bag) {
        bag.insert(self)
    }
}

extension LoadToken {
    /// A collection of tokens that cancels their API calls when it is released.
    ///
    /// ```swift
    /// @MainActor final class GalleryController {
    ///     private let bag = LoadToken.Bag()
    ///     private let loader = APILoader(GalleryAPI(environment: .production))
    ///
    ///     func reload() {
    ///         loader.load(GalleryQuery()) { [weak self] photos in
    ///             self?.show(photos)
    ///         } failure: { [weak self] error in
    ///             self?.explain(error)
    ///         }.store(in: bag)
    ///     }
    /// }
    /// ```
    /// The closures must capture the controller weakly. Otherwise they keep it alive, and its bag is never released.
    public final class Bag: Sendable {
        private struct State {
            var tokens: [LoadToken] = []
            var sweepAt = 16
        }

        private let state = Locked(State())

        /// Creates an empty bag.
        public init() {}

        deinit { cancelAll() }

        /// Cancels the API calls of all tokens in the bag, and empties it.
        public func cancelAll() {
            let tokens = state.withLock { state in
                defer { state = State() }
                return state.tokens
            }
            for token in tokens { token.cancel() }
        }

        /// Adds a token. Removes finished tokens each time the bag has doubled in size, so that a long-lived bag
        /// stays small.
        func insert(_ token: LoadToken) {
            state.withLock { state in
                state.tokens.append(token)
                guard state.tokens.count >= state.sweepAt else { return }
                state.tokens.removeAll(where: \.isFinished)
                state.sweepAt = max(16, state.tokens.count * 2)
            }
        }
    }
}

private final class Ended: Sendable {
    private let flag = Locked(false)

    var isMarked: Bool { flag.withLock { $0 } }

    func mark() { flag.withLock { $0 = true } }
}
