import Foundation

/// Finds the literals of error messages in a Swift source.
///
/// It knows parentheses, braces, string literals and line comments, which suffices for the sources of this project.
struct MessageScanner {
    private struct Scope {
        var name: String
        var code: String?
    }
    private static let assigned: Set<String> = ["reason", "refusal"]
    private static let statements: Set<String> = ["throw", "return", "let", "var", "guard", "if", "func", "static"]
    /// The prefix of the names of scopes that are declarations, not calls.
    private static let declaration = "var "
    private let characters: [UInt8]
    private let path: String
    private let helpers: Set<String>
    private let members: Set<String>
    private var index = 0
    private var line = 1
    private var scopes: [Scope] = []
    private var lastWord = ""
    private var declared: String?
    private var isAssigning = false
    private var continues = false
    private var found: [ErrorTemplate] = []

    init(_ text: String, path: String, helpers: Set<String>, members: Set<String>) {
        characters = Array(text.utf8)
        self.path = path
        self.helpers = helpers
        let file = path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
        self.members = Set(members.filter { $0.hasPrefix(file + ".") }.map { String($0.dropFirst(file.count + 1)) })
    }

    mutating func templates() -> [ErrorTemplate] {
        while let character = peek() { step(character) }
        return found.filter { $0.message.filter(\.isLetter).count > 3 }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        index + distance < characters.count ? characters[index + distance] : nil
    }

    private mutating func step(_ character: UInt8) {
        switch character {
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
            while let next = peek(), next != UInt8(ascii: "\n") { index += 1 }
            return
        case UInt8(ascii: "\""): return takeLiteral()
        case UInt8(ascii: "("): open(lastWord)
        case UInt8(ascii: "{"):
            open(declared.map { Self.declaration + $0 } ?? "")
            declared = nil
        case UInt8(ascii: ")"): _ = scopes.popLast()
        case UInt8(ascii: "}"):
            _ = scopes.popLast()
            isAssigning = false
        case UInt8(ascii: "\n"): line += 1
        case UInt8(ascii: "="): isAssigning = isAssigning || Self.assigned.contains(lastWord)
        case _ where character.isWord: return takeWord()
        default: break
        }
        if character > 0x20 {
            if character != UInt8(ascii: ".") { lastWord = "" }
            continues = character == UInt8(ascii: "+") && continues
        }
        index += 1
    }

    private mutating func open(_ name: String) {
        scopes.append(Scope(name: name))
    }

    private mutating func takeWord() {
        // The code of `ServiceError(.timeout, …)`, not that of `ServiceError(error.code, …)`.
        let isCode = index > 1 && characters[index - 1] == UInt8(ascii: ".") && !characters[index - 2].isWord
        let start = index
        while let next = peek(), next.isWord { index += 1 }
        let word = String(decoding: characters[start..<index], as: UTF8.self)
        if lastWord == "var" || lastWord == "func" { declared = word }
        if Self.statements.contains(word) { isAssigning = false }
        if isCode, var scope = scopes.popLast() {
            if scope.name == "ServiceError", scope.code == nil { scope.code = word }
            scopes.append(scope)
        }
        lastWord = word
        continues = false
    }

    private mutating func takeLiteral() {
        let start = line
        let parts = literal()
        let isMore = continues
        continues = true
        let scope = scopes.last { !$0.name.isEmpty } ?? Scope(name: Self.declaration)
        let isCall = !scope.name.hasPrefix(Self.declaration)
        let isMessage =
            isCall
            ? helpers.contains(scope.name)
            : isAssigning || members.contains(String(scope.name.dropFirst(Self.declaration.count)))
        guard isMessage else { return }
        add(parts, scope.code, start, isMore)
    }

    private mutating func add(_ parts: [String], _ code: String?, _ start: Int, _ isMore: Bool) {
        var parts = parts
        var location = "\(path):\(start)"
        if isMore, let last = found.popLast() {
            let before = last.message.components(separatedBy: "…")
            parts = before.dropLast() + [(before.last ?? "") + parts[0]] + parts.dropFirst()
            location = last.location
        }
        found.append(ErrorTemplate(location: location, code: code, parts: parts))
    }

    /// Returns the parts of the literal between its interpolations.
    private mutating func literal() -> [String] {
        var parts: [[UInt8]] = [[]]
        index += 1
        while let next = peek(), next != UInt8(ascii: "\"") {
            if next == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "(") {
                index += 2
                skipInterpolation()
                parts.append([])
            } else {
                if next == UInt8(ascii: "\n") { line += 1 }
                if next == UInt8(ascii: "\\") { index += 1 }
                if let character = peek() { parts[parts.count - 1].append(character) }
                index += 1
            }
        }
        index += 1
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func skipInterpolation() {
        var depth = 1
        while let next = peek(), depth > 0 {
            if next == UInt8(ascii: "\"") {
                _ = literal()
                continue
            }
            if next == UInt8(ascii: "(") { depth += 1 }
            if next == UInt8(ascii: ")") { depth -= 1 }
            index += 1
        }
    }
}

extension UInt8 {
    fileprivate var isWord: Bool {
        self == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }
}
