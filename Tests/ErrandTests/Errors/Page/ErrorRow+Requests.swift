import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    private struct Failing: APIHandler {
        func makeRequest(from name: String) throws -> URLRequest { throw ErrorScene.Broken() }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> String { "" }
    }

    private struct BrokenValue: Encodable {
        func encode(to encoder: any Encoder) throws { throw ErrorScene.Broken() }
    }

    static let requests: [ErrorRow] =
        urls + headers + [
            ErrorRow(.encoding, "The method does not allow a body.", "Use another method.") {
                try ErrorScene.request(body: .data(Data("x".utf8))).checkSendable()
            },
            ErrorRow(.encoding, "The method is not a token (RFC 9110).", "Correct the method.") {
                try ErrorScene.request("https://api.example", "GET /photos").checkSendable()
            },
            ErrorRow(.encoding, "`httpBody` was set on the head.", "Set `APIRequest.body`.") {
                var request = try ErrorScene.request("https://api.example", "POST")
                request.head.httpBody = Data("x".utf8)
                return try request.checkSendable()
            },
            ErrorRow(.encoding, "The request has an `httpBodyStream`.", "Pass data, a file or a `RequestBody` stream.")
            {
                var head = URLRequest(url: try ErrorScene.url("https://api.example"))
                head.httpBodyStream = InputStream(data: Data())
                return try APIRequest(head)
            },
            ErrorRow(.encoding, "The request has no URL to add the query to.", "Create the request with a URL.") {
                var head = try ErrorScene.request().head
                head.url = nil
                return try Failing().setQueryParams(["page": 2], on: &head)
            },
            ErrorRow(.encoding, "The `encode(to:)` of the value threw another error.", "Correct the value.") {
                var head = try ErrorScene.request().head
                return try Failing().setJSONBody(BrokenValue(), on: &head)
            },
            ErrorRow(.encoding, "The stored validators are empty.", "Load the resource first, or set no condition.") {
                var endpoint = Endpoint<Void>(method: .put, path: "photos/1")
                endpoint.options.precondition = .ifUnmodified(ResourceValidators())
                return try await ErrorScene.load(endpoint)
            },
            ErrorRow(.encoding, "A tag of `ifMatch` is weak.", "Use `ifUnmodified`, or a strong entity tag.") {
                var endpoint = Endpoint<Void>(method: .put, path: "photos/1")
                endpoint.options.precondition = EntityTag("W/\"1\"").map { .ifMatch($0) }
                return try await ErrorScene.load(endpoint)
            },
            ErrorRow(.encoding, "The handler threw another error.", "Correct the handler.") {
                try await APILoader(Failing(), session: ScriptedSession([])).load("a")
            },
            ErrorRow(
                .configuration, "The process forbids requests to the network, as in tests.", "Pass a test session."
            ) {
                try await NetworkPolicy.forbidding { try await PlatformSession.platform.send(ErrorScene.request()) }
            },
            ErrorRow(.cancelled, "The task of the call was cancelled.", "None: your program cancelled it.") {
                try await ErrorScene.cancelled { try await ErrorScene.photo(.json("{}")) }
            },
            ErrorRow(.timeout, "The call took longer than its total timeout.", "Retry, or set a longer timeout.") {
                var options = RequestOptions()
                options.totalTimeout = .zero
                return try await ErrorScene.load(Endpoint<String>(path: "photos", options: options), .text("a"))
            },
            ErrorRow(
                .transport, "The session threw an error that is not a `ServiceError`.", "See the cause in `underlying`."
            ) {
                try await ErrorScene.photo(.failure(ErrorScene.Broken()))
            },
        ]

    private static let urls: [ErrorRow] = [
        ErrorRow(.encoding, "The request has no URL, or a relative one.", "Set an absolute URL.") {
            try ErrorScene.request("/photos").checkSendable()
        },
        ErrorRow(.encoding, "The response needs a request with a URL.", "Set the URL of the request.") {
            try APIResponse(to: ErrorScene.request { $0.url = nil })
        },
        ErrorRow(.encoding, "The scheme is not supported.", "Use an https URL.") {
            try ErrorScene.request("ftp://api.example").checkSendable()
        },
        ErrorRow(.encoding, "The URL has no host.", "Add the host.") {
            try ErrorScene.request("https:///photos").checkSendable()
        },
        ErrorRow(.encoding, "The port is out of range.", "Correct the port.") {
            try ErrorScene.request("https://api.example:70000").checkSendable()
        },
    ]

    private static let headers: [ErrorRow] = [
        ErrorRow(.encoding, "The name of a header is not a token (RFC 9110).", "Correct the name.") {
            try ErrorScene.request { $0.allHTTPHeaderFields = ["X Tenant": "1"] }.checkSendable()
        },
        ErrorRow(.encoding, "The value of a header contains a line break.", "Remove the character.") {
            try ErrorScene.request { $0.allHTTPHeaderFields = ["X-Tenant": "1\n2"] }.checkSendable()
        },
        ErrorRow(.encoding, "The value of the `Host` header is invalid.", "Correct the value.") {
            try ErrorScene.request { $0.setValue("a/b", forHTTPHeaderField: "Host") }.checkSendable()
        },
        ErrorRow(.encoding, "The server must not see the credentials of the proxy.", "Use the proxy URL.") {
            try ErrorScene.request { $0.setValue("Basic eA==", forHTTPHeaderField: "Proxy-Authorization") }
                .checkSendable()
        },
        ErrorRow(.encoding, "The transport sets the header from the body.", "Remove the header.") {
            try ErrorScene.request { $0.setValue("3", forHTTPHeaderField: "Content-Length") }.checkSendable()
        },
    ]
}
