import ErrandSupport

/// Reads one `WWW-Authenticate` value byte by byte, in one pass (RFC 9110, sections 11.2 to 11.6.1).
///
/// Commas part both challenges and their parameters: a name that an equals sign follows is a parameter, any other begins
/// a challenge.
struct ChallengeParser {
    private static let mostChallenges = 32
    private static let mostParameters = 32

    private let bytes: [UInt8]
    private var place = 0
    private var challenges: [AuthorizationInterceptor.Challenge] = []

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    mutating func parse() -> [AuthorizationInterceptor.Challenge] {
        while skipSeparators(), let name = token() ?? skippedElement() {
            if name.isEmpty { continue }
            if !challenges.isEmpty, skipEquals() {
                add(.init(name: name, value: value()))
            } else if challenges.count < Self.mostChallenges {
                challenges.append(AuthorizationInterceptor.Challenge(scheme: name))
                readToken68()
            } else {
                break
            }
        }
        return challenges
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func add(_ parameter: AuthorizationInterceptor.Challenge.Parameter) {
        let last = challenges.count - 1
        guard challenges[last].parameters.count < Self.mostParameters else { return }
        challenges[last].parameters.append(parameter)
    }

    private mutating func token() -> String? {
        let text = text { $0.isTokenByte }
        return text.isEmpty ? nil : text
    }

    /// Goes behind something that is no token, up to the next comma; an empty name, so that the reader goes on.
    private mutating func skippedElement() -> String? {
        while let byte = current, byte != UInt8(ascii: ",") {
            place += 1
            if byte == UInt8(ascii: "\"") { _ = QuotedString.rest(of: bytes, from: &place) }
        }
        return ""
    }

    /// Takes what follows a scheme where it ends the element as a token68 does; else stays.
    private mutating func readToken68() {
        let start = place
        skipSpace()
        var text = text { $0.isAlphanumeric || "-._~+/".utf8.contains($0) }
        while current == UInt8(ascii: "="), !text.isEmpty {
            text.append("=")
            place += 1
        }
        skipSpace()
        if !text.isEmpty, place > start, current == nil || current == UInt8(ascii: ",") {
            challenges[challenges.count - 1].token68 = text
        } else {
            place = start
        }
    }

    /// Goes behind an equals sign and the white space around it; stays where there is none.
    private mutating func skipEquals() -> Bool {
        let start = place
        skipSpace()
        guard current == UInt8(ascii: "=") else {
            place = start
            return false
        }
        place += 1
        skipSpace()
        return true
    }

    private mutating func value() -> String {
        guard current == UInt8(ascii: "\"") else {
            // Some servers forget the quotes around addresses: up to the next mark, as it stands.
            return text { !" \t,".utf8.contains($0) }
        }
        place += 1
        return QuotedString.rest(of: bytes, from: &place)
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = place
        while let byte = current, isPart(byte) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while current == UInt8(ascii: " ") || current == UInt8(ascii: "\t") { place += 1 }
    }

    /// Goes behind commas and white space; false at the end.
    private mutating func skipSeparators() -> Bool {
        while let byte = current, " \t,".utf8.contains(byte) { place += 1 }
        return current != nil
    }
}
