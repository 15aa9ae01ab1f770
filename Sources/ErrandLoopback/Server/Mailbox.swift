import ErrandSupport

/// Passes commands from other threads to the event loop: a queue, and a pipe that ends the loop's wait.
final class Mailbox: Sendable {
    enum Command: Sendable {
        case stop
        /// A reply that was created asynchronously.
        case reply(LoopbackReply, connection: Int)
        /// A stream has bytes or has ended.
        case stream(connection: Int)
    }

    private struct State {
        /// `nil` after the mailbox is closed.
        var pipe: WakePipe?
        var commands: [Command] = []
    }

    private let state: Locked<State>
    /// The descriptor that is readable while commands are waiting.
    let wakeDescriptor: Int32

    init() throws(LoopbackError) {
        let pipe = try WakePipe()
        wakeDescriptor = pipe.reader.raw
        state = Locked(State(pipe: pipe))
    }

    /// Appends a command. Has no effect after the mailbox is closed.
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

    /// Closes the pipe. Later posts do not write, because the system may have reused the descriptor.
    func close() {
        state.withLock { state in
            state.commands = []
            state.pipe = nil
        }
    }
}
