import Errand

/// The CPU time of each stage of the loader, for one stored response of the server.
///
/// A stage without an API is measured as the difference of two complete calls over a session that responds immediately,
/// or is part of the remainder.
struct LoaderStages {
    let url: URL
    let session: any APISession
    /// A total timeout that no call reaches.
    let total: Duration

    private enum Name {
        static let options = "options of the call"
        static let make = "create the URLRequest"
        static let take = "convert to APIRequest"
        static let check = "check the header section: checkSendable"
        static let collect = "collect the body"
        static let platform = "existing HTTPURLResponse"
        static let made = "new HTTPURLResponse"
        static let parse = "parse the body"
        static let main = "loader on the main actor"
        static let bare = "bare call without transport"
        static let loader = "loader without transport"
        static let unchecked = "loader without validators"
        static let deadline = "loader with a deadline"
    }

    /// Measures and prints the stages. `request` is the CPU time of a bare request over the network, in microseconds.
    func run(request: Double) async throws {
        let response = try await session.send(APIRequest(handler.makeRequest(from: .sample)))
        let variants = try await stages(of: response) + calls(over: Canned(response: response))
        let results = try await Interleaving(block: .times(500), rounds: 15).measure(variants)
        report(Dictionary(results.map { ($0.name, $0.cpu.median) }, uniquingKeysWith: { first, _ in first }), request)
    }

    private var handler: ListingAPI { ListingAPI(url: url) }

    private func stages(of response: APIResponse) async throws -> [Variant] {
        let handler = handler
        let plain = handler.makeRequest(from: .sample)
        let request = try APIRequest(plain)
        let platformResponse = try response.head.httpURLResponse()
        let data = try await response.body.collect()
        let head = ResponseHead(status: response.head.status, headers: response.head.headers, url: response.head.url)
        return [
            Variant(Name.options) { handler.options(for: .sample) },
            Variant(Name.make) { handler.makeRequest(from: .sample) },
            Variant(Name.take) { try APIRequest(plain, options: RequestOptions()) },
            Variant(Name.check) { try request.checkSendable() },
            Variant(awaiting: Name.collect) { try await response.body.collect() },
            Variant(Name.platform) { try response.head.httpURLResponse() },
            Variant(Name.made) { try head.httpURLResponse() },
            Variant(Name.parse) { try handler.parseResponse(data: data, response: platformResponse) },
        ]
    }

    private func calls(over canned: Canned) -> [Variant] {
        let bare = BareCall(url: url, session: canned)
        let loader = APILoader(handler, session: canned)
        let unchecked = APILoader(ListingAPI(url: url, isChecked: false), session: canned)
        let deadline = APILoader(ListingAPI(url: url, total: total), session: canned)
        return [
            Variant(awaiting: Name.bare) { try await bare.load(.sample) },
            Variant(awaiting: Name.loader) { try await loader.load(.sample) },
            Variant(awaiting: Name.unchecked) { try await unchecked.load(.sample) },
            Variant(awaiting: Name.deadline) { try await deadline.load(.sample) },
            Variant(onMainActor: Name.main) { try await loader.load(.sample) },
        ]
    }

    private func report(_ cost: [String: Double], _ request: Double) {
        print("\nThe loader's stages: CPU in µs, and in % of the cheapest bare request (\(request.micros) µs)")
        var table = Table("", "CPU", "share", "")
        func add(_ name: String, _ micros: Double, _ remark: String = "") {
            table.add(name, micros.micros, (micros / request).percent, remark)
        }
        func stage(_ name: String, remark: String = "") { add(name, cost[name] ?? 0, remark) }
        let loader = cost[Name.loader] ?? 0
        let validators = loader - (cost[Name.unchecked] ?? 0)
        let own = [Name.options, Name.check, Name.platform]
        let shared = [Name.make, Name.take, Name.collect, Name.parse]
        for name in own { stage(name) }
        add("validators", validators)
        for name in shared { stage(name, remark: "also in the bare call") }
        let known = (own + shared).compactMap { cost[$0] }.reduce(validators, +)
        add("remainder: clock, race, redaction, copies", loader - known)
        stage(Name.loader, remark: "the sum")
        stage(Name.bare)
        add("the loader adds", loader - (cost[Name.bare] ?? 0), "the difference of these two")
        add("a deadline adds", (cost[Name.deadline] ?? 0) - loader, "if one is set")
        stage(Name.made, remark: "if the session provides none")
        add("the main actor adds", (cost[Name.main] ?? 0) - loader, "if it is the caller")
        table.print()
    }
}

/// Returns the same response to every request.
private struct Canned: APISession {
    let response: APIResponse
    func send(_ request: APIRequest) async throws -> APIResponse { response }
}
