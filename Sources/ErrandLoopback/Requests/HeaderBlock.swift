/// The received bytes of a header section and the range of each header. Strings are created only on access.
struct HeaderBlock: Sendable {
    struct Span: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]
    let spans: [Span]

    var all: [LoopbackHeader] {
        spans.map { LoopbackHeader(text($0.name), text($0.value)) }
    }

    func first(_ name: String) -> String? {
        spans.first { matches($0, name) }.map { text($0.value) }
    }

    func values(_ name: String) -> [String] {
        spans.filter { matches($0, name) }.map { text($0.value) }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func matches(_ span: Span, _ name: String) -> Bool {
        span.name.count == name.utf8.count
            && zip(bytes[span.name], name.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
