package import Errand
package import GalleryCore

/// What a command is to do, with the defaults that hold where nothing is said.
package struct GalleryOptions: Sendable, Equatable {
    /// What to search for; nil lists the newest pictures.
    package var query: String?
    /// Which photo to show.
    package var id: String = ""
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
    package var serving: Serving = Serving()
    /// What is to be said before the work begins.
    package var warnings: [String] = []

    package init() {}

    /// Which part of a list.
    package struct Paging: Sendable, Equatable {
        package var page: Int = 1
        package var perPage: Int = 10
        package var pages: Int = 1
    }

    /// What is printed.
    package struct Display: Sendable, Equatable {
        package var json: Bool = false
        package var quiet: Bool = false
        package var verbose: Bool = false
        package var explain: Bool = false
        package var curl: Bool = false
        package var preview: Bool = false
    }

    /// What `gallery serve` does.
    package struct Serving: Sendable, Equatable {
        package var port: Int = 8_080
        /// What the server asks for.
        package var requiredKey: Secret?

        /// Where `gallery serve` listens.
        package var url: URL? { URL(string: "http://127.0.0.1:\(port)") }
    }
}

/// Where the API lives, by name.
package enum EnvironmentName: String, Sendable, CaseIterable {
    case development, staging, production
}
