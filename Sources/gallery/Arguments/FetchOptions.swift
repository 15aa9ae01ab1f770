package import Errand

/// What `gallery fetch` is to do, with the defaults that hold where nothing is said.
package struct FetchOptions: Sendable, Equatable {
    /// What to search for; nil lists the newest pictures.
    package var query: String?
    package var page: Int = 1
    package var perPage: Int = 10
    package var pages: Int = 1
    package var size: PictureSize = .regular
    package var output: String = "gallery"
    package var environment: EnvironmentName = .development
    package var baseURL: URL?
    package var accessKey: Secret?
    package var concurrency: Int = 6
    package var json: Bool = false
    package var quiet: Bool = false

    package init() {}
}

/// Which of a photo's pictures is fetched, smallest first.
package enum PictureSize: String, Sendable, CaseIterable {
    case thumb, small, regular, full, raw
}

/// Where the API lives, by name.
package enum EnvironmentName: String, Sendable, CaseIterable {
    case development, staging, production
}
