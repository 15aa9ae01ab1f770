import Errand
import ErrandLoopback
import Foundation
import TestSupport

#if os(Linux)
    import CErrandCurl

    extension ErrorRow {
        /// Whether the rows of the sessions can run on this platform.
        static let coversPlatform = true

        /// Sends a request to a server that sends these bytes.
        private static func receive(
            _ text: String, _ change: (inout CurlSession.Configuration) -> Void = { _ in }
        ) async throws {
            var configuration = CurlSession.Configuration.direct
            change(&configuration)
            try await CurlScene.run(configuration) { _ in
                .raw(text)
            } _: {
                _ = try await $0.session.send($0.request()).body.collect()
            }
        }

        /// Sends a request with a configuration that the session rejects.
        private static func send(_ change: (inout CurlSession.Configuration) -> Void) async throws -> APIResponse {
            var configuration = CurlSession.Configuration.direct
            change(&configuration)
            return try await CurlSession(configuration).send(ErrorScene.request("http://127.0.0.1:1/"))
        }

        static let curl: [ErrorRow] = settings + connections + headerSections + encodedBodies + uploads

        private static let settings: [ErrorRow] = [
            ErrorRow(.configuration, "libcurl is missing, too old or incomplete.", "Install libcurl.") {
                CurlLibrary.unusable("libcurl 7.68.0 is too old")
            },
            ErrorRow(.configuration, "A setting contains a NUL character.", "Correct the setting.") {
                try await send { $0.unixSocket = "/run/a\0b" }
            },
            ErrorRow(.configuration, "The URL of the proxy is invalid.", "Correct the URL.") {
                let url = try ErrorScene.url("htp://proxy.example")
                return try await send { $0.proxy = .through(url, except: []) }
            },
            ErrorRow(.configuration, "A pinned key is not a SHA-256 digest.", "Correct the digest.") {
                try await send { $0.tls.pinnedKeys = ["YhKJ"] }
            },
            ErrorRow(.encoding, "The URL contains credentials.", "Set the `Authorization` header.") {
                try await CurlSession(.direct).send(ErrorScene.request("https://eva@api.example"))
            },
        ]

        private static let connections: [ErrorRow] = [
            ErrorRow(
                .connection, "libcurl reported the failure. The number is its `CURLcode`.", "Check the connection.",
                shown: "Failed to connect to 127.0.0.1 port 1 (libcurl 7)"
            ) {
                try await send { _ in }
            },
            ErrorRow(
                .timeout, "The deadline passed while the request ran or waited.", "Retry, or set a longer timeout."
            ) {
                CurlClock(idle: .seconds(60), deadline: .zero, iteration: .init()).lateness(at: .max)
            },
            ErrorRow(.timeout, "The idle timeout passed.", "Retry, or set a longer `idleTimeout`.") {
                CurlClock(idle: .seconds(60), deadline: nil, iteration: .init()).complaint(at: .max - 1)
            },
            ErrorRow(.connectionLost, "The request had begun on a lost connection.", "Retry if it is idempotent.") {
                CurlFailure(code: ERRAND_CURLE_SEND_FAIL_REWIND, message: "").error
            },
            ErrorRow(.connectionLost, "The connection was closed within the header section.", "Retry.") {
                try await receive("HTTP/1.1 200 OK\r\nX-A: 1\r\n")
            },
        ]

        private static let headerSections: [ErrorRow] = [
            ErrorRow(.badResponse, "The server speaks another version of HTTP.", "Check the port of the URL.") {
                try await receive("HTTP/2 200 OK\r\n\r\n")
            },
            ErrorRow(.badResponse, "A trailer section contains a status line.", "Report the server.") {
                try await receive(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 200 OK: 1\r\n\r\n")
            },
            ErrorRow(.badResponse, "A header line begins with a NUL character.", "Report the server.") {
                try await receive("HTTP/1.1 200 OK\r\nX-A: 1\r\n\0X-B: 2\r\nContent-Length: 0\r\n\r\n")
            },
            ErrorRow(.badResponse, "The headers are larger than the limit.", "Set a larger `headerLimit`.") {
                try await receive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: 123456\r\n\r\n") { $0.headerLimit = 40 }
            },
            ErrorRow(.badResponse, "A header line is larger than libcurl accepts.", "Report the server.") {
                CurlFailure(code: ERRAND_CURLE_OUT_OF_MEMORY, message: "").error
            },
            ErrorRow(.badResponse, "The server switched to another protocol.", "Report the server.") {
                try await receive("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
            },
            ErrorRow(.badResponse, "The chunks carry too much besides the body.", "Report the server.") {
                let start = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".utf8)
                let part = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
                let steps = [start] + Array(repeating: part, count: 64)
                return try await CurlScene.run { _ in
                    .raw(steps.map { .bytes($0) })
                } _: {
                    _ = try await $0.session.send($0.request())
                }
            },
        ]

        private static func decode(_ coding: String, _ body: Data, expansionLimit: Int = 200) throws -> Data? {
            let head = try ErrorScene.message("HTTP/1.1 200 OK", "Content-Encoding: \(coding)")
            return try ContentCoding(head, .untilClose, isPart: false, expansionLimit: expansionLimit)?
                .decode(body, upTo: .max)
        }

        private static var gzip: Data { ContentSample.texts[0].encoded }

        private static let encodedBodies: [ErrorRow] = [
            ErrorRow(.badResponse, "The response has too many content codings.", "Report the server.") {
                try decode("gzip, gzip, gzip, gzip, gzip, gzip", Data())
            },
            ErrorRow(.badResponse, "The encoded body ends too early.", "Retry, or report the server.") {
                try decode("gzip", gzip.dropLast(9))
            },
            ErrorRow(
                .bodyTooLarge, "The body could be an attack with compressed data.", "Set a larger `expansionLimit`."
            ) {
                let zeros = ContentSample.zeroes[0].encoded
                return try decode("gzip", (0..<20).reduce(into: Data()) { data, _ in data += zeros }, expansionLimit: 4)
            },
            ErrorRow(.badResponse, "The body does not match its `Content-Encoding`.", "Report the server.") {
                try decode("gzip", Data("plain".utf8))
            },
        ]

        private static func upload(_ text: String, count: Int64) async -> ServiceError? {
            let upload = CurlUpload(count: count)
            let (wakes, wake) = AsyncStream<Void>.makeStream()
            upload.start(feeding: .stream { AsyncParts([Data(text.utf8)]) }) { wake.yield() }
            var buffer = [UInt8](repeating: 0, count: 100)
            var turns = wakes.makeAsyncIterator()
            while upload.failure == nil {
                let given = buffer.withUnsafeMutableBufferPointer { upload.read(into: $0) }
                if given == CurlUpload.Given.none { _ = await turns.next() } else if given <= 0 { break }
            }
            return upload.failure
        }

        private static let uploads: [ErrorRow] = [
            ErrorRow(.encoding, "The file became longer while it was sent.", "Send a copy of the file.") {
                await upload("abc", count: 2)
            },
            ErrorRow(.encoding, "The file became shorter while it was sent.", "Send a copy of the file.") {
                await upload("abc", count: 8)
            },
        ]
    }
#else
    extension ErrorRow {
        static let coversPlatform = false
        static let curl: [ErrorRow] = []
    }
#endif
