import Errand
import ErrandLoopback
import Foundation
import TestSupport

#if os(Linux)
    extension ErrorRow {
        private static func exchange(
            _ reply: LoopbackReply, _ configure: (inout RequestOptions) -> Void = { _ in }
        ) async throws {
            try await withServer { _ in
                reply
            } _: { server, session in
                _ = try await session.send(request(server, "/", "GET", configure)).body.collect()
            }
        }

        /// Reads a streamed body only after the session has cancelled its transfer.
        private static func overflow() async throws {
            let cancelled = Gate()
            try await withServer { _ in
                .stream { writer in
                    defer { cancelled.open() }
                    while true { try await writer.write(Data(count: 65_536)) }
                }
            } _: { server, session in
                let call = request(server) {
                    $0.delivery = .streamed
                    $0[UnreadLimit.self] = 100_000
                }
                let response = try await session.send(call)
                await cancelled.wait()
                _ = try await response.body.collect()
            }
        }

        static let urlSession: [ErrorRow] = [
            ErrorRow(
                .connection, "URLSession reported the failure.", "Check the connection.",
                shown: "Could not connect to the server."
            ) {
                let session = URLSession(configuration: .ephemeral)
                return try await session.send(ErrorScene.request("http://127.0.0.1:1/"))
            },
            ErrorRow(.timeout, "The idle timeout passed.", "Retry, or set a longer `idleTimeout`.") {
                try await exchange(.stall) { $0.idleTimeout = .milliseconds(100) }
            },
            ErrorRow(
                .bodyTooLarge, "The reader of a streamed body is too slow.", "Read faster, or use a `CurlSession`."
            ) {
                try await overflow()
            },
            ErrorRow(.badResponse, "URLSession on Linux handles such a redirect itself.", "Report the server.") {
                try await exchange(.text("a", status: 302).header("Location", "http://[")) { $0.redirects = .manual }
            },
            ErrorRow(.configuration, "Foundation on Linux cannot use the URL.", "Use a host name or a `CurlSession`.") {
                try await URLSession(configuration: .ephemeral).send(ErrorScene.request("http://[::1]:1/"))
            },
            ErrorRow(.configuration, "The session on Linux has no cache.", "Use another policy.") {
                var request = try ErrorScene.request("http://127.0.0.1:1/")
                request.options.cachePolicy = .returnCacheDataDontLoad
                return try await URLSession(configuration: .ephemeral).send(request)
            },
        ]
    }
#else
    extension ErrorRow {
        static let urlSession: [ErrorRow] = []
    }
#endif
