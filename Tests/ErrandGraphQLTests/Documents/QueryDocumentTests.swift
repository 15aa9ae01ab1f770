import Errand
import ErrandGraphQL
import TestSupport
import Testing

@Suite struct QueryDocumentTests {
    struct Flaw: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let message: String
        var testDescription: String { String(text.prefix(60)) }

        init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
            (self.text, self.line, self.column, self.message) = (text, line, column, message)
        }
    }

    static let grammar = [
        Flaw("{ a { b }", 1, 10, "the “{” at line 1, column 1 is not closed"),
        Flaw("{ a } }", 1, 7, "unmatched “}”"),
        Flaw("{ a(x: 1 }", 1, 10, "expected an argument, found “}”"),
        Flaw("{ a(x: [1, 2) }", 1, 13, "expected a value, found “)”"),
        Flaw("{\n  a\n  b(\n    x: $\n  )\n}", 5, 3, "expected a variable"),
        Flaw("{ }", 1, 1, "expected an element between"),
        Flaw("{ a() }", 1, 4, "expected an element between"),
        Flaw("query Q { a: }", 1, 14, "expected a field"),
        Flaw("querry Q { a }", 1, 1, "expected query, mutation, subscription or fragment"),
        Flaw("type Q { a: Int }", 1, 1, "expected query"),
        Flaw("query Q($a) { b }", 1, 11, "expected “:”"),
        Flaw("query Q($a: [Int) { b }", 1, 17, "expected a type"),
        Flaw("{ a ..b }", 1, 5, "expected “...”"),
        Flaw("{ a(x: 01) }", 1, 9, "unexpected character after a number"),
        Flaw("{ a(x: 1.) }", 1, 10, "expected a digit"),
        Flaw("{ a(x: 1e+) }", 1, 11, "expected a digit"),
        Flaw("{ a(x: 1x) }", 1, 9, "unexpected character after a number"),
        Flaw("{ a(x: \"b\n\") }", 1, 8, "unterminated string"),
        Flaw("{ a(x: \"\"\"b\"\") }", 1, 8, "unterminated string"),
        Flaw(#"{ a(x: "\q") }"#, 1, 9, "invalid escape sequence"),
        Flaw(#"{ a(x: "\u12G4") }"#, 1, 9, "invalid escape sequence"),
        Flaw("{ ä }", 1, 3, "unexpected character"),
        Flaw("# über\r\n{ a ? }", 2, 5, "unexpected character"),
        Flaw("{ a(x: \"üü\") ? }", 1, 14, "unexpected character"),
        Flaw("fragment on on A { a } { b }", 1, 10, "expected a fragment name, found the keyword “on”"),
        Flaw("fragment F A { a } { b }", 1, 12, "expected “on”"),
    ]

    static let rules = [
        Flaw("query A { a } query A { b }", 1, 21, "duplicate operation “A”"),
        Flaw("query A { a } { b }", 1, 15, "an unnamed operation must be the only operation"),
        Flaw("{ ...F } fragment F on A { a } fragment F on B { b }", 1, 41, "duplicate fragment “F”"),
        Flaw("query A($a: Int, $a: Int) { b(a: $a) }", 1, 18, "duplicate variable “a”"),
        Flaw("query A($a: Int) {\n  b(a: $a, c: [{d: $e}])\n}", 2, 20, "the operation “A” does not declare “$e”"),
        Flaw("{ a @include(if: $b) }", 1, 18, "the operation does not declare “$b”"),
        Flaw("query A @x(y: $z) { a }", 1, 15, "does not declare “$z”"),
        Flaw("{ a { ...F } } fragment F on A { b(c: $d) }", 1, 39, "does not declare “$d”"),
        Flaw("{ ... on A { b(c: $d) } }", 1, 19, "does not declare “$d”"),
        Flaw("query A($a: Int = $b) { x(a: $a) }", 1, 19, "expected a constant value, found a variable"),
        Flaw("query A($a: Int @d(x: [$b])) { x(a: $a) }", 1, 24, "expected a constant value, found a variable"),
        Flaw("{ ...F }", 1, 6, "unknown fragment “F”"),
        Flaw("{ a } fragment F on A { ...G }", 1, 28, "unknown fragment “G”"),
        Flaw("{ ...F } fragment F on A { b { ...F } }", 1, 35, "fragments must not form a cycle"),
        Flaw(
            "{ ...F } fragment F on A { ...G } fragment G on A { ...H } fragment H on A { ...F }", 1, 31,
            "fragments must not form a cycle"),
    ]

    @Test(arguments: grammar + rules)
    func `an error in a document has its location`(row: Flaw) throws {
        let error = try #require(throws: ServiceError.self) { try QueryDocument(row.text) }
        let problem = try #require(error.underlying as? DocumentProblem)
        #expect(problem.location == GraphQLLocation(line: row.line, column: row.column))
        #expect(problem.message.contains(row.message), "\(problem.message)")
        #expect(error.code == .configuration)
        #expect(error.reason == "line \(row.line), column \(row.column): \(problem.message)")
    }

    @Test(arguments: [
        "{a}", "query{a}", "query Q{a}", "\u{FEFF}{ a, b,, c }", "{ a } # the end", "subscription S { a }",
        "query Q($a: [Int!]! = [1, -2, 3], $b: T = {x: \"y\", z: E} @d) @d(a: 1) { x: a(b: $a, c: $b) @include(if: true) }",
        "{ a(b: \"\"\"block \"quoted\" \\\"\"\" end\"\"\", c: \"\\u00e9\\u{1F600}\\n\", d: 1.5e-3, e: null, f: [], g: {}) }",
        "query Q($a: Int) { ...F } fragment F on A { ... on B { c } ... @skip(if: true) { d } ...G } fragment G on A { e(f: $a) }",
        "{ query mutation fragment on type true null }", "{ on: on fragment: fragment }",
        "{ a(b: 0, c: -0, d: 0.0, e: -0e1) }",
        "query A($x: Int) { a(x: $x) } query B($x: String) { b(x: $x) }",
    ])
    func `a valid document is accepted`(text: String) throws {
        let name = text.hasPrefix("query A") ? "A" : nil
        #expect(try QueryDocument(text, operation: name).text == text)
    }

    struct Choice: Sendable {
        let text: String, name: String?, kind: QueryDocument.Operation.Kind?, variables: [String]
    }

    @Test(arguments: [
        Choice(text: "{ a }", name: nil, kind: .query, variables: []),
        Choice(
            text: "mutation M($b: Int, $a: Int) { x(a: $a, b: $b) }", name: nil, kind: .mutation, variables: ["b", "a"]),
        Choice(text: "query A { a } mutation B { b } subscription C { c }", name: "B", kind: .mutation, variables: []),
        Choice(
            text: "query A { a } mutation B { b } subscription C { c }", name: "C", kind: .subscription, variables: []),
        Choice(text: "query A { a } query B { b }", name: nil, kind: nil, variables: []),
        Choice(text: "query A { a }", name: "a", kind: nil, variables: []),
        Choice(text: "{ a }", name: "A", kind: nil, variables: []),
        Choice(text: "fragment F on A { a }", name: nil, kind: nil, variables: []),
        Choice(text: "", name: nil, kind: nil, variables: []),
    ])
    func `an operation is selected by name or as the only one`(row: Choice) throws {
        guard let kind = row.kind else {
            let error = #expect(throws: ServiceError.self) { try QueryDocument(row.text, operation: row.name) }
            #expect(error?.code == .configuration)
            return
        }
        let document = try QueryDocument(row.text, operation: row.name)
        #expect(document.operation.kind == kind && document.operation.variables == row.variables)
        #expect(row.name == nil || document.operation.name == row.name)
    }

    @Test func `a document that exceeds a limit is an error`() {
        let deep = String(repeating: "{ a ", count: 101) + String(repeating: "}", count: 101)
        let list = "{ a(b: " + String(repeating: "[", count: 10_000) + " }"
        let type = "query Q($a: " + String(repeating: "[", count: 10_000) + " }"
        let wide = "{ " + String(repeating: "a ", count: 60_000) + "}"
        let long = "{ a } #" + String(repeating: " ", count: 262_144)
        let many = (0...1_000).map { "query Q\($0) { a }" }.joined()
        for text in [deep, list, type, wide, long, many] {
            let error = #expect(throws: ServiceError.self) { try QueryDocument(text, operation: "Q1") }
            #expect(error?.reason.contains("expected at most") == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `random text does not crash the parser`() {
        let words = [
            "{", "}", "(", ")", "[", "]", "$", "a", "on", "...", "\"", "\"\"\"", "\\", "query", "fragment", ":", "=",
            "!", "@", "-1.5e", "#", "\n", "ü", "&", "|", "\u{0}",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<TestEnvironment.rounds(2_000, heavy: 200_000) {
            let text = (0..<Int.random(in: 1...24, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            _ = try? QueryDocument(text.joined(separator: Bool.random(using: &random) ? "" : " "))
        }
    }
}
