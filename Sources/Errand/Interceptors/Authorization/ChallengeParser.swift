import ErrandSupport

/// Parses a `WWW-Authenticate` value in one pass (RFC 9110, sections 11.2 to 11.6.1).
///
/// Commas separate both challenges and their parameters. A name before an equals sign is a parameter, and any other
/// name begins a challenge.
struct ChallengeParser {
    private static let maximumChallenges = 32
    private static let maximumParameters = 32

    private let bytes: [UInt8]
    private var index = 0
    private var challenges: [AuthorizationInterceptor.Challenge] = []

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    mutating func parse() -> [AuthorizationInterceptor.Challenge] {
        while skipSeparators(), let name = token() ?? skippedElement() {
            if name.isEmpty { continue }
            if !challenges.isEmpty, skipEquals() {
                add(.init(name: name, value: value()))
            } else if challenges.count < Self.maximumChallenges {
                challenges.append(AuthorizationInterceptor.Challenge(scheme: name))
                readToken68()
            } else {
                break
            }
        }
        return challenges
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func add(_ parameter: AuthorizationInterceptor.Challenge.Parameter) {
        let last = challenges.count - 1
        guard challenges[last].parameters.count < Self.maximumParameters else { return }
        challenges[last].parameters.append(parameter)
    }

    private mutating func token() -> String? {
        let text = text { $0.isTokenByte }
        return text.isEmpty ? nil : text
    }

    /// Skips malformed text up to the next comma. Returns an empty name, so that parsing continues.
    private mutating func skippedElement() -> String? {
        while let byte = current, byte != UInt8(ascii: ",") {
            index += 1
            if byte == UInt8(ascii: "\"") { _ = QuotedString.rest(of: bytes, from: &index) }
        }
        return ""
    }

    /// Parses a token68 value after a scheme if it ends the element. Otherwise does not move the index.
    private mutating func readToken68() {
        let start = index
        skipSpace()
        var text = text { $0.isAlphanumeric || "-._~+/".utf8.contains($0) }
        while current == UInt8(ascii: "="), !text.isEmpty {
            text.append("=")
            index += 1
        }
        skipSpace()
        if !text.isEmpty, index > start, current == nil || current == UInt8(ascii: ",") {
            challenges[challenges.count - 1].token68 = text
        } else {
            index = start
        }
    }

    /// Skips an equals sign and the white space around it. Returns `false` without moving the index if there is
    /// another character.
    private mutating func skipEquals() -> Bool {
        let start = index
        skipSpace()
        guard current == UInt8(ascii: "=") else {
            index = start
            return false
        }
        index += 1
        skipSpace()
        return true
    }

    private mutating func value() -> String {
        guard current == UInt8(ascii: "\"") else {
            // Some servers omit the quotation marks around URLs. Such a value extends to the next quotation mark,
            // comma or white space.
            return text { !" \t,".utf8.contains($0) }
        }
        index += 1
        return QuotedString.rest(of: bytes, from: &index)
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = current, isPart(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while current == UInt8(ascii: " ") || current == UInt8(ascii: "\t") { index += 1 }
    }

    /// Skips commas and white space. Returns `false` at the end.
    private mutating func skipSeparators() -> Bool {
        while let byte = current, " \t,".utf8.contains(byte) { index += 1 }
        return current != nil
    }
}
