import Errand
import GalleryCore

/// An API call with any request, for requests without a typed call.
struct RawCall: GalleryHandler {
    struct Input: Sendable {
        var method = "GET"
        let url: URL
        var headers: HeaderFields = [:]
    }

    typealias ResponseDataType = Data
    let environment: GalleryEnvironment
    var accessKey: Secret?

    func makeRequest(from input: Input) throws -> URLRequest {
        var request = try galleryRequest(to: input.url)
        request.httpMethod = input.method
        for header in input.headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
        return request
    }
}

extension APILoader {
    /// Returns the error of the call, or `nil` if it succeeds.
    func failure(_ data: T.RequestDataType) async -> ServiceError? {
        do throws(ServiceError) {
            _ = try await load(data)
            return nil
        } catch {
            return error
        }
    }
}

extension URL {
    /// Returns this URL with a target such as `/photos?page=2` appended unchanged.
    func target(_ target: String) -> URL { URL(string: absoluteString + target) ?? self }
}
