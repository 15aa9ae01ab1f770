import Errand

extension FetchOption {
    /// Every option of `gallery fetch`, in the order of the help text.
    static let all: [FetchOption] = [
        .number("--page", \.page, 1...1_000_000, "The first page to ask for"),
        .number("--per-page", \.perPage, 1...30, "Pictures a page, at most 30"),
        .number("--pages", \.pages, 1...1_000, "How many pages to fetch"),
        .choice("--size", \.size, placeholder: "SIZE", "Which picture of each photo"),
        .text("--output", placeholder: "DIR", "The folder for the pictures (default: \(FetchOptions().output))") {
            $1.output = $0
        },
        .choice("--environment", \.environment, placeholder: "NAME", "Which API"),
        .text("--base-url", placeholder: "URL", "Where the API lives; staging needs it, production refuses it") {
            text, options throws(UsageError) in
            options.baseURL = try baseURL(text)
        },
        .text("--access-key", placeholder: "KEY", "The API's access key; also read from \(accessKeyVariable)") {
            text, options throws(UsageError) in
            options.accessKey = try accessKey(text, from: "--access-key")
        },
        .number("--concurrency", \.concurrency, 1...64, "Pictures fetched at a time, at most 64"),
        .choice("--session", \.session, placeholder: "NAME", "What carries the requests"),
        .flag("--json", \.json, "Print one JSON object a line, and nothing else, on standard output"),
        .flag("--explain", \.explain, "Print what happened on each call and why, on standard error"),
        .flag("--curl", \.curl, "Print the API's request as a curl command, without the key, and send nothing"),
        .flag("--quiet", \.quiet, "Print errors only (and the objects of --json)"),
    ]

    static let accessKeyVariable: String = "UNSPLASH_ACCESS_KEY"

    static func baseURL(_ text: String) throws(UsageError) -> BaseURL {
        guard ["http://", "https://"].contains(where: text.lowercased().hasPrefix) else {
            // Not repeated whole: an address may hold a password.
            let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "@" }
            throw UsageError("--base-url takes an http or https address, not one of \(String(scheme).quoted)")
        }
        do {
            return try BaseURL(validating: text)
        } catch {
            throw UsageError("--base-url is no address of an API: \(error.reason)")
        }
    }

    /// The key's own text is in no message.
    static func accessKey(_ text: String, from source: String) throws(UsageError) -> Secret {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("\(source) holds a character that no access key has", hint: "copy the key again")
        }
        return Secret(text)
    }
}
