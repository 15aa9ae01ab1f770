import Errand

/// Runs test suites that are not written in Swift against the library. Each line of the input is a request in JSON.
/// Each line of the output is the response with the same `id`.
@main enum Driver {
    static func main() async {
        let output = LineWriter()
        guard let options = DriverOptions(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("usage: conformance-driver [--session urlsession|curl] [--cache none|…]\n".utf8))
            exit(64)
        }
        let streams = EventStreams(options, output)
        await withTaskGroup(of: Void.self) { group in
            var inFlight = 0
            while let line = readLine() {
                // In the order of the lines, so that a stream is open before it is closed.
                if await isStreamOperation(line, streams, output) { continue }
                if inFlight == maximumInFlight { _ = await group.next() } else { inFlight += 1 }
                group.addTask { await output.write(result(of: line, options)) }
            }
        }
        await streams.close()
    }

    /// Performs an operation of an event stream. Returns `false` for other operations.
    private static func isStreamOperation(_ line: String, _ streams: EventStreams, _ output: LineWriter) async -> Bool {
        guard line.contains("sse-"), let request = try? OrderedJSON(parsing: line),
            let answer = await streams.answer(request)
        else {
            return false
        }
        if !answer.isEmpty { await output.write(.object([("id", request["id"] ?? .null)] + answer)) }
        return true
    }

    private static let maximumInFlight = 256

    private static func result(of line: String, _ options: DriverOptions) async -> OrderedJSON {
        do {
            let request = try OrderedJSON(parsing: line)
            let result = await Operation(request, options).run()
            return .object([("id", request["id"] ?? .null)] + result)
        } catch {
            return .object([("id", .null), ("error", .string("input: \(error)"))])
        }
    }
}

/// The command-line options. An unsupported session or cache makes every fetch unsupported.
struct DriverOptions: Sendable {
    /// The session, or `nil` if the library does not support the session or the cache.
    var session: (any APISession)? = PlatformSession.platform

    /// Whether the session has a cache.
    private(set) var hasCache = false
    /// The account of all requests. The driver has one account, so that its cache may share all responses.
    static let identity: Credentials.Identity = "driver"

    init?(_ arguments: some Sequence<String>) {
        var store: (any CacheStore)?
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (option, value) {
            case ("--session", let name):
                guard let transport = Transport(rawValue: name) else { return nil }
                session = session == nil ? nil : try? transport.makeSession()
            case ("--cache", "none"): store = nil
            case ("--cache", "memory"): store = MemoryCacheStore()
            case ("--cache", let name) where name.hasPrefix("disk:"):
                store = try? DiskCacheStore(folder: URL(filePath: String(name.dropFirst(5))))
                if store == nil { session = nil }
            case ("--cache", _): session = nil
            default: return nil
            }
        }
        if let store, let session {
            hasCache = true
            self.session = session.intercepted(by: IdentityInterceptor(Self.identity), CacheInterceptor(store))
        }
    }
}

/// Writes complete lines, one at a time.
actor LineWriter {
    func write(_ result: OrderedJSON) {
        FileHandle.standardOutput.write(Data((result.text + "\n").utf8))
    }
}
