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
    /// Whether ``loadMore()`` has an effect: the list has a next page, and no load is in progress.
    ///
    /// `false` after a failed load of another input. A further page of the older list would look like a result for
    /// the newer input.
    public private(set) var canLoadMore: Bool = false

    /// Loads the value at a position, and returns the next position if the response determines it.
    typealias Call =
        @Sendable (PagePosition<Input>) async throws(ServiceError) -> (
            loaded: Loaded<Value>, next: Result<PagePosition<Input>?, ServiceError>?
        )

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
        self.init(on: loader.time, more: more?.byPosition) { position throws(ServiceError) in
            (try await loader.response(position.input), nil)
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
    ///   - debounce: The delay before the request, for search as you type. The default is zero. A newer load during
    ///     the delay replaces this one before a request is sent. During the delay, the state is
    ///     ``LoadState/loading(previous:)``.
    public func load(_ input: Input, debounce: Duration = .zero) {
        handle(.load(PagePosition(input)), after: debounce)
    }

    /// Loads the last input again, and cancels a load in progress. Does nothing before the first `load(_:debounce:)`.
    public func reload() {
        handle(.reload)
    }

    /// Loads the next page and joins it to the shown value. Does nothing if ``canLoadMore`` is `false`.
    ///
    /// If the load fails, the state keeps the value, and you can call this method again.
    public func loadMore() {
        handle(.more)
    }

    /// Cancels the load in progress and restores the state before it. Does nothing if no load is in progress.
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
    public func load() {
        load(())
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel {
    private func handle(_ event: LoadMachine<PagePosition<Input>, Value>.Event, after delay: Duration = .zero) {
        let actions = machine.handle(event)
        guard !actions.isEmpty else { return }
        state = machine.state
        canLoadMore = machine.canLoadMore
        for action in actions {
            switch action {
            case .cancelCall: calls.cancelAll()
            case .call(let generation, let position): start(position, generation, after: delay)
            case .settle: for waiter in waiters.values { waiter.end() }
            }
        }
    }

    /// Starts the load in an unstructured task, because the action of a view returns immediately. The task holds the
    /// model weakly, so that releasing the model releases the bag, which cancels the task.
    private func start(_ position: PagePosition<Input>, _ generation: Int, after delay: Duration) {
        let start = delay > .zero ? time.now + delay : nil
        LoadToken { [weak self, time, call] in
            let event: LoadMachine<PagePosition<Input>, Value>.Event
            do throws(ServiceError) {
                if let start { try await time.wait(until: start) }
                let (loaded, next) = try await call(position)
                event = .response(generation: generation, loaded, next: next)
            } catch {
                event = .failure(generation: generation, error)
            }
            await self?.end(event)
        }.store(in: calls)
    }

    private func end(_ event: LoadMachine<PagePosition<Input>, Value>.Event) {
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
