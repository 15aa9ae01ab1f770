public import Observation

/// One API call for a view: what is shown, and the loading of it. A newer load replaces an older one.
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
/// An answer of a call that was replaced or cancelled is never shown, whatever its session does. Dropping the model
/// cancels its call.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class APIModel<T: APIHandler> {
    /// What is asked for.
    public typealias Input = T.RequestDataType
    /// What is shown.
    public typealias Value = T.ResponseDataType

    /// What a view shows.
    public private(set) var state: LoadState<Value> = .idle
    /// Whether ``loadMore()`` would do something: there is more, and nothing is on the way.
    ///
    /// After a failed load of another input there is none: more of the older value would pass for an answer to the
    /// newer input.
    public private(set) var canLoadMore: Bool = false

    /// Loads the answer of a place, and the place that comes next if the answer tells it.
    typealias Call =
        @Sendable (PagePlace<Input>) async throws(ServiceError) -> (
            loaded: Loaded<Value>, next: Result<PagePlace<Input>?, ServiceError>?
        )

    private let time: any TimeSource
    private let call: Call
    @ObservationIgnored private var machine: LoadMachine<PagePlace<Input>, Value>
    @ObservationIgnored private var waiters: [ObjectIdentifier: SettledWaiter] = [:]
    /// Holds the call that is on the way; when the model goes, so does the call.
    @ObservationIgnored private let calls = LoadToken.Bag()
    /// How many calls have come back, late ones too: what a test of late answers waits for.
    @ObservationIgnored package private(set) var endedCalls = 0

    /// Makes a model of a call.
    /// - Parameters:
    ///   - loader: Runs the calls; a debounce waits on its time source.
    ///   - more: How a list goes on. Nil: ``loadMore()`` does nothing.
    public convenience init(_ loader: APILoader<T>, more: More? = nil) {
        self.init(on: loader.time, more: more?.byPlace) { place throws(ServiceError) in
            (try await loader.response(place.input), nil)
        }
    }

    init(on time: any TimeSource, more: LoadRule<PagePlace<Input>, Value>?, call: @escaping Call) {
        (self.time, self.call) = (time, call)
        machine = LoadMachine(more: more)
    }

    /// Loads, in place of whatever is on the way, which is cancelled at once.
    ///
    /// - Parameters:
    ///   - input: What to ask for.
    ///   - debounce: How long to wait before asking, for search as you type: a newer load in this time replaces this
    ///     one before anything was sent. The state is ``LoadState/loading(previous:)`` meanwhile.
    public func load(_ input: Input, debounce: Duration = .zero) {
        handle(.load(PagePlace(input)), after: debounce)
    }

    /// Loads the last input again, in place of whatever is on the way; before the first `load(_:debounce:)` it does
    /// nothing.
    public func reload() {
        handle(.reload)
    }

    /// Loads what comes next and joins it to what is shown. Does nothing unless ``canLoadMore``.
    ///
    /// Where it fails, the value stays shown, and it can be tried again.
    public func loadMore() {
        handle(.more)
    }

    /// Ends what is on the way and goes back to the state before it; does nothing where nothing is.
    public func cancel() {
        handle(.cancel)
    }

    /// Waits until nothing is on the way, and returns the state then.
    ///
    /// Cancelling the waiting task ends its wait at once and not the load; the state is then whatever it is.
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
    /// Loads a call that needs no input, in place of whatever is on the way.
    public func load() {
        load(())
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel {
    private func handle(_ event: LoadMachine<PagePlace<Input>, Value>.Event, after delay: Duration = .zero) {
        let actions = machine.handle(event)
        guard !actions.isEmpty else { return }
        state = machine.state
        canLoadMore = machine.canLoadMore
        for action in actions {
            switch action {
            case .cancelCall: calls.cancelAll()
            case .call(let generation, let place): start(place, generation, after: delay)
            case .settle: for waiter in waiters.values { waiter.end() }
            }
        }
    }

    /// The token's task is unstructured because a view's action returns at once; it holds the model weakly, so that
    /// dropping the model drops the bag, which cancels it.
    private func start(_ place: PagePlace<Input>, _ generation: Int, after delay: Duration) {
        let start = delay > .zero ? time.now + delay : nil
        LoadToken { [weak self, time, call] in
            let event: LoadMachine<PagePlace<Input>, Value>.Event
            do throws(ServiceError) {
                if let start { try await time.wait(until: start) }
                let (loaded, next) = try await call(place)
                event = .answer(generation: generation, loaded, next: next)
            } catch {
                event = .failure(generation: generation, error)
            }
            await self?.end(event)
        }.store(in: calls)
    }

    private func end(_ event: LoadMachine<PagePlace<Input>, Value>.Event) {
        endedCalls += 1
        handle(event)
    }
}

extension TimeSource {
    fileprivate func wait(until instant: Duration) async throws(ServiceError) {
        do {
            try await sleep(until: instant)
        } catch {
            throw ServiceError(wrapping: error, as: .transport, "the wait before the call failed")
        }
    }
}
