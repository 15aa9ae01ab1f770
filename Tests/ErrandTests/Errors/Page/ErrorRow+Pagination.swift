import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    private enum Flaw: Sendable { case none, otherURL, throwing }

    private struct Photos: PagedHandler {
        var flaw = Flaw.none

        func makeRequest(from page: Int) throws -> URLRequest {
            try ErrorScene.request("https://api.example/photos?page=\(page)").head
        }

        func makeRequest(to link: PageLink, from page: Int) throws -> URLRequest {
            let request = try link.applied(to: makeRequest(from: page))
            return flaw == .otherURL ? try ErrorScene.request("https://api.example/albums").head : request
        }

        func nextPage(after page: Loaded<[Int]>, from input: Int) throws -> NextPage<Int> {
            if flaw == .throwing { throw ErrorScene.Broken() }
            return try paging.next(input, page.value.count, page.head)
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Int] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    /// Loads a list of pages with the given next link.
    private static func list(
        _ next: String, _ flaw: Flaw = .none, through session: @Sendable (ScriptedSession) -> any APISession = { $0 }
    ) async throws {
        let script = ScriptedSession { _ in .json("[1]").header("Link", next) }
        for try await _ in APILoader(Photos(flaw: flaw), session: Erased(session: session(script))).pages(from: 1) {}
    }

    private struct Erased: APISession {
        let session: any APISession
        func send(_ request: APIRequest) async throws -> APIResponse { try await session.send(request) }
    }

    /// Returns each response as if another origin had sent it.
    private struct Elsewhere: Interceptor {
        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var response = try await next.send(request)
            let url = try ErrorScene.url("https://other.example/photos")
            response.head = ResponseHead(status: 200, headers: response.head.headers, url: url)
            return response
        }
    }

    static let pagination: [ErrorRow] = [
        ErrorRow(.badResponse, "The `Link` header contains an invalid URL.", "Report the server.") {
            try await list(#"<http://[>; rel="next""#)
        },
        ErrorRow(.badResponse, "The next link leads to another scheme, host or port.", "Report the server.") {
            try await list(#"<https://other.example/photos?page=2>; rel="next""#)
        },
        ErrorRow(.badResponse, "A page came from another origin, for example after a redirect.", "Use that origin.") {
            try await list(#"</photos?page=2>; rel="next""#) { $0.intercepted(by: Elsewhere()) }
        },
        ErrorRow(.badResponse, "The next link contains credentials.", "Report the server.") {
            try await list(#"<https://eva@api.example/photos?page=2>; rel="next""#)
        },
        ErrorRow(.badResponse, "The list has a loop.", "Report the server, or correct `nextPage(after:from:)`.") {
            try await list(#"</photos?page=2>; rel="next""#)
        },
        ErrorRow(.badResponse, "A list without a limit has more pages than expected.", "Set a `pageLimit`.") {
            let script = ScriptedSession { request in
                let page = Int(request.url?.query()?.dropFirst(5) ?? "") ?? 0
                return .json("[1]").header("Link", #"</photos?page=\#(page + 1)>; rel="next""#)
            }
            for try await _ in APILoader(Photos(), session: script).pages(from: 1) {}
            return nil
        },
        ErrorRow(.badResponse, "The server sent too many links.", "Report the server.") {
            try await list((0...1_000).map { "</\($0)>; rel=\"x\"" }.joined(separator: ", "))
        },
        ErrorRow(.badResponse, "`nextPage(after:from:)` threw another error.", "Correct the handler.") {
            try await list("", .throwing)
        },
        ErrorRow(.configuration, "The handler changed the URL of the next page.", "Keep the URL of the link.") {
            try await list(#"</photos?page=2>; rel="next""#, .otherURL)
        },
    ]
}
