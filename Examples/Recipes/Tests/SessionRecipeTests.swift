import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite struct SessionRecipeTests {
    @Test func `the trail of a response lists its attempts`() async throws {
        let clock = InstantClock()
        let script = ScriptedSession([.status(503), .json("[]")])
        let loader = APILoader(
            GalleryAPI(environment: .production), session: .standard(over: script), time: clock,
            random: FixedRandom(fraction: 0.5))
        #expect(
            try await explained(loader) == """
                0 photos
                 0.0 ms  retry  503 Service Unavailable in 0.0 ms; attempt 1; retry in 50.0 ms: status 503
                50.0 ms  retry  200 OK in 0.0 ms; attempt 2
                """)
    }

    @Test func `the policy limits retries by status and by reason`() async throws {
        let clock = InstantClock()
        let script = ScriptedSession([.status(500), .failure(URLError(.timedOut)), .failure(URLError(.timedOut))])
        let session = patientSession(over: script)
        let loader = APILoader(GalleryAPI(environment: .production), session: session, time: clock)
        let first = await #expect(throws: ServiceError.self) { try await loader.load(GalleryQuery()) }
        let second = await #expect(throws: ServiceError.self) { try await loader.load(GalleryQuery()) }
        #expect(first?.attempts.count == 1 && second?.attempts.map(\.failure) == [.timeout, .timeout])
        try script.verify()

        let busy = ScriptedSession([.status(503), .status(503)])
        let other = APILoader(
            GalleryAPI(environment: .production), session: patientSession(over: busy), time: clock)
        let third = await #expect(throws: ServiceError.self) { try await other.load(GalleryQuery()) }
        #expect(third?.attempts.last?.note?.hasSuffix("not retried: maintenance") == true)
        try busy.verify()
    }

    @Test func `all attempts of an order have the same idempotency key`() async throws {
        let script = ScriptedSession([
            .status(503), .json(#"{"id":"r1"}"#, status: 201), .status(503), .failure(URLError(.networkConnectionLost)),
            .status(503),
        ])
        var policy = RetryPolicy()
        policy.backoff = RetryPolicy.Backoff(base: .zero)
        let session = script.intercepted(by: RetryInterceptor(policy))
        let loader = APILoader(OrderAPI(environment: .production), session: session)
        let order = Order(item: "tea", count: 2)
        #expect(await place(order, with: loader) == "r1")
        #expect(await place(order, with: loader) == "no order after 503, connection-lost, 503")
        let keys = script.recorded.map { $0.headers["Idempotency-Key"] ?? "" }
        #expect(Set(keys).count == 2 && keys[0] == keys[1] && Set(keys[2...]).count == 1 && !keys.contains(""))
    }

    @Test func `the trail is logged as JSON`() async throws {
        let clock = ManualClock()
        let lines = Locked<[String]>([])
        let log = LoggingInterceptor.PrintSink { line in lines.withLock { $0.append(line) } }
        let script = ScriptedSession([.json("[]"), .status(500)])
        let session = script.intercepted(by: TenantInterceptor(tenant: "north"))
        let loader = APILoader(GalleryAPI(environment: .production), session: session, time: clock)
        #expect(try await logged(loader, to: log).isEmpty)
        await #expect(throws: ServiceError.self) { try await logged(loader, to: log) }
        let note = #"{"at":0,"message":"for north","source":"tenant"}"#
        let success = #"{"at":0,"elapsed":0,"message":"200 OK in 0.0 ms","source":"loader","status":200}"#
        let failure =
            #"{"at":0,"elapsed":0,"message":"500 Internal Server Error in 0.0 ms","source":"loader","status":500}"#
        let request = "status 500 GET https://api.gallery.example/v1/photos?page=1"
        #expect(
            lines.withLock { $0 } == [
                "debug: [\(note),\(success)]",
                "error: \(request): the server responded with status 500 [\(note),\(failure)]",
            ])
        #expect(script.recorded.map { $0.headers["X-Tenant"] } == ["north", "north"])
    }

    @Test func `slow attempts are found in a trail`() {
        let recorder = Trail.Recorder()
        var metrics = TransportMetrics()
        metrics.isConnectionReused = true
        recorder.record(Trail.Attempt(status: 503, failure: nil, elapsed: .seconds(2)), from: .retry)
        recorder.record(Trail.Attempt(status: 200, failure: nil, elapsed: .seconds(3)), metrics: metrics, from: .retry)
        recorder.record(Trail.Attempt(status: 200, failure: nil, elapsed: .milliseconds(3)), from: .retry)
        let slow = slowAttempts(in: recorder.trail, over: .seconds(1))
        #expect(
            slow == [
                "503 Service Unavailable in 2000.0 ms over a new connection",
                "200 OK in 3000.0 ms; on an open connection over an open connection",
            ])
    }

    @Test func `an unknown transport name selects the default transport`() throws {
        for name in ["urlsession", nil, "carrier pigeon"] {
            let session = try galleryLoader(over: name).session
            #expect(session is URLSession == (name == "urlsession" || Transport.platform == .urlSession))
        }
    }

    @Test func `a custom URLSession is a session`() async throws {
        let server = try LoopbackServer { request in .text(request["X-Client"] ?? "nobody") }
        let local = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
        #expect(try await client(of: local).request(Endpoint<String>(path: "who")) == "gallery")
        await server.stop()
    }

    @Test func `the secondary rate limit of GitHub delays the next request`() async throws {
        let clock = InstantClock()
        let limited = CannedReply.json(#"{"message":"secondary rate limit"}"#, status: 403).header("Retry-After", "30")
        let used = CannedReply.json("[]").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "1000000070")
        let script = ScriptedSession([limited, used, .status(403)])
        let loader = APILoader(
            GalleryAPI(environment: .production), session: gitHubSession(over: script), time: clock)
        #expect(try await loader.load(GalleryQuery()).isEmpty)
        #expect(clock.waits == [.seconds(30)])
        let error = await #expect(throws: ServiceError.self) { try await loader.load(GalleryQuery()) }
        #expect(error?.status == 403 && error?.attempts.map(\.note) == ["attempt 1; not retried: forbidden"])
        #expect(clock.now == .seconds(70), "the second call waits until the reset")
        try script.verify()
    }

    @Test func `two workers share the limit of a folder`() async throws {
        let (folder, clock) = (try ScratchFolder(), InstantClock())
        let script = ScriptedSession { _ in .json("[]") }
        for _ in 1...2 {
            let session = workerSession(limits: folder.url, over: script)
            let loader = APILoader(GalleryAPI(environment: .production), session: session, time: clock)
            #expect(try await loader.load(GalleryQuery()).isEmpty)
        }
        #expect(script.recorded.count == 2 && clock.now <= .milliseconds(20))
    }

    @Test func `a job that two workers have is sent once`() async throws {
        let folder = try ScratchFolder()
        let script = ScriptedSession([.json(#"{"id":"r1"}"#)])
        for _ in 1...2 {
            let session = jobSession(keys: folder.url.appending(path: "keys"), over: script)
            let loader = APILoader(InvoiceAPI(environment: .production), session: session)
            #expect(try await loader.load(Invoice(job: 7, customer: "tea shop")).id == "r1")
        }
        #expect(script.recorded.map { $0.headers["Idempotency-Key"] } == ["invoice-7"])
    }
}
