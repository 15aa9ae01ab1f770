import Errand
import GalleryCore
import Testing
import gallery

@Suite struct CommandParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: [String]
        let expected: Command
        var testDescription: String { line.joined(separator: " ") }

        init(_ line: String..., gives expected: Command) {
            (self.line, self.expected) = (line, expected)
        }

        init(_ line: String..., change: (inout GalleryOptions) -> Void) {
            var options = GalleryOptions()
            change(&options)
            (self.line, self.expected) = (line, .fetch(options))
        }
    }

    @Test(arguments: [
        Row("--help", gives: .help(.overview)),
        Row("-h", gives: .help(.overview)),
        Row("help", gives: .help(.overview)),
        Row("help", "fetch", gives: .help(.fetch)),
        Row("fetch", "--help", gives: .help(.fetch)),
        Row("fetch", "--per-page", "0", "-h", gives: .help(.fetch)),
        Row("--help", "fetch", gives: .help(.fetch)),
        Row("--version", gives: .version),
        Row("fetch", "--nonsense", "--version", gives: .version),
        Row("fetch") { _ in },
        Row("fetch", "lake") { $0.query = "lake" },
        Row("fetch", "misty lake") { $0.query = "misty lake" },
        Row("fetch", "-") { $0.query = "-" },
        Row("fetch", "--", "--help") { $0.query = "--help" },
        Row("fetch", "--json", "--", "-x") { ($0.query, $0.display.json) = ("-x", true) },
        Row("fetch", "--page", "2") { $0.paging.page = 2 },
        Row("fetch", "--page=2") { $0.paging.page = 2 },
        Row("fetch", "--page", "2", "--page", "3") { $0.paging.page = 3 },
        Row("fetch", "--per-page", "1") { $0.paging.perPage = 1 },
        Row("fetch", "--per-page=30") { $0.paging.perPage = 30 },
        Row("fetch", "--pages", "7") { $0.paging.pages = 7 },
        Row("fetch", "-n", "7") { $0.paging.pages = 7 },
        Row("fetch", "-n7", "lake") { ($0.paging.pages, $0.query) = (7, "lake") },
        Row("fetch", "-n=7") { $0.paging.pages = 7 },
        Row("fetch", "--size", "thumb") { $0.size = .thumb },
        Row("fetch", "--size=raw") { $0.size = .raw },
        Row("fetch", "--output", "a b") { $0.output = "a b" },
        Row("fetch", "-o", "a b") { $0.output = "a b" },
        Row("fetch", "-o=-odd") { $0.output = "-odd" },
        Row("fetch", "-o", "a", "--output", "b", "-q") { ($0.output, $0.display.quiet) = ("b", true) },
        Row("fetch", "--output=--odd") { $0.output = "--odd" },
        Row("fetch", "--output=a=b") { $0.output = "a=b" },
        Row("fetch", "--environment", "development") { $0.environment = .development },
        Row("fetch", "--base-url", "http://127.0.0.1:8080/v1") { $0.baseURL = "http://127.0.0.1:8080/v1" },
        Row("fetch", "--environment", "staging", "--base-url=HTTPS://staging.example") {
            ($0.environment, $0.baseURL) = (.staging, "https://staging.example")
        },
        Row("fetch", "--environment=production", "--access-key=-k_1") {
            ($0.environment, $0.accessKey) = (.production, Secret("-k_1"))
        },
        Row("fetch", "--concurrency", "64") { $0.concurrency = 64 },
        Row("fetch", "--html", "--preview") { ($0.html, $0.display.preview) = (true, true) },
        Row("fetch", "--html", "--no-html", "--no-json") { _ in },
        Row("fetch", "--quiet", "--verbose") { $0.display.verbose = true },
        Row("fetch", "--verbose", "--quiet") { $0.display.quiet = true },
        Row("fetch", "--json", "--quiet", "lake") {
            ($0.display.json, $0.display.quiet, $0.query) = (true, true, "lake")
        },
    ])
    func `a command line is parsed into a command`(row: Row) throws {
        #expect(try Command.parse(row.line) == row.expected)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let line: [String]
        let message: String
        var testDescription: String { line.joined(separator: " ") }

        init(_ line: String..., says message: String) {
            (self.line, self.message) = (line, message)
        }
    }

    private static let help: String = "(see gallery fetch --help)"

    @Test(arguments: [
        Refusal(says: "expected a command (try gallery fetch, or --help)"),
        Refusal("fetsh", says: "unknown command 'fetsh' (did you mean gallery fetch?)"),
        Refusal("install", says: "unknown command 'install' (try gallery fetch, or gallery --help)"),
        Refusal("--json", "fetch", says: "--json must follow the command (gallery fetch --json …)"),
        Refusal("-x", says: "unknown option '-x' (see gallery --help)"),
        Refusal("-q", "fetch", says: "-q must follow the command (gallery fetch -q …)"),
        Refusal("--acces-key=s3cr3t", "fetch", says: "unknown option '--acces-key' (did you mean --access-key?)"),
        Refusal("--per-pge", "3", says: "unknown option '--per-pge' (did you mean --per-page?)"),
        Refusal("--frobnicate", "fetch", says: "unknown option '--frobnicate' (see gallery --help)"),
        Refusal(
            "fetch", "--base-url", "ftp://u:s3cr3t@h/",
            says: "--base-url takes an http or https URL, not one that starts with 'ftp' \(help)"),
        Refusal("help", "me", says: "unknown help topic 'me' (try gallery help fetch)"),
        Refusal("fetch", "--per-pge", "3", says: "unknown option '--per-pge' (did you mean --per-page?)"),
        Refusal("fetch", "--no-htm", says: "unknown option '--no-htm' (did you mean --no-html?)"),
        Refusal("fetch", "--perpage", "3", says: "unknown option '--perpage' (did you mean --per-page?)"),
        Refusal("fetch", "--per_page=3", says: "unknown option '--per_page' (did you mean --per-page?)"),
        Refusal("fetch", "-json", says: "unknown option '-json' (did you mean --json?)"),
        Refusal("fetch", "-output", "x", says: "unknown option '-output' (did you mean --output?)"),
        Refusal("fetch", "-x", says: "unknown option '-x' \(help)"),
        Refusal("fetch", "--env", "staging", says: "unknown option '--env' (did you mean --environment?)"),
        Refusal("fetch", "--frobnicate", says: "unknown option '--frobnicate' \(help)"),
        Refusal("fetch", "--frob\u{1B}[2J\n", says: "unknown option '--frob\\u{1B}[2J\\u{A}' \(help)"),
        Refusal("fetch", "--page", says: "--page needs a value (--page N)"),
        Refusal("fetch", "--page=", says: "--page takes a whole number from 1 to 1000000, not '' \(help)"),
        Refusal("fetch", "--page", "0", says: "--page takes a whole number from 1 to 1000000, not '0' \(help)"),
        Refusal("fetch", "--page", "-1", says: "--page takes a whole number from 1 to 1000000, not '-1' \(help)"),
        Refusal(
            "fetch", "--page", "99999999999999999999",
            says: "--page takes a whole number from 1 to 1000000, not '99999999999999999999' \(help)"),
        Refusal("fetch", "--per-page", "0", says: "--per-page takes a whole number from 1 to 30, not '0' \(help)"),
        Refusal("fetch", "--per-page", "31", says: "--per-page takes a whole number from 1 to 30, not '31' \(help)"),
        Refusal("fetch", "--per-page=3.5", says: "--per-page takes a whole number from 1 to 30, not '3.5' \(help)"),
        Refusal("fetch", "--pages", "0", says: "--pages takes a whole number from 1 to 1000, not '0' \(help)"),
        Refusal("fetch", "--concurrency=65", says: "--concurrency takes a whole number from 1 to 64, not '65' \(help)"),
        Refusal(
            "fetch", "--size", "smal",
            says: "--size takes thumb, small, regular, full or raw, not 'smal' (did you mean small?)"),
        Refusal("fetch", "--size=XXL", says: "--size takes thumb, small, regular, full or raw, not 'XXL' \(help)"),
        Refusal(
            "fetch", "--environment", "prodution",
            says: "--environment takes development, staging or production, not 'prodution' (did you mean production?)"),
        Refusal("fetch", "--output", says: "--output needs a value (--output DIR)"),
        Refusal("fetch", "-o", says: "--output needs a value (--output DIR)"),
        Refusal("fetch", "-n", "x", says: "--pages takes a whole number from 1 to 1000, not 'x' \(help)"),
        Refusal("fetch", "-n0", says: "--pages takes a whole number from 1 to 1000, not '0' \(help)"),
        Refusal("fetch", "-q=yes", says: "-q takes no value (write -q alone)"),
        Refusal("fetch", "--output=", says: "--output needs a value \(help)"),
        Refusal(
            "fetch", "--output", "--json",
            says: "--output needs a value (write --output=DIR if the value begins with a dash)"),
        Refusal("fetch", "--json=yes", says: "--json takes no value (write --json alone)"),
        Refusal("fetch", "--no-json=yes", says: "--no-json takes no value (write --no-json alone)"),
        Refusal("fetch", "--no-page", says: "unknown option '--no-page' \(help)"),
        Refusal("fetch", "--help=me", says: "--help takes no value (write --help alone)"),
        Refusal("fetch", "a", "b", says: "unexpected argument 'b' (put quotes around a query of several words)"),
        Refusal("fetch", " ", says: "the query is empty (omit it to list the newest pictures)"),
        Refusal(
            "fetch", "--base-url", "x.example",
            says: "--base-url takes an http or https URL, not one that starts with 'x.example' \(help)"),
        Refusal("fetch", "--curl", "--json", says: "--curl and --json can't be combined (omit --json)"),
        Refusal("fetch", "--environment=staging", says: "staging requires a base URL (add --base-url URL)"),
        Refusal(
            "fetch", "--environment=production",
            says: "production requires an access key (set UNSPLASH_ACCESS_KEY, or add --access-key KEY)"),
        Refusal(
            "fetch", "--environment=production", "--access-key=k", "--base-url=http://x.example",
            says: "production has a fixed URL (use --environment staging with --base-url)"),
        Refusal(
            "fetch", "--access-key", "top secret",
            says: "--access-key contains a character that is invalid in an access key (copy the key again)"),
    ])
    func `invalid usage is one line with a hint`(row: Refusal) throws {
        let error = try #require(throws: UsageError.self) { try Command.parse(row.line) }
        #expect(error.description == row.message)
        #expect(!error.description.contains("\n"))
    }

    @Test(arguments: ["ftp://x.example", "http://", "http://u:p@x.example", "http://x.example/#f", "http://[::1"])
    func `an invalid base URL is rejected`(text: String) {
        #expect(throws: UsageError.self) { try Command.parse(["fetch", "--base-url", text]) }
    }

    @Test func `the environment provides the key if the command line has none`() throws {
        let variables = ["UNSPLASH_ACCESS_KEY": "from-environment"]
        func key(_ line: String...) throws -> Secret? {
            guard case .fetch(let options) = try Command.parse(line, environment: variables) else { return nil }
            return options.accessKey
        }
        #expect(try key("fetch", "--environment", "production") == Secret("from-environment"))
        #expect(try key("fetch", "--access-key", "own") == Secret("own"))
        #expect(try key("fetch") == nil && key("fetch", "--base-url", "http://h.test") == nil)
        #expect(throws: UsageError.self) {
            try Command.parse(["fetch", "--environment=production"], environment: ["UNSPLASH_ACCESS_KEY": ""])
        }
    }

    @Test func `an error message does not contain the key`() throws {
        let line = ["fetch", "--access-key", "s3cr\u{E9}t-key"]
        let error = try #require(throws: UsageError.self) { try Command.parse(line) }
        #expect(!error.description.contains("s3cr"))
    }
}
