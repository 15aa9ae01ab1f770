package import Errand
package import GalleryCore

/// What `gallery fetch` is to do, with the defaults that hold where nothing is said.
package struct FetchOptions: Sendable, Equatable {
    /// What to search for; nil lists the newest pictures.
    package var query: String?
    package var page: Int = 1
    package var perPage: Int = 10
    package var pages: Int = 1
    package var size: PhotoSize = .regular
    package var output: String = "gallery"
    package var environment: EnvironmentName = .development
    package var baseURL: BaseURL?
    package var accessKey: Secret?
    package var concurrency: Int = 6
    package var session: Transport = .platform
    package var json: Bool = false
    package var quiet: Bool = false
    package var explain: Bool = false
    package var curl: Bool = false

    package init() {}
}

/// Where the API lives, by name.
package enum EnvironmentName: String, Sendable, CaseIterable {
    case development, staging, production
}
