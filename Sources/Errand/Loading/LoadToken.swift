import ErrandSupport

/// Cancels a call that was started with callbacks.
///
/// Dropping the token lets the call go on; put it in a ``LoadToken/Bag`` to tie it to a view's life.
public final class LoadToken: Sendable {
    private let task: Task<Void, Never>
    private let ended: Ended

    /// Unstructured because the caller is not asynchronous: the token is what ends the task early.
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

    /// Ends the call; its callback still runs, with ``ServiceError/Code/cancelled``, unless it has run already.
    public func cancel() {
        task.cancel()
    }

    /// Puts this token in a bag, which cancels it when the bag goes.
    public func store(in bag: LoadToken.Bag) {
        bag.insert(self)
    }
}

extension LoadToken {
    /// Holds tokens and cancels their calls when it is dropped.
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
    /// The closures hold the controller weakly: one that they kept alive would never drop its bag.
    public final class Bag: Sendable {
        private struct State {
            var tokens: [LoadToken] = []
            var sweepAt = 16
        }

        private let state = Locked(State())

        /// Makes an empty bag.
        public init() {}

        deinit { cancelAll() }

        /// Cancels every call whose token is in the bag, and empties it.
        public func cancelAll() {
            let tokens = state.withLock { state in
                defer { state = State() }
                return state.tokens
            }
            for token in tokens { token.cancel() }
        }

        /// Keeps a token. Finished ones are let go whenever the bag has doubled, so a long-lived bag stays small.
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
