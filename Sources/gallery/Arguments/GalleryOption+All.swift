import Errand
import ErrandValkey

extension GalleryOption {
    /// The options for the pages of a list.
    static let paging: [GalleryOption] = [
        .number("--page", \.paging.page, 1...1_000_000, "The first page to request"),
        .number("--per-page", \.paging.perPage, 1...30, "Pictures per page, at most 30"),
        .number("--pages", short: "-n", \.paging.pages, 1...1_000, "The number of pages to fetch"),
    ]

    /// The options for the files.
    static let files: [GalleryOption] = [
        .choice("--size", \.size, placeholder: "SIZE", "The size of each picture"),
        .text(
            "--output", short: "-o", placeholder: "DIR",
            "The folder for the pictures (default: \(GalleryOptions().output))"
        ) {
            $1.output = $0
        },
        .flag("--html", \.html, "Write index.html, a web page with the pictures, into the folder"),
        .flag("--preview", \.display.preview, "Show PNG pictures in terminals with the kitty graphics protocol"),
    ]

    static let description: GalleryOption = .text(
        "--description", placeholder: "TEXT", "The description of each picture (default: none)"
    ) {
        $1.description = $0
    }

    /// The options for the API.
    static let api: [GalleryOption] = [
        .choice("--environment", \.environment, placeholder: "NAME", "The API to use"),
        .text(
            "--base-url", placeholder: "URL", "The base URL of the API (required for staging, invalid for production)"
        ) {
            text, options throws(UsageError) in
            options.baseURL = try baseURL(text)
        },
        key("--access-key", \.accessKey, "The access key of the API (safer in \(accessKeyVariable))"),
    ]

    static let cacheFolder: GalleryOption = .text(
        "--cache", placeholder: "DIR",
        "The folder of the cache for lists and photos (default: gallery in the user's cache folder)"
    ) {
        $1.cache.folder = $0
        $1.cache.isUsed = true
    }

    /// The options for the cache.
    static let cache: [GalleryOption] = [
        cacheFolder, .flag("--no-cache", "Disable the cache of lists and photos") { $1.cache.isUsed = !$0 },
    ]

    /// The options for the limit of API requests.
    static let limit: [GalleryOption] = [
        .number(
            "--rate", 1...10_000,
            "API requests per second (default: no limit; with --shared, \(GalleryOptions.Limit.sharedRate))"
        ) { $1.limit.rate = $0 },
        .text(
            "--shared", placeholder: "URL",
            "Share the limit with other processes through the Valkey or Redis server at this URL"
        ) { text, options throws(UsageError) in
            options.limit.server = try limitServer(text)
        },
        .number(
            "--workers", \.limit.workers, 1...10_000,
            "The number of processes. Each sends an equal share while the server of --shared fails"),
    ]

    static let json: GalleryOption = .flag(
        "--json", \.display.json, "Print only JSON objects on standard output, one per line")

    static let concurrency: GalleryOption = .number(
        "--concurrency", \.concurrency, 1...64, "Concurrent downloads, at most 64")

    static let port: GalleryOption = .number(
        "--port", \.serving.port, 0...65_535, "The port on 127.0.0.1, or 0 for any free port")

    static let requiredKey: GalleryOption = key(
        "--require-key", \.serving.requiredKey, "The key that each API call must send (default: none)")

    private static func key(_ name: String, _ path: Path<Secret?>, _ summary: String) -> GalleryOption {
        .text(name, placeholder: "KEY", summary) { text, options throws(UsageError) in
            options[keyPath: path] = try accessKey(text, from: name)
        }
    }

    /// The options for the session and the output.
    static let output: [GalleryOption] = [
        .choice("--session", \.session, placeholder: "NAME", "The session that sends the requests"),
        json,
        .flag("--explain", \.display.explain, "Print the events of each request on standard error"),
        .flag("--curl", \.display.curl, "Print the request as a curl command without the key, and send nothing"),
        .text("--har", placeholder: "FILE", "Write the requests and responses, without the key, to a HAR file") {
            text, options throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("--har takes the path of a file") }
            options.archive = text
        },
        .flag("--verbose", "Print each request with its status and time on standard error") {
            $1.display.verbose = $0
            if $0 { $1.display.quiet = false }
        },
        .flag("--quiet", short: "-q", "Print only errors and the objects of --json") {
            $1.display.quiet = $0
            if $0 { $1.display.verbose = false }
        },
    ]

    static let accessKeyVariable: String = "UNSPLASH_ACCESS_KEY"
    static let limitPasswordVariable: String = "GALLERY_SHARED_PASSWORD"

    static func baseURL(_ text: String) throws(UsageError) -> BaseURL {
        guard ["http://", "https://"].contains(where: text.lowercased().hasPrefix) else {
            // The complete URL is not printed, because it may contain a password.
            let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "@" }
            throw UsageError(
                "--base-url takes an http or https URL, not one that starts with \(String(scheme).quoted)")
        }
        do {
            return try BaseURL(validating: text)
        } catch {
            throw UsageError("--base-url is invalid: \(error.reason)")
        }
    }

    private static func limitServer(_ text: String) throws(UsageError) -> URL {
        // The URL is not printed, because it may contain a password.
        guard let url = URL(string: text) else {
            throw UsageError("--shared takes a URL such as redis://127.0.0.1:6379")
        }
        do {
            _ = try ValkeyClient.Configuration(url)
            return url
        } catch {
            let hint = url.password() == nil ? nil : "set \(limitPasswordVariable) to the password"
            throw UsageError("--shared: \(error.reason)", hint: hint)
        }
    }

    /// Validates an access key. The messages never contain its text.
    static func accessKey(_ text: String, from source: String) throws(UsageError) -> Secret {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError(
                "\(source) contains a character that is invalid in an access key", hint: "copy the key again")
        }
        return Secret(text)
    }
}
