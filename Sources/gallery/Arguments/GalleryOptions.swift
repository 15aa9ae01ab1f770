package import Errand
package import GalleryCore

/// The options of a command with their defaults.
package struct GalleryOptions: Sendable, Equatable {
    /// The search text. If `nil`, the newest pictures are listed.
    package var query: String?
    /// The identifier of the photo to show.
    package var id: String = ""
    /// The paths of the files to upload.
    package var files: [String] = []
    /// The description of the uploaded pictures.
    package var description: String?
    package var paging: Paging = Paging()
    package var size: PhotoSize = .regular
    package var output: String = "gallery"
    package var html: Bool = false
    package var environment: EnvironmentName = .development
    package var baseURL: BaseURL?
    package var accessKey: Secret?
    package var concurrency: Int = 6
    package var session: Transport = .platform
    package var display: Display = Display()
    /// The path of the HAR file to write.
    package var archive: String?
    package var cache: Cache = Cache()
    package var limit: Limit = Limit()
    package var serving: Serving = Serving()
    /// The warnings to print before the command runs.
    package var warnings: [String] = []

    package init() {}

    /// The requested pages of a list.
    package struct Paging: Sendable, Equatable {
        package var page: Int = 1
        package var perPage: Int = 10
        package var pages: Int = 1
    }

    /// The output options.
    package struct Display: Sendable, Equatable {
        package var json: Bool = false
        package var quiet: Bool = false
        package var verbose: Bool = false
        package var explain: Bool = false
        package var curl: Bool = false
        package var preview: Bool = false
    }

    /// The cache of lists and photos.
    package struct Cache: Sendable, Equatable {
        /// The path of `--cache`.
        package var folder: String?
        /// The path of the default folder, or `nil` if the environment variables do not determine it.
        package var standardFolder: String?
        /// `false` with `--no-cache`.
        package var isUsed: Bool = true
    }

    /// The limit of API requests.
    package struct Limit: Sendable, Equatable {
        /// The requests per second with `--shared` and without `--rate`.
        package static let sharedRate: Int = 10

        /// The requests per second, or `nil` for ``sharedRate`` with a server and for no limit without one.
        package var rate: Int?
        /// The server through which several processes share the limit.
        package var server: URL?
        package var password: Secret?
        /// The expected number of processes.
        package var workers: Int = 1
    }

    /// The options of `gallery serve`.
    package struct Serving: Sendable, Equatable {
        package var port: Int = 8_080
        /// The access key that the server requires.
        package var requiredKey: Secret?

        /// The URL of the server.
        package var url: URL? { URL(string: "http://127.0.0.1:\(port)") }
    }
}

/// The name of an environment.
package enum EnvironmentName: String, Sendable, CaseIterable {
    case development, staging, production
}
