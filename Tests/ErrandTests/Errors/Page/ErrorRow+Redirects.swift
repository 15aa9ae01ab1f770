import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    /// Follows a redirect to each location.
    private static func follow(
        _ locations: String..., by policy: RedirectInterceptor.Policy = .follow, body: RequestBody = .none,
        sessionHeaders: HeaderFields = [:]
    ) throws {
        var request = try ErrorScene.request("https://api.example/photos", body == .none ? "GET" : "PUT", body: body)
        request.options.redirects = policy
        var machine = RedirectMachine(request, sessionHeaders: sessionHeaders)
        for location in locations {
            _ = try machine.step(after: ErrorScene.head(307, ["Location": location]))
        }
    }

    static let redirects: [ErrorRow] = [
        ErrorRow(.redirect, "The policy of the request forbids redirects.", "Use the new URL, or another policy.") {
            try follow("/new", by: .error)
        },
        ErrorRow(.redirect, "The redirects form a loop, or the limit is too low.", "Report the server.") {
            try follow("/a", "/b", "/c", by: .follow(upTo: 2))
        },
        ErrorRow(.redirect, "The target of the redirect is ambiguous.", "Report the server.") {
            var machine = RedirectMachine(try ErrorScene.request())
            return try machine.step(
                after: ErrorScene.head(
                    302, HeaderFields([HeaderFields.Field("Location", "/a"), HeaderFields.Field("Location", "/b")])))
        },
        ErrorRow(.redirect, "The URL of the redirect is too long.", "Report the server.") {
            try follow("/" + String(repeating: "a", count: RedirectMachine.locationLimit))
        },
        ErrorRow(.redirect, "The URL of the redirect contains credentials.", "Report the server.") {
            try follow("https://eva@api.example/")
        },
        ErrorRow(.redirect, "The URL of the redirect is malformed.", "Report the server.") {
            try follow("https://api.example:x/")
        },
        ErrorRow(.redirect, "The scheme of the redirect is not supported.", "Report the server.") {
            try follow("ftp://api.example/photos")
        },
        ErrorRow(.redirect, "The new connection would not be encrypted.", "Report the server.") {
            try follow("http://api.example/photos")
        },
        ErrorRow(.redirect, "The body is a stream that can be opened only once.", "Use `stream(length:_:)`.") {
            try follow("/new", body: .stream(once: AsyncParts([])))
        },
        ErrorRow(
            .redirect, "The session adds the header to requests to all origins.", "Set the header on each request."
        ) {
            try follow("https://other.example/", sessionHeaders: ["X-Tenant": "1"])
        },
    ]
}
