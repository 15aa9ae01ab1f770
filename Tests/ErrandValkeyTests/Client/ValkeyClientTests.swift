import Errand
import ErrandSupport
import ErrandTesting
import ErrandValkey
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ValkeyClientTests {
    @Test func `concurrent commands over one connection get their own replies`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3_000 {
                group.addTask {
                    let reply = try await client.send(RESPCommand("ECHO", "\(number)"))
                    #expect(reply.string == "\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(server.connections.withLock { $0.count } == 1)
    }

    @Test func `the reply to a cancelled command is discarded`() async throws {
        let server = FakeServer { $0.first == "LATE" ? nil : "+\($0.first ?? "")\r\n" }
        let client = server.client()
        let late = Task { try await client.send(RESPCommand("LATE")) }
        try await Soak.wait { server.connections.withLock { $0.first }?.commands.withLock { $0.count } == 1 }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        let next = Task { try await client.send(RESPCommand("NEXT")) }
        let connection = try #require(server.connections.withLock { $0.first })
        // The reply to NEXT comes first here, so it must be taken for that of LATE.
        try await Soak.wait { connection.commands.withLock { $0.count } == 2 }
        connection.reply("+second\r\n")
        #expect(try await next.value.string == "second")
    }

    @Test func `a command of a cancelled task is not sent`() async throws {
        let server = FakeServer()
        let client = server.client()
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(RESPCommand("PING"))
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(server.connections.withLock { $0.isEmpty })
    }

    @Test func `a lost connection fails its commands and is replaced after a pause`() async throws {
        let (server, clock) = (FakeServer { $0.first == "LATE" ? nil : "+OK\r\n" }, InstantClock())
        let client = server.client(time: clock)
        let late = Task { try await client.send(RESPCommand("LATE")) }
        try await Soak.wait { server.connections.withLock { $0.first }?.commands.withLock { $0.count } == 1 }
        server.connections.withLock { $0.first }?.end(ServiceError(.connectionLost, "reset"))
        #expect(await #expect(throws: ServiceError.self) { try await late.value }?.code == .connectionLost)
        await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }
        #expect(server.connections.withLock { $0.count } == 1)
        clock.advance(by: .milliseconds(100))
        #expect(try await client.send(RESPCommand("PING")).string == "OK")
        #expect(server.connections.withLock { $0.count } == 2)
    }

    @Test func `the pause before another attempt doubles up to one second`() async throws {
        let (server, clock) = (FakeServer(), InstantClock())
        server.failure.withLock { $0 = ServiceError(.connection, "refused") }
        let client = server.client(time: clock)
        for (count, pause) in [100, 200, 400, 800, 1_000, 1_000].enumerated() {
            #expect(
                await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }?.code
                    == .connection)
            clock.advance(by: .milliseconds(pause - 1))
            await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }
            #expect(server.connections.withLock { $0.count } == count + 1)
            clock.advance(by: .milliseconds(1))
        }
    }

    @Test func `each connection begins with the account and the database`() async throws {
        let server = FakeServer { _ in "+OK\r\n" }
        let client = server.client {
            ($0.user, $0.password, $0.database) = ("worker", Secret("s3cret"), 2)
        }
        _ = try await client.send(RESPCommand("PING"))
        let commands = server.connections.withLock { $0.first }?.commands.withLock { $0 }
        #expect(commands == [["AUTH", "worker", "s3cret"], ["SELECT", "2"], ["PING"]])
    }

    @Test func `a user without a password authenticates with an empty one`() async throws {
        let server = FakeServer { $0.first == "AUTH" ? "-WRONGPASS invalid\r\n" : "+OK\r\n" }
        let client = server.client { $0.user = "worker" }
        let error = await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }
        #expect(error?.code == .authorization)
        let commands = server.connections.withLock { $0.first }?.commands.withLock { $0 }
        // The server would execute other commands for its default user.
        #expect(commands == [["AUTH", "worker", ""]])
    }

    @Test(arguments: ["-WRONGPASS invalid s3cret\r\n", "-NOAUTH s3cret\r\n"])
    func `a refused password fails all commands and is in no error`(reply: String) async throws {
        let server = FakeServer { $0.first == "AUTH" ? reply : "-NOAUTH Authentication required.\r\n" }
        let client = server.client { $0.password = Secret("s3cret") }
        for _ in 0..<2 {
            let error = await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }
            #expect(error?.code == .authorization && !"\(String(reflecting: error))".contains("s3cret"))
        }
        #expect(server.connections.withLock { $0.first }?.isClosed.withLock { $0 } == true)
    }

    @Test(arguments: [
        ("?\r\n", "unknown type"), ("*1\r\n>0\r\n", "within a value"), ("$9999999999\r\n", "invalid length"),
        ("-READONLY You can't write against a read only replica.\r\n", "READONLY"),
        ("-ERR Error running script (call to f_0): @user_script:9: -READONLY You can't write\r\n", "READONLY"),
    ])
    func `a wrong reply ends the connection and all calls after it`(text: String, reason: String) async throws {
        let server = FakeServer { $0.first == "WRONG" ? "+first\r\n\(text)" : nil }
        let client = server.client()
        let first = Task { try await client.send(RESPCommand("FIRST")) }
        try await Soak.wait { server.connections.withLock { $0.first }?.commands.withLock { $0.count } == 1 }
        let error = await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("WRONG")) }
        #expect(error?.code == .badResponse && error?.reason.contains(reason) == true)
        // Its reply came in the same bytes.
        #expect(try await first.value.string == "first")
        let connection = try #require(server.connections.withLock { $0.first })
        #expect(connection.isClosed.withLock { $0 })
    }

    @Test func `a reply without a command ends the connection`() async throws {
        let server = FakeServer { _ in "+OK\r\n+more\r\n" }
        let client = server.client()
        #expect(try await client.send(RESPCommand("PING")).string == "OK")
        let connection = try #require(server.connections.withLock { $0.first })
        try await Soak.wait { connection.isClosed.withLock { $0 } }
    }

    @Test func `a refused database fails the commands after it`() async throws {
        let server = FakeServer { $0.first == "SELECT" ? "-ERR DB index is out of range\r\n" : "+OK\r\n" }
        let client = server.client { ($0.password, $0.database) = (Secret("s3cret"), 99) }
        #expect(
            await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }?.code
                == .badResponse)
    }

    @Test func `a late event of an old connection changes nothing`() async throws {
        let (server, clock) = (FakeServer(), InstantClock())
        let client = server.client(time: clock)
        #expect(try await client.send(RESPCommand("ECHO", "1")).string == "1")
        let old = try #require(server.connections.withLock { $0.first })
        old.end(ServiceError(.connectionLost, "reset"))
        try await Soak.wait { old.isClosed.withLock { $0 } }
        clock.advance(by: .milliseconds(100))
        #expect(try await client.send(RESPCommand("ECHO", "2")).string == "2")
        old.reply("+old\r\n")
        old.end(ServiceError(.connectionLost, "reset again"))
        for number in 3..<100 { #expect(try await client.send(RESPCommand("ECHO", "\(number)")).string == "\(number)") }
        #expect(server.connections.withLock { $0.count } == 2)
    }

    @Test func `an error reply has the code of the server`() async throws {
        let server = FakeServer { _ in "-OOM command not allowed, secret argument\r\n" }
        let error = await #expect(throws: ServiceError.self) {
            try await server.client().send(RESPCommand("SET", "a", "b"))
        }
        #expect(error?.code == .badResponse && error?.reason == "the server replied with an error (OOM)")
    }

    @Test func `a server that sends nothing for the timeout is disconnected`() async throws {
        let server = FakeServer { _ in nil }
        let client = server.client { $0.timeout = .milliseconds(20) }
        #expect(
            await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }?.code == .timeout)
        let connection = try #require(server.connections.withLock { $0.first })
        try await Soak.wait { connection.isClosed.withLock { $0 } }
    }

    @Test func `a closed client sends nothing`() async throws {
        let server = FakeServer { $0.first == "LATE" ? nil : "+OK\r\n" }
        let client = server.client()
        let late = Task { try await client.send(RESPCommand("LATE")) }
        try await Soak.wait { server.connections.withLock { $0.first }?.commands.withLock { $0.count } == 1 }
        client.close()
        #expect(await #expect(throws: ServiceError.self) { try await late.value }?.code == .connectionLost)
        #expect(
            await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }?.code
                == .connectionLost)
        #expect(server.connections.withLock { $0.count } == 1)
    }

    @Test func `at most 10,000 commands wait for replies`() async throws {
        let server = FakeServer { _ in nil }
        let client = server.client()
        let waiting = Task {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<ValkeyClient.maximumCalls {
                    group.addTask { _ = try? await client.send(RESPCommand("PING")) }
                }
            }
        }
        try await Soak.wait {
            server.connections.withLock { $0.first }?.commands.withLock { $0.count } == ValkeyClient.maximumCalls
        }
        #expect(
            await #expect(throws: ServiceError.self) { try await client.send(RESPCommand("PING")) }?.code == .connection
        )
        waiting.cancel()
        await waiting.value
    }

    @Test func `a URL has the server, the user and the database`() throws {
        let url = try #require(URL(string: "rediss://worker@[::1]:7000/3"))
        let configuration = try ValkeyClient.Configuration(url, password: Secret("s3cret"))
        #expect(configuration.host == "::1" && configuration.port == 7_000 && configuration.user == "worker")
        #expect(configuration.database == 3 && configuration.tls != nil)
        let short = try ValkeyClient.Configuration(try #require(URL(string: "valkey://localhost")))
        #expect(short.host == "localhost" && short.port == 6_379 && short.tls == nil && short.database == 0)
    }

    @Test(arguments: [
        "http://localhost", "redis:localhost", "redis://", "redis://user:s3cret@localhost", "redis://localhost/x",
        "redis://localhost/1/2", "redis://localhost?x", "redis://localhost#x", "redis://localhost/-1",
        "redis://@localhost",
        "redis://%FFworker@localhost",
    ])
    func `another URL is a configuration error without its text`(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: ServiceError.self) { try ValkeyClient.Configuration(url) }
        #expect(error?.code == .configuration && error?.reason.contains("s3cret") == false)
    }
}
