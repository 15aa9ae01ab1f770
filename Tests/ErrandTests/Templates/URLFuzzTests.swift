import Errand
import TestSupport
import Testing

/// Random strings of unusual parts, the same in each run. No string traps, and no URL leaves its base URL.
@Suite struct URLFuzzTests {
    static let seeds: Range<UInt64> = 0..<8
    static let base = "https://a.io:8080/v"
    static let pieces = [
        "/", "//", ".", "..", "%2e", "%2F", "%", "%zz", "?", "#", "&", "=", ":", "@", "[", "]", "[::1]", "\\", " ",
        "\n", "a", "b.io", "é", "\u{301}", "👩‍🚀", "http:", "https://", "{", "}", "{x}", "{+x}", "{?x}", "{/x*}", "{#x}",
        ":80", "1", ",", "*", ":3", "{x:2}", "{;x}", "{.x}", "{&x}", "::", "\u{0}", "℀", "xn--",
    ]

    private static func text(_ generator: inout SplitMix) -> String {
        let count = Int.random(in: 0...6, using: &generator)
        return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test(arguments: seeds)
    func `a URL starts with its base URL or is rejected`(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let base = try BaseURL(validating: Self.base)
        var made = 0
        for _ in 0..<TestEnvironment.rounds(200, heavy: 2_000) {
            let value = Self.text(&generator)
            for path in [APIPath(template: Self.text(&generator), ["x": value]), "p/\(value)"] {
                guard let url = try? base.url(for: path) else { continue }
                made += 1
                let text = url.absoluteString
                #expect(["/", "?", "#"].contains { text.hasPrefix(Self.base + $0) } || text == Self.base)
                #expect(url.scheme == "https" && url.host() == "a.io" && url.port == 8080 && url.user() == nil)
                #expect(url.standardized.absoluteString.hasPrefix(Self.base))
            }
        }
        #expect(made > 100)
    }

    @Test(arguments: seeds)
    func `a valid base URL keeps the host of its text`(seed: UInt64) throws {
        var generator = SplitMix(state: seed &+ 1_000)
        var made = 0
        for _ in 0..<TestEnvironment.rounds(200, heavy: 2_000) {
            guard let base = try? BaseURL(validating: Self.text(&generator)) else { continue }
            let url = try base.url(for: "p")
            made += 1
            #expect(url.host()?.isEmpty == false && url.user() == nil && url.fragment() == nil)
            #expect(URL(string: url.absoluteString)?.absoluteString == url.absoluteString)
            let again = try BaseURL(validating: url.absoluteString)
            #expect(try again.url(for: "").absoluteString == url.absoluteString)
        }
        #expect(made >= TestEnvironment.rounds(1, heavy: 20))
    }
}
