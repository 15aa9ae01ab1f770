package import Errand

/// The program of `swift run examples lottery`.
package enum LotteryExample {
    package static func run(at url: URL, print: @Sendable (String) -> Void) async throws {
        let model = LoginModel(.live(at: url))
        print(await model.greeting("eva", Secret("wrong")))
        print(await model.greeting("eva", Secret("secret")))
        let result = try await DrawService.live(at: url).latest()
        let extra = result.extraNumber.map(String.init) ?? "not drawn"
        let prizes = result.prizes.map { "\($0.count) prizes" } ?? "prizes not known yet"
        print("draw \(result.draw.id): \(result.numbers), extra number \(extra), \(prizes)")
    }
}
