import Errand
import Foundation

/// Sends or receives one file, or discards what it receives, for `Benchmarks/transfers.py`, which compares it with curl.
struct TransferCommand {
    private enum Kind: String, CaseIterable { case upload, multipart, download, discard }

    private let kind: Kind
    private let url: URL
    private let file: URL

    init(_ arguments: some Sequence<String>) throws(Failure) {
        let words = Array(arguments)
        guard words.count == 3, let kind = Kind(rawValue: words[0]) else {
            throw Failure("expected \(Kind.allCases.map(\.rawValue).joined(separator: " or ")), a URL and a file")
        }
        guard let url = URL(string: words[1]), url.host() != nil else {
            throw Failure("invalid URL \"\(words[1])\": expected a URL with a host")
        }
        (self.kind, self.url, file) = (kind, url, URL(filePath: words[2]))
    }

    func run() async throws {
        switch kind {
        case .upload: _ = try await APILoader(Sending(url: url)).upload(.file(file)).value
        case .multipart:
            let body = RequestBody.multipart(["title": "a film"], files: [.file(file, name: "film")])
            _ = try await APILoader(Sending(url: url)).upload(body).value
        case .download: _ = try await APILoader(Receiving(url: url)).download((), to: file).value
        case .discard:
            var request = try APIRequest(URLRequest(url: url))
            request.options.delivery = .streamed
            let response = try await PlatformSession.platform.send(request)
            for try await _ in response.body {}
        }
    }

    private struct Sending: APIHandler {
        let url: URL

        func makeRequest(from body: RequestBody) -> URLRequest {
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return request
        }

        func body(for body: RequestBody) -> RequestBody? { body }

        func parseResponse(data: Data, head: ResponseHead) -> Int { head.status }
    }

    private struct Receiving: APIHandler {
        let url: URL

        func makeRequest(from input: Void) -> URLRequest { URLRequest(url: url) }

        func parseResponse(data: Data, head: ResponseHead) -> Int { head.status }
    }
}
