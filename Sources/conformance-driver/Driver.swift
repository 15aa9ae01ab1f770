import Errand

/// Lets suites written elsewhere judge the library: one JSON object a line in, one out, matched by `id`.
@main enum Driver {
    static func main() async {
        let output = LineWriter()
        guard let options = DriverOptions(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("usage: conformance-driver [--session urlsession|curl] [--cache none|…]\n".utf8))
            exit(64)
        }
        await withTaskGroup(of: Void.self) { group in
            var inFlight = 0
            while let line = readLine() {
                if inFlight == mostInFlight { _ = await group.next() } else { inFlight += 1 }
                group.addTask { await output.write(answer(to: line, options)) }
            }
        }
    }

    private static let mostInFlight = 256

    private static func answer(to line: String, _ options: DriverOptions) async -> OrderedJSON {
        do {
            let request = try OrderedJSON(parsing: line)
            let answer = await Operation(request, options).run()
            return .object([("id", request["id"] ?? .null)] + answer)
        } catch {
            return .object([("id", .null), ("error", .string("input: \(error)"))])
        }
    }
}

/// The start options. A session or cache that is not built yet makes every fetch unsupported.
struct DriverOptions: Sendable {
    /// Nil where the library has no such session or cache yet.
    var session: (any APISession)? = PlatformSession.platform

    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (option, value) {
            case ("--session", let name):
                guard let transport = Transport(rawValue: name) else { return nil }
                session = session == nil ? nil : try? transport.makeSession()
            case ("--cache", "none"): break
            case ("--cache", _): session = nil
            default: return nil
            }
        }
    }
}

/// Writes whole lines, one at a time.
actor LineWriter {
    func write(_ answer: OrderedJSON) {
        FileHandle.standardOutput.write(Data((answer.text + "\n").utf8))
    }
}
