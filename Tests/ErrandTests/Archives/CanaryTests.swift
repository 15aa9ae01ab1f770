import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

/// Puts secrets into all positions of exchanges, and looks for them in the redacted archives: 10,000 with
/// `ERRAND_HEAVY=1`, otherwise 1,400.
@Suite(.timeLimit(.minutes(2))) struct CanaryTests {
    /// Each secret begins with this text, so that any part of a secret that remains is found.
    private static let mark = "kanarie"

    private static let rounds = TestEnvironment.runsHeavyTests ? 145 : 20

    /// Secrets with the characters of tokens, and, if `isWild`, with those that formats escape.
    private static func secret(_ number: Int, isWild: Bool, _ random: inout SplitMix) -> String {
        let plain = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
        let wild = Array("+/=%&\"\\<>'{}[]:@#?!ü😀")
        let size = Int.random(in: 6...40, using: &random)
        let end = (0..<size).map { _ in
            (isWild && Int.random(in: 0..<4, using: &random) == 0 ? wild : plain).randomElement(using: &random) ?? "a"
        }
        return "\(mark)\(number)x\(String(end))"
    }

    private static let marks: [String] = [mark, "a2FuYXJpZ", "thbmFyaW", "rYW5hcml"]

    private func leaks(_ positions: [CanaryPosition.Position], wild: Set<String>, seed: UInt64, rounds: Int) -> [String]
    {
        var random = SplitMix(state: seed)
        var leaks: [String] = []
        for round in 0..<rounds {
            for (name, entry) in positions {
                let secret = Self.secret(round, isWild: wild.contains(name), &random)
                let archive = HTTPArchive([entry(secret)])
                let text = String(decoding: archive.redacted().data, as: UTF8.self)
                let utf16 = archive.redacted().entries[0].response?.body.bytes.filter { $0 != 0 } ?? Data()
                let shown = text + String(decoding: utf16, as: UTF8.self)
                if Self.marks.contains(where: shown.contains) { leaks.append("\(name): \(secret): \(text)") }
            }
        }
        return leaks
    }

    @Test func `secrets of requests are not in the archive`() {
        let wild: Set<String> = [
            "named value", "named value with other members", "named value before its name", "JSON in query",
            "JSON in form", "URL in query", "user", "query", "form", "JSON as form",
            "JSON", "nested JSON", "object", "JSON in multipart",
        ]
        #expect(leaks(CanaryPosition.requests, wild: wild, seed: 1, rounds: Self.rounds).prefix(3) == [])
    }

    @Test func `secrets of markup are not in the archive`() {
        let wild: Set<String> = [
            "element", "attribute", "nested", "meta", "entry", "script", "data", "escaped JSON", "after CDATA",
        ]
        #expect(leaks(CanaryPosition.markup, wild: wild, seed: 2, rounds: Self.rounds).prefix(3) == [])
    }

    @Test func `secrets of responses are not in the archive`() {
        let wild: Set<String> = [
            "set cookie", "location", "token response", "JSON lines", "events", "log", "callback", "guarded",
            "URL in text", "issued",
        ]
        #expect(leaks(CanaryPosition.responses, wild: wild, seed: 3, rounds: Self.rounds).prefix(3) == [])
    }

    @Test func `secrets that a response repeats are not in the archive`() {
        let wild: Set<String> = ["encoded", "JSON"]
        #expect(leaks(CanaryPosition.echoes, wild: wild, seed: 4, rounds: Self.rounds).prefix(3) == [])
    }

    @Test func `a token of a response is masked in all entries`() {
        let first = CanaryPosition.received("application/json", "{\"id\":\"kanarie-of-login\"}")
        let second = CanaryPosition.sent("https://a.example/", ["Authorization": "Bearer kanarie-of-login"])
        let text = String(decoding: HTTPArchive([first, second]).redacted().data, as: UTF8.self)
        #expect(!text.contains(Self.mark))
    }

    @Test func `a web token is masked in each position`() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJrYW5hcmllIn0.c2lnbmF0dXJlLW9mLXRva2Vu"
        let entries = [
            CanaryPosition.sent("https://a.example/verify/\(token)"),
            CanaryPosition.sent("https://a.example/?id=\(token)"),
            CanaryPosition.received("application/json", "{\"id\":\"\(token)\"}"),
            CanaryPosition.received("text/plain", "", ["X-Info": "a,\(token)"]),
        ]
        for entry in entries {
            let text = String(decoding: HTTPArchive([entry]).redacted().data, as: UTF8.self)
            #expect(!text.contains("c2lnbmF0"), "\(text)")
        }
    }
}
