import ErrandSupport

/// How other threads tell the loop something: commands in a queue, and a pipe that ends the loop's wait.
final class Mailbox: Sendable {
    enum Command: Sendable {
        case stop
        /// A reply that was made asynchronously.
        case reply(LoopbackReply, connection: Int)
        /// A stream has bytes, or has ended.
        case stream(connection: Int)
    }

    private struct State {
        /// `nil` once the mailbox is closed.
        var pipe: WakePipe?
        var commands: [Command] = []
    }

    private let state: Locked<State>
    /// The descriptor that can be read while commands are waiting.
    let wakeDescriptor: Int32

    init() throws(LoopbackError) {
        let pipe = try WakePipe()
        wakeDescriptor = pipe.reader.raw
        state = Locked(State(pipe: pipe))
    }

    /// Without effect once the mailbox is closed.
    func post(_ command: Command) {
        state.withLock { state in
            guard let pipe = state.pipe else { return }
            state.commands.append(command)
            if state.commands.count == 1 { pipe.signal() }
        }
    }

    func takeAll() -> [Command] {
        state.withLock { state in
            if !state.commands.isEmpty { state.pipe?.drain() }
            let commands = state.commands
            state.commands = []
            return commands
        }
    }

    /// Closes the pipe, so that nobody can write to a descriptor that is no longer ours.
    func close() {
        state.withLock { state in
            state.commands = []
            state.pipe = nil
        }
    }
}
