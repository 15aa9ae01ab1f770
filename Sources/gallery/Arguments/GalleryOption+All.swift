import Errand

extension GalleryOption {
    /// Which part of a list.
    static let paging: [GalleryOption] = [
        .number("--page", \.paging.page, 1...1_000_000, "The first page to ask for"),
        .number("--per-page", \.paging.perPage, 1...30, "Pictures a page, at most 30"),
        .number("--pages", short: "-n", \.paging.pages, 1...1_000, "How many pages to fetch"),
    ]

    /// What becomes of the pictures.
    static let files: [GalleryOption] = [
        .choice("--size", \.size, placeholder: "SIZE", "Which picture of each photo"),
        .text(
            "--output", short: "-o", placeholder: "DIR",
            "The folder for the pictures (default: \(GalleryOptions().output))"
        ) {
            $1.output = $0
        },
        .flag("--html", \.html, "Write index.html, a page of the pictures, into the folder"),
        .flag("--preview", \.display.preview, "Show the PNG pictures in terminals with the kitty graphics protocol"),
    ]

    /// Which API is asked, and how.
    static let place: [GalleryOption] = [
        .choice("--environment", \.environment, placeholder: "NAME", "Which API"),
        .text("--base-url", placeholder: "URL", "Where the API lives; staging needs it, production refuses it") {
            text, options throws(UsageError) in
            options.baseURL = try baseURL(text)
        },
        key("--access-key", \.accessKey, "The API's access key; better kept in \(accessKeyVariable)"),
    ]

    static let concurrency: GalleryOption = .number(
        "--concurrency", \.concurrency, 1...64, "Pictures fetched at a time, at most 64")

    static let port: GalleryOption = .number(
        "--port", \.serving.port, 0...65_535, "The port on 127.0.0.1; 0 is any that is free")

    static let requiredKey: GalleryOption = key(
        "--require-key", \.serving.requiredKey, "A key that each call must carry (default: none)")

    private static func key(_ name: String, _ path: Path<Secret?>, _ summary: String) -> GalleryOption {
        .text(name, placeholder: "KEY", summary) { text, options throws(UsageError) in
            options[keyPath: path] = try accessKey(text, from: name)
        }
    }

    /// What is sent how, and what is printed of it.
    static let output: [GalleryOption] = [
        .choice("--session", \.session, placeholder: "NAME", "What carries the requests"),
        .flag("--json", \.display.json, "Print one JSON object a line, and nothing else, on standard output"),
        .flag("--explain", \.display.explain, "Print what happened on each call and why, on standard error"),
        .flag("--curl", \.display.curl, "Print the request as a curl command, without the key, and send nothing"),
        .flag("--verbose", "Print each request with its status and time on standard error") {
            $1.display.verbose = $0
            if $0 { $1.display.quiet = false }
        },
        .flag("--quiet", short: "-q", "Print errors only (and the objects of --json)") {
            $1.display.quiet = $0
            if $0 { $1.display.verbose = false }
        },
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
