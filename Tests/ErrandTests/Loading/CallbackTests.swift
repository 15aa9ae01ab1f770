import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallbackTests {
    private let api = GreetingAPI(host: "callback.test")

    @Test @MainActor func `a callback runs on the actor of its caller`() async {
        let loader = APILoader(api, session: ScriptedSession([.json(#"{"text":"hi"}"#), .status(500)]))
        var seen: [String] = []
        await withCheckedContinuation { done in
            loader.load("eva") { greeting in
                MainActor.assertIsolated()
                seen.append(greeting.text)
                done.resume()
            } failure: { _ in
                done.resume()
            }
        }
        await withCheckedContinuation { done in
            loader.load("eva") { _ in
                done.resume()
            } failure: { error in
                MainActor.assertIsolated()
                seen.append("\(error.status ?? 0)")
                done.resume()
            }
        }
        #expect(seen == ["hi", "500"])
    }

    @Test func `exactly one argument of the completion handler is not nil`() async {
        let loader = APILoader(
            apiHandler: api, urlSession: ScriptedSession([.json(#"{"text":"hi"}"#), .failure(URLError(.timedOut))]))
        for expected in [true, false] {
            let outcome = await withCheckedContinuation { done in
                loader.loadAPIRequest(requestData: "eva") { greeting, error in
                    done.resume(returning: (greeting != nil, error != nil))
                }
            }
            #expect(outcome == (expected, !expected))
        }
    }

    @Test func `a cancelled token calls back once with the documented code`() async {
        let session = ScriptedSession([.stall])
        let (outcomes, feed) = AsyncStream<ServiceError.Code?>.makeStream()
        let token = APILoader(api, session: session).load("eva") { _ in
            feed.yield(nil)
        } failure: { error in
            feed.yield(error.code)
            feed.finish()
        }
        while session.recorded.isEmpty { await Task.yield() }
        token.cancel()
        token.cancel()
        #expect(await outcomes.reduce(into: []) { $0.append($1) } == [.cancelled])
    }

    @MainActor final class Controller {
        private let bag = LoadToken.Bag()
        private var greeting: Greeting?

        func reload(_ loader: APILoader<GreetingAPI>, ended: @escaping @Sendable (ServiceError.Code) -> Void) {
            loader.load("eva") { [weak self] greeting in
                self?.greeting = greeting
            } failure: { error in
                ended(error.code)
            }.store(in: bag)
        }
    }

    @Test @MainActor func `calls are cancelled when their owner is released`() async {
        let session = ScriptedSession([.stall])
        let (codes, feed) = AsyncStream<ServiceError.Code>.makeStream()
        do {
            let controller = Controller()
            controller.reload(APILoader(api, session: session)) { feed.yield($0) }
            while session.recorded.isEmpty { await Task.yield() }
        }
        var seen: [ServiceError.Code] = []
        for await code in codes.prefix(1) { seen.append(code) }
        #expect(seen == [.cancelled])
    }

    @Test func `calls are cancelled when their bag is released`() async {
        let session = ScriptedSession([.stall])
        let (outcomes, feed) = AsyncStream<ServiceError.Code>.makeStream()
        do {
            let bag = LoadToken.Bag()
            APILoader(api, session: session).load("eva") { _ in
                feed.finish()
            } failure: { error in
                feed.yield(error.code)
                feed.finish()
            }.store(in: bag)
            while session.recorded.isEmpty { await Task.yield() }
        }
        #expect(await outcomes.reduce(into: []) { $0.append($1) } == [.cancelled])
    }
}
