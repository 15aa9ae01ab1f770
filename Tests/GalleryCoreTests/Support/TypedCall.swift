import Errand
import GalleryCore

/// Maps recorded targets to the typed API calls.
struct TypedCall {
    let environment: GalleryEnvironment
    let base: URL
    let key = Secret("k3y")

    /// Loads a target and returns the identifiers of its photos, or `nil` if it matches no API call.
    func photos(at target: String) async throws(ServiceError) -> [String]? {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let segments = parts[0].split(separator: "/").map(String.init)
        let items = URLComponents(string: target)?.queryItems ?? []
        func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
        func count(_ name: String) -> Int? { item(name).flatMap { Int($0) } }
        let order = item("order_by").map(PhotoOrder.init)
        switch (segments.count, segments.first, segments.last) {
        case (1, "photos", _):
            let query = GalleryQuery(page: count("page"), perPage: count("per_page"), orderBy: order)
            return try await run(GalleryAPI(environment: environment, accessKey: key), query).map(\.id)
        case (2, "search", "photos"):
            var query = SearchQuery(
                item("query") ?? "", page: count("page"), perPage: count("per_page"), orderBy: order)
            query.orientation = item("orientation").map(PhotoOrientation.init)
            query.contentFilter = item("content_filter").map(ContentFilter.init)
            return try await run(SearchAPI(environment: environment, accessKey: key), query).results.map(\.id)
        case (2, "photos", "random"):
            let query = RandomPhotoQuery(
                query: item("query"), username: item("username"),
                orientation: item("orientation").map(PhotoOrientation.init),
                contentFilter: item("content_filter").map(ContentFilter.init))
            return [try await run(RandomPhotoAPI(environment: environment, accessKey: key), query).id]
        case (2, "photos", let id?):
            return [try await run(PhotoAPI(environment: environment, accessKey: key), id).id]
        case (3, "photos", "download"):
            return [
                try await run(DownloadAPI(environment: environment, accessKey: key), base.target(target)).url
                    .absoluteString
            ]
        case (3, "users", "photos"):
            let query = UserPhotosQuery(
                username: segments[1], page: count("page"), perPage: count("per_page"), orderBy: order)
            return try await run(UserPhotosAPI(environment: environment, accessKey: key), query).map(\.id)
        default: return nil
        }
    }

    private func run<Call: GalleryHandler>(
        _ call: Call, _ input: Call.RequestDataType
    ) async throws(ServiceError) -> Call.ResponseDataType {
        try await APILoader(call).load(input)
    }
}
