package import Errand
import ErrandSupport

/// A client of a Valkey server, or of Redis 5 or later. It uses one connection for all commands.
///
/// It connects with the first command. If the connection is lost, the waiting commands fail, and the next command connects again.
/// After a failed attempt and after a loss, commands fail immediately for a pause of 0.1 seconds. It doubles with each attempt
/// without a reply, to at most one second.
public final class ValkeyClient: Sendable {
    private struct Link: Sendable {
        let number: Int
        let connection: any ByteConnection
        var calls = ValkeyCallQueue()
        var parser = RESPParser()
        /// The number of missing replies to the commands of the setup.
        var setup: Int
        /// The commands that are sent after the setup. If the server refuses it, it must not execute them for its default user.
        var held = Data()
        /// The time of the last bytes, or of the first command that waits for some.
        var heardAt: Duration
    }

    private struct State: Sendable {
        var link: Link?
        var links = 0
        var isClosed = false
        /// The failed attempts since the last reply, and the last error.
        var failures = 0
        var lastError: ServiceError?
        var pausedUntil: Duration = .zero
        /// Whether a task waits for the next deadline.
        var isWatched = false
    }

    /// The maximum number of commands that wait for replies.
    package static let maximumCalls = 10_000
    private static let pauses: ClosedRange<Duration> = .milliseconds(100) ... .seconds(1)

    private let configuration: Configuration
    private let time: any TimeSource
    private let connect: @Sendable (@escaping @Sendable (ByteConnectionEvent) -> Void) throws -> any ByteConnection
    private let state = Locked(State())

    /// Creates a client. It does not connect yet.
    public convenience init(_ configuration: Configuration) {
        let peer = configuration.peer
        self.init(configuration, time: SystemTime.system) { try peer.connect($0) }
    }

    /// Creates a client with another connection.
    package init(
        _ configuration: Configuration, time: any TimeSource,
        _ connect: @escaping @Sendable (@escaping @Sendable (ByteConnectionEvent) -> Void) throws -> any ByteConnection
    ) {
        (self.configuration, self.time, self.connect) = (configuration, time, connect)
    }

    deinit { close() }

    /// Closes the connection. All waiting and later commands fail with ``/Errand/ServiceError/Code/connectionLost``.
    public func close() {
        let link = state.withLock { state in
            state.isClosed = true
            return state.link
        }
        if let link { drop(link.number, Self.closed) }
    }
}

extension ValkeyClient {
    /// Checks that the server can be reached and accepts the account.
    ///
    /// - Throws: ``/Errand/ServiceError``: ``/Errand/ServiceError/Code/configuration`` for invalid settings,
    ///   ``/Errand/ServiceError/Code/connection``,
    ///   ``/Errand/ServiceError/Code/connectionLost``, ``/Errand/ServiceError/Code/timeout``,
    ///   ``/Errand/ServiceError/Code/authorization``, ``/Errand/ServiceError/Code/tls``,
    ///   ``/Errand/ServiceError/Code/certificate`` or ``/Errand/ServiceError/Code/badResponse``. `CancellationError`.
    public func ping() async throws {
        _ = try await send(RESPCommand("PING"))
    }

    private static let closed = ServiceError(.connectionLost, "the client is closed")

    /// Sends a command.
    ///
    /// - Returns: The reply.
    /// - Throws: ``ServiceError``: ``ServiceError/Code/connection`` or ``ServiceError/Code/connectionLost``,
    ///   ``ServiceError/Code/tls`` or ``ServiceError/Code/certificate``, ``ServiceError/Code/timeout``,
    ///   ``ServiceError/Code/authorization`` if the server does not permit the command, ``ServiceError/Code/badResponse`` for other
    ///   errors of the server and for malformed replies. `CancellationError`.
    package func send(_ command: RESPCommand) async throws -> RESPValue {
        let (call, start) = (ValkeyCall(deadline: SystemTime.system.now + configuration.timeout), time.now)
        let reply = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                if call.begin(waiter) { self.enqueue(call, command.encoded, start) }
            }
        } onCancel: {
            call.end(.failure(CancellationError()))
            self.dropSilentLink()
        }
        if case .error(let text) = reply { throw ValkeyFailure.error(text) }
        return reply
    }

    private func enqueue(_ call: ValkeyCall, _ bytes: Data, _ start: Duration) {
        do {
            let isFirst = try state.withLock { state in
                Result {
                    try add(call, bytes, start, &state)
                    defer { state.isWatched = true }
                    return !state.isWatched
                }
            }.get()
            if isFirst { watch(call.deadline) }
        } catch {
            call.end(.failure(error))
        }
    }

    private func add(_ call: ValkeyCall, _ bytes: Data, _ start: Duration, _ state: inout State) throws {
        if state.isClosed { throw Self.closed }
        if state.link == nil { try open(&state, start) }
        guard state.link?.calls.count ?? 0 < Self.maximumCalls else {
            throw ServiceError(.connection, "more than \(Self.maximumCalls) commands wait for the server")
        }
        if let link = state.link, link.calls.count == 0 { state.link?.heardAt = max(link.heardAt, start) }
        state.link?.calls.append(call)
        if state.link?.setup == 0 { state.link?.connection.send(bytes) } else { state.link?.held.append(bytes) }
    }

    private func open(_ state: inout State, _ start: Duration) throws {
        if time.now < state.pausedUntil, let error = state.lastError { throw error }
        state.links += 1
        let number = state.links
        let connection = try connect { [weak self] in self?.handle($0, of: number) }
        let setup = configuration.setup
        state.link = Link(number: number, connection: connection, setup: setup.count, heardAt: start)
        for command in setup { connection.send(command.encoded) }
    }
}

