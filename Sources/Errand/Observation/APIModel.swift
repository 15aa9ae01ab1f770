public import Observation

/// An observable model that runs an API call for a view. A newer load replaces an older one.
///
/// ```swift
/// @State private var model = APIModel(APILoader(GalleryAPI(environment: .production)), more: .numbered(\.page))
///
/// List(model.state.value ?? []) { photo in
///     PhotoRow(photo).onAppear { if photo == model.state.value?.last { model.loadMore() } }
/// }
/// .overlay { Text(model.state.error?.reason ?? "") }
/// .task { model.load(GalleryQuery()) }
/// .refreshable {
///     await model.reload()
///     await model.settled()
/// }
/// ```
/// The response of a replaced or cancelled load is never shown, even if its session ignores cancellation. Releasing
/// the model cancels its load.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class APIModel<T: APIHandler> {
    /// The input of the API call.
    public typealias Input = T.RequestDataType
    /// The value of the API call.
    public typealias Value = T.ResponseDataType

    /// The state to show.
    public private(set) var state: LoadState<Value> = .idle
    /// The age of the shown value if a ``CacheInterceptor`` had stored it, or `nil` if it came from the server.
    ///
    /// It is the age at the time of the load. For a list with several pages, it is that of the oldest page.
    public private(set) var cacheAge: Duration?
    /// Whether ``loadMore()`` has an effect: the list has a next page, and no load is in progress.
    ///
    /// `false` after a failed load of another input. A further page of the older list would look like a result for
    /// the newer input.
    public private(set) var canLoadMore: Bool = false

    /// A loaded value, and the next position if the response determines it.
    typealias Outcome = (loaded: Loaded<Value>, next: Result<PagePosition<Input>?, ServiceError>?)
    /// Loads the value at a position. The second argument changes the options of the handler.
    typealias Call =
        @Sendable (PagePosition<Input>, @Sendable (inout RequestOptions) -> Void) async throws(ServiceError) -> Outcome

    private let time: any TimeSource
    private let call: Call
    @ObservationIgnored private var machine: LoadMachine<PagePosition<Input>, Value>
    @ObservationIgnored private var waiters: [ObjectIdentifier: SettledWaiter] = [:]
    /// Contains the token of the current load. Releasing the model releases the bag, which cancels the load.
    @ObservationIgnored private let calls = LoadToken.Bag()
    /// The number of loads that have ended, including replaced ones. Tests of late responses wait for it.
    @ObservationIgnored package private(set) var endedCalls = 0

    /// Creates a model of an API call.
    /// - Parameters:
    ///   - loader: The loader that runs the API call. Its time source is used for the debounce delay.
    ///   - more: The rule that finds the next page of a list. If `nil` (the default), ``loadMore()`` does nothing.
    public convenience init(_ loader: APILoader<T>, more: More? = nil) {
        self.init(on: loader.time, more: more?.byPosition) { position, configure throws(ServiceError) in
            let loaded = try await loader.response(position.input) {
                configure(&$0.options)
            }
            return (loaded.0, nil)
        }
    }

    init(on time: any TimeSource, more: LoadRule<PagePosition<Input>, Value>?, call: @escaping Call) {
        (self.time, self.call) = (time, call)
        machine = LoadMachine(more: more)
    }

    /// Starts a load, and immediately cancels a load in progress.
    ///
    /// - Parameters:
    ///   - input: The input of the API call.
    ///   - showingCached: Whether to show a stored value first, even if it is stale. The default is `false`. While the
    ///     state is ``LoadState/loading(previous:)`` with the stored value, ``cacheAge`` is its age. The load then
    ///     continues like any other load, and its value replaces the stored one. If it fails, the stored value remains.
    ///     The session must have a ``CacheInterceptor``. Otherwise, the parameter has no effect.
    ///   - debounce: The delay before the request, for search as you type. The default is zero. A newer load during
    ///     the delay replaces this one before a request is sent. During the delay, the state is
    ///     ``LoadState/loading(previous:)``.
    public func load(_ input: Input, showingCached: Bool = false, debounce: Duration = .zero) {
        handle(.load(PagePosition(input)), after: debounce, showingCached: showingCached)
    }

    /// Loads the last input again, and cancels a load in progress. Does nothing before the first
    /// `load(_:showingCached:debounce:)`. A stored value is not shown first.
    public func reload() {
        handle(.reload)
    }

    /// Loads the next page and joins it to the shown value. Does nothing if ``canLoadMore`` is `false`.
    ///
    /// If the load fails, the state keeps the value, and you can call this method again.
    public func loadMore() {
        handle(.more)
    }

    /// Cancels the load in progress and restores the state before it. A stored value that the load has already shown
    /// remains. Does nothing if no load is in progress.
    public func cancel() {
        handle(.cancel)
    }

    /// Waits until no load is in progress, and returns the state.
    ///
    /// Cancelling the waiting task ends the wait immediately, but not the load. The current state is then returned.
    @discardableResult
    public func settled() async -> LoadState<Value> {
        while state.isLoading, !Task.isCancelled {
            let waiter = SettledWaiter()
            waiters[ObjectIdentifier(waiter)] = waiter
            await waiter.wait()
            waiters[ObjectIdentifier(waiter)] = nil
        }
        return state
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel where T.RequestDataType == Void {
    /// Starts a load of an API call without input, and immediately cancels a load in progress.
    ///
    /// - Parameter showingCached: Whether to show a stored value first, as in `load(_:showingCached:debounce:)`.
    public func load(showingCached: Bool = false) {
        load((), showingCached: showingCached)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel {
    private typealias Event = LoadMachine<PagePosition<Input>, Value>.Event

    private func handle(_ event: Event, after delay: Duration = .zero, showingCached: Bool = false) {
        let actions = machine.handle(event)
        guard !actions.isEmpty else { return }
        state = machine.state
        cacheAge = machine.cacheAge
        canLoadMore = machine.canLoadMore
        for action in actions {
            switch action {
            case .cancelCall: calls.cancelAll()
            case .call(let generation, let position): start(position, generation, after: delay, showingCached)
            case .show: break
            case .settle: for waiter in waiters.values { waiter.end() }
            }
        }
    }

    /// Starts the load in an unstructured task, because the action of a view returns immediately. The task holds the
    /// model weakly, so that releasing the model releases the bag, which cancels the task.
    private func start(
        _ position: PagePosition<Input>, _ generation: Int, after delay: Duration, _ showingCached: Bool
    ) {
        let start = delay > .zero ? time.now + delay : nil
        LoadToken { [weak self, time, call] in
            let event: Event
            do throws(ServiceError) {
                if let start { try await time.wait(until: start) }
                var isShown = false
                var outcome = showingCached ? try await Self.storedOutcome(of: call, at: position) : nil
                if let stored = outcome, stored.loaded.cacheAge != nil {
                    await self?.handle(.cached(generation: generation, stored.loaded, next: stored.next))
                    (outcome, isShown) = (nil, true)
                }
                // The stored value is shown already, so this is the value that the server confirms.
                let waits = isShown
                let (loaded, next) =
                    if let outcome { outcome } else { try await call(position) { $0.waitsForValidation = waits } }
                event = .response(generation: generation, loaded, next: next)
            } catch {
                event = .failure(generation: generation, error)
            }
            await self?.end(event)
        }.store(in: calls)
    }

    /// Returns the stored value, or `nil` if there is none that can be used. Without a cache, returns the value of the
    /// server.
    private nonisolated static func storedOutcome(
        of call: Call, at position: PagePosition<Input>
    ) async throws(ServiceError) -> Outcome? {
        do throws(ServiceError) {
            return try await call(position) { $0.cacheMode = .onlyIfCached }
        } catch {
            // A stored response can be an error, too. Any other failure is not one of the cache, and would occur again.
            guard error.code == .notCached || error.response?.cacheAge != nil else { throw error }
            return nil
        }
    }

    private func end(_ event: Event) {
        endedCalls += 1
        handle(event)
    }
}

extension TimeSource {
    fileprivate func wait(until instant: Duration) async throws(ServiceError) {
        do {
            try await sleep(until: instant)
        } catch {
            throw ServiceError(wrapping: error, as: .transport, "the debounce delay failed")
        }
    }
}
