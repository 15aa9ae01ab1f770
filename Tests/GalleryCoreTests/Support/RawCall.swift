import Errand
import GalleryCore

/// Any request to the gallery's API, for what the typed calls do not ask.
struct RawCall: GalleryHandler {
    struct Input: Sendable {
        var method = "GET"
        let url: URL
        var fields: HeaderFields = [:]
    }

    typealias ResponseDataType = Data
    let environment: GalleryEnvironment
    var accessKey: Secret?

    func makeRequest(from input: Input) throws -> URLRequest {
        var request = try galleryRequest(to: input.url)
        request.httpMethod = input.method
        for field in input.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }
}

extension APILoader {
    /// What was thrown where the call failed.
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
    /// A target such as `/photos?page=2` below this address; the bytes stay as they are.
    func target(_ target: String) -> URL { URL(string: absoluteString + target) ?? self }
}
