/// The state machine of an ``APIModel``. It decides which response is accepted, and which state is shown.
///
/// Each load has a generation. Only the outcome of the current generation is accepted.
package struct LoadMachine<Input: Sendable, Value: Sendable>: Sendable {
    /// An input of the state machine.
    package enum Event: Sendable {
        case load(Input)
        case reload
        case more
        case cancel
        /// A response. `next` is the next input, if the caller has already determined it.
        case response(generation: Int, Loaded<Value>, next: Result<Input?, ServiceError>? = nil)
        case failure(generation: Int, ServiceError)
        /// A stored response, which precedes the response or the failure of the same load.
        case cached(generation: Int, Loaded<Value>, next: Result<Input?, ServiceError>? = nil)
    }

    /// An output of the state machine. An event without actions had no effect.
    package enum Action: Sendable {
        /// Cancel the load in progress.
        case cancelCall
        case call(generation: Int, Input)
        /// Show the stored value. The load is still in progress.
        case show
        /// Resume the waiters, because no load is in progress.
        case settle
    }

    /// The input that was requested last. A reload uses the same target again.
    private struct Target {
        let number: Int
        let input: Input
    }

    private struct Call {
        let generation: Int
        let target: Target
        let input: Input
        /// The number of the page in the list, from 1.
        let page: Int
        /// Joins the value to the shown value. `nil` if the value replaces it.
        let join: (@Sendable (_ shown: Value, _ page: Value) -> Value)?
    }

    /// The next page of the shown value, and the target of its list. `next` is an error if the response does not
    /// determine the page.
    private struct Continuation {
        let target: Target
        let page: Int
        let next: Result<Input, ServiceError>
    }

    private let more: LoadRule<Input, Value>?
    private var generation = 0
    private var target: Target?
    private var call: Call?
    private var settled = LoadState<Value>.idle
    /// The age of the shown value, or `nil` if it came from the server. For a list, that of its oldest page.
    package private(set) var cacheAge: Duration?
    /// `nil` at the end of a list and after a failed load of another target. Otherwise, a page of the older list
    /// could be shown for the newer target.
    private var continuation: Continuation?

    package init(more: LoadRule<Input, Value>? = nil) {
        self.more = more
    }

    /// The state to show.
    package var state: LoadState<Value> { call == nil ? settled : .loading(previous: settled.value) }

    /// Whether the list has a next page and no load is in progress.
    package var canLoadMore: Bool { call == nil && continuation != nil }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .load(let input):
            return ask(Target(number: (target?.number ?? 0) + 1, input: input))
        case .reload:
            return target.map { ask($0) } ?? []
        case .more:
            guard call == nil, let continuation else { return [] }
            return resume(continuation)
        case .cancel:
            guard call != nil else { return [] }
            call = nil
            return [.cancelCall, .settle]
        case .response(let generation, let page, let next):
            return end(generation) { $0.accept(page, next, of: $1) }
        case .failure(let generation, let error):
            return end(generation) { $0.refuse(error, of: $1) }
        case .cached(let generation, let page, let next):
            guard let call, call.generation == generation else { return [] }
            accept(page, next, of: call)
            return [.show]
        }
    }
}

extension LoadMachine {
    private mutating func ask(_ target: Target) -> [Action] {
        self.target = target
        return start(Call(generation: generation + 1, target: target, input: target.input, page: 1, join: nil))
    }

    private mutating func resume(_ continuation: Continuation) -> [Action] {
        switch continuation.next {
        case .success(let input):
            return start(
                Call(
                    generation: generation + 1, target: continuation.target, input: input, page: continuation.page,
                    join: more?.join))
        case .failure(let error):
            settled = .failed(error, previous: settled.value)
            self.continuation = nil
            return [.settle]
        }
    }

    private mutating func start(_ next: Call) -> [Action] {
        let replaced: [Action] = call == nil ? [] : [.cancelCall]
        generation = next.generation
        call = next
        return replaced + [.call(generation: next.generation, next.input)]
    }

    /// Ends the load in progress. The outcome of an older load is ignored.
    private mutating func end(_ generation: Int, _ body: (inout Self, Call) -> Void) -> [Action] {
        guard let call, call.generation == generation else { return [] }
        self.call = nil
        body(&self, call)
        return [.settle]
    }

    private mutating func accept(
        _ response: Loaded<Value>, _ known: Result<Input?, ServiceError>?, of call: Call
    ) {
        if let join = call.join, let shown = settled.value {
            settled = .loaded(join(shown, response.value))
            cacheAge = [cacheAge, response.cacheAge].compactMap(\.self).max()
        } else {
            settled = .loaded(response.value)
            cacheAge = response.cacheAge
        }
        continuation = next(call, response, known).map {
            Continuation(target: call.target, page: call.page + 1, next: $0)
        }
    }

    private func next(
        _ call: Call, _ response: Loaded<Value>, _ known: Result<Input?, ServiceError>?
    ) -> Result<Input, ServiceError>? {
        do {
            let next = if let known { try known.get() } else { try more?.next(call.input, response) }
            guard let next else { return nil }
            return try more?.policy?.allowsPage(after: call.page) ?? true ? .success(next) : nil
        } catch {
            return .failure(
                ServiceError(wrapping: error, as: .badResponse, "cannot determine the next page from the response"))
        }
    }

    private mutating func refuse(_ error: ServiceError, of call: Call) {
        settled = .failed(error, previous: settled.value)
        if continuation?.target.number != call.target.number { continuation = nil }
    }
}
