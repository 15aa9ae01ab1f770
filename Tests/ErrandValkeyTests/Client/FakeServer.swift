import Errand
import ErrandSupport
import ErrandValkey
import Foundation

/// A server without a network. It handles the bytes of each connection in order, on a queue of that connection.
final class FakeServer: Sendable {
    final class Connection: ByteConnection {
        private let server: FakeServer
        private let queue = DispatchQueue(label: "fake-server")
        private let handle: @Sendable (ByteConnectionEvent) -> Void
        private let parser = Locked(RESPParser())
        let commands = Locked<[[String]]>([])
        let isClosed = Locked(false)

        fileprivate init(_ server: FakeServer, _ handle: @escaping @Sendable (ByteConnectionEvent) -> Void) {
            (self.server, self.handle) = (server, handle)
        }

        func send(_ bytes: Data) {
            queue.async { self.receive(bytes) }
        }

        func close() {
            isClosed.withLock { $0 = true }
            end(ServiceError(.connectionLost, "the connection has ended"))
        }

        func end(_ error: ServiceError) {
            queue.async { self.handle(.ended(error)) }
        }

        func reply(_ text: String) {
            queue.async { self.handle(.received(Data(text.utf8))) }
        }

        /// Commands are arrays of strings, as replies are.
        private func receive(_ bytes: Data) {
            let commands = parser.withLock { parser in
                parser.append(bytes)
                var commands: [[String]] = []
                while let value = try? parser.next() { commands.append((value.array ?? []).compactMap(\.string)) }
                return commands
            }
            for command in commands {
                self.commands.withLock { $0.append(command) }
                if let text = server.respond(command) { handle(.received(Data(text.utf8))) }
            }
        }
    }

    private let respond: @Sendable ([String]) -> String?
    let connections = Locked<[Connection]>([])
    /// The error of each attempt to connect, if the server is down.
    let failure = Locked<ServiceError?>(nil)

    /// - Parameter respond: Returns the response to a command. If `nil`, the server sends none.
    init(_ respond: @escaping @Sendable ([String]) -> String?) {
        self.respond = respond
    }

    /// A server that responds with the second word of each command.
    convenience init() {
        self.init { "$\($0.last?.utf8.count ?? 0)\r\n\($0.last ?? "")\r\n" }
    }

    func connect(_ handle: @escaping @Sendable (ByteConnectionEvent) -> Void) -> any ByteConnection {
        let connection = Connection(self, handle)
        connections.withLock { $0.append(connection) }
        if let failure = failure.withLock({ $0 }) { connection.end(failure) }
        return connection
    }

    func client(
        time: any TimeSource = SystemTime.system, _ configure: (inout ValkeyClient.Configuration) -> Void = { _ in }
    ) -> ValkeyClient {
        var configuration = ValkeyClient.Configuration(host: "valkey.test")
        configuration.timeout = .seconds(60)
        configure(&configuration)
        return ValkeyClient(configuration, time: time) { self.connect($0) }
    }
}
