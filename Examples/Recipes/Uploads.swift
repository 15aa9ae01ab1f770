import Errand

nonisolated struct Avatar: Sendable { let title: String, url: URL }

struct AvatarUpload: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from avatar: Avatar) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "avatars"))
        request.httpMethod = "POST"
        return request
    }

    func body(for avatar: Avatar) throws -> RequestBody? {
        .multipart(["title": avatar.title], files: [.file(avatar.url, name: "picture", contentType: "image/png")])
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

nonisolated struct Profile: Encodable, Sendable {
    struct User: Encodable, Sendable { let name: String, languages: [String] }
    let user: User
}

struct ProfileUpload: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from profile: Profile) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "profile"))
        request.httpMethod = "PUT"
        return request
    }

    func body(for profile: Profile) throws -> RequestBody? {
        try .multipart(encoding: profile)  // user[name]=…, user[languages]=…
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

extension Endpoint where Response == Receipt {
    static func upload(_ avatar: Avatar) -> Self {
        let picture = MultipartBody.Part.file(avatar.url, name: "picture", contentType: "image/png")
        return Endpoint(method: .post, path: "avatars", body: .multipart(["title": avatar.title], files: [picture]))
    }
}