extension ValkeyClient {
    /// Waits for the next deadline, and fails the overdue commands.
    ///
    /// The task is unstructured because it belongs to all commands. A timer for each of them took most of the time of a command. It
    /// ends when no command waits.
    private func watch(_ deadline: Duration) {
        Task.detached(priority: .userInitiated) { [weak self] in
            var deadline = deadline
            while (try? await SystemTime.system.sleep(until: deadline)) != nil, let next = self?.failOverdue() {
                deadline = next
            }
        }
    }

    /// Returns the next deadline, or `nil` if no command waits.
    private func failOverdue() -> Duration? {
        let now = SystemTime.system.now
        let (overdue, next): ([ValkeyCall], Duration?) = state.withLock { state in
            let (calls, next) = state.link?.calls.overdue(at: now) ?? ([], nil)
            state.isWatched = next != nil
            return (calls, next)
        }
        let milliseconds = configuration.timeout.milliseconds
        for call in overdue { call.end(.failure(ServiceError(.timeout, "no reply within \(milliseconds) ms"))) }
        if !overdue.isEmpty { dropSilentLink() }
        return next
    }

    private func handle(_ event: ByteConnectionEvent, of number: Int) {
        switch event {
        case .opened: break
        case .ended(let error): drop(number, error)
        case .received(let bytes): receive(bytes, number)
        }
    }

    private func receive(_ bytes: Data, _ number: Int) {
        let now = time.now
        let (replies, failure) = state.withLock { state in
            guard state.link?.number == number else { return ([(ValkeyCall, RESPValue)](), ServiceError?.none) }
            state.link?.heardAt = now
            state.link?.parser.append(bytes)
            var replies: [(ValkeyCall, RESPValue)] = []
            do {
                while let reply = try state.link?.parser.next() {
                    if let pair = try Self.assign(reply, &state) { replies.append(pair) }
                }
                return (replies, nil)
            } catch {
                let failure = (error as? RESPFailure).map { ServiceError(.badResponse, "malformed reply: \($0)") }
                return (replies, failure ?? ServiceError(wrapping: error, as: .badResponse, "malformed reply"))
            }
        }
        for (call, reply) in replies { call.end(.success(reply)) }
        if let failure { drop(number, failure) }
    }

    /// Returns the call of a reply, or `nil` for a reply of the setup and for a message without a call.
    private static func assign(_ reply: RESPValue, _ state: inout State) throws -> (ValkeyCall, RESPValue)? {
        if case .push = reply { return nil }
        if let missing = state.link?.setup, missing > 0 {
            if case .error(let text) = reply { throw ValkeyFailure.error(text) }
            state.link?.setup = missing - 1
            if missing == 1, let held = state.link?.held {
                state.link?.connection.send(held)
                state.link?.held = Data()
            }
            return nil
        }
        // A new connection may reach the server that has replaced this one.
        if case .error(let text) = reply, ValkeyFailure.isFromReplica(text) { throw ValkeyFailure.error(text) }
        guard let call = state.link?.calls.popFirst() else {
            throw ServiceError(.badResponse, "the server sent a reply without a command")
        }
        (state.failures, state.lastError) = (0, nil)
        return (call, reply)
    }

    /// Ends a connection, and its calls with an error.
    private func drop(_ number: Int, _ error: ServiceError) {
        let now = time.now
        let link: Link? = state.withLock { state in
            guard let link = state.link, link.number == number else { return nil }
            state.link = nil
            let pause = Self.pauses.lowerBound * (1 << min(state.failures, 10))
            state.failures += 1
            state.lastError = error
            state.pausedUntil = now + min(pause, Self.pauses.upperBound)
            return link
        }
        guard var link else { return }
        link.connection.close()
        for call in link.calls.removeAll() { call.end(.failure(error)) }
    }

    /// Ends a connection from which nothing has arrived for the whole timeout although a command waits.
    private func dropSilentLink() {
        let now = time.now
        let number: Int? = state.withLock { state in
            guard let link = state.link, link.calls.count > 0, now - link.heardAt >= configuration.timeout else {
                return nil
            }
            return link.number
        }
        guard let number else { return }
        drop(number, ServiceError(.timeout, "the server has sent nothing for \(configuration.timeout.milliseconds) ms"))
    }
}
