import Errand
import TestSupport
import Testing
import gallery

@Suite struct KeyMaskTests {
    private static let key = "k3y-that-must-stay"

    @Test(arguments: [
        (key, "‹redacted›"), ("a \(key.uppercased())b", "a ‹redacted›b"), (key + key, "‹redacted›‹redacted›"),
        ("\(key)\u{301}!", "‹redacted›\u{301}!"), ("\u{1F469}\u{200D}\(key)", "\u{1F469}\u{200D}‹redacted›"),
        ("k3y-that-must-sta", "k3y-that-must-sta"), ("kk3y-that-must-stay", "k‹redacted›"), ("", ""), ("霧の湖", "霧の湖"),
    ])
    func `a key is masked at any position in a text`(text: String, shown: String) {
        #expect(KeyMask(Secret(Self.key)).hide(text) == shown)
    }

    @Test func `a short key is not masked`() {
        #expect(KeyMask(Secret("lake")).hide("a lake") == "a lake" && KeyMask(nil).hide("a lake") == "a lake")
    }

    @Test(.serialized, arguments: ProcessorTime.hostileUnits) func `the time to mask a key grows linearly`(unit: String)
        async throws
    {
        let mask = KeyMask(Secret(Self.key))
        #expect(try await ProcessorTime.growth(ofRepeating: unit) { _ = mask.hide($0) } <= 32)
    }
}
