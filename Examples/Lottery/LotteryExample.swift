package import Errand

/// The program of `swift run examples lottery`.
package enum LotteryExample {
    package static func run(
        at url: URL, over session: some APISession = .platform, print: @Sendable (String) -> Void
    ) async throws {
        let model = LoginModel(.live(at: url, session: session))
        print(await model.greeting("eva", Secret("guess")))
        print(await model.greeting("eva", Secret("secret")))
        let result = try await DrawService.live(at: url, session: session).latest()
        let extra = result.extraNumber.map(String.init) ?? "not drawn"
        let prizes = result.prizes.map { "\($0.count) prizes" } ?? "prizes not known yet"
        print("draw \(result.draw.id): \(result.numbers), extra number \(extra), \(prizes)")
    }
}
