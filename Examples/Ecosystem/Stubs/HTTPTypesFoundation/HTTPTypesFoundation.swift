// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-http-types 1.6.0:
// https://github.com/apple/swift-http-types/blob/1.6.0/Sources/HTTPTypesFoundation/URLRequest%2BHTTPTypes.swift
// Only the declarations that the recipes use.

// Foundation, on Linux with FoundationNetworking.
public import Errand
public import HTTPTypes

extension URLRequest {
    public init?(httpRequest: HTTPRequest) {
        guard let scheme = httpRequest.scheme, let authority = httpRequest.authority, let path = httpRequest.path,
            let url = URL(string: "\(scheme)://\(authority)\(path)")
        else { return nil }
        self.init(url: url)
        httpMethod = httpRequest.method.rawValue
        for field in httpRequest.headerFields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    }

    public var httpRequest: HTTPRequest? {
        guard let method = HTTPRequest.Method(httpMethod ?? "GET"), let url else { return nil }
        let target = url.absoluteString.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let path = target.last.flatMap { $0.firstIndex(of: "/").map { start in String(target[2][start...]) } } ?? "/"
        let authority = (url.host() ?? "") + (url.port.map { ":\($0)" } ?? "")
        var request = HTTPRequest(method: method, scheme: url.scheme, authority: authority, path: path)
        for (name, value) in allHTTPHeaderFields ?? [:] {
            if let name = HTTPField.Name(name) { request.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return request
    }
}
