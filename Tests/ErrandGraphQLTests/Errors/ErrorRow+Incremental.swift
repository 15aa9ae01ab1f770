import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    private typealias Scene = SnapshotScene
    private static let first =
        #"{"data":{"person":{"films":[]}},"pending":[{"id":"0","path":["person"]}],"hasNext":true}"#

    /// Receives the snapshots of a multipart body with the given payloads.
    private static func receive(_ payloads: String...) async throws -> Any? {
        try await Scene.snapshots(Scene.reply(payloads))
    }

    /// Receives the snapshots of a multipart body.
    private static func receive(body: String, type: String = Scene.type) async throws -> Any? {
        try await Scene.snapshots(.data(Data(body.utf8), type: type))
    }

    static let incremental: [ErrorRow] = bodies + formats + paths

    private static let bodies: [ErrorRow] = [
        ErrorRow(.badResponse, "The multipart response has no valid boundary.", "Report the service.") {
            try await receive(body: "", type: "multipart/mixed")
        },
        ErrorRow(.badResponse, "The multipart body has no part.", "Report the service.") {
            try await receive(body: "")
        },
        ErrorRow(.badResponse, "A delimiter of the multipart body is malformed.", "Report the service.") {
            try await receive(body: "---x")
        },
        ErrorRow(.badResponse, "A part of the multipart body has no end of its headers.", "Report the service.") {
            try await receive(body: "---\r\n---")
        },
        ErrorRow(.connectionLost, "The response ended before its last payload.", "Send the query again.") {
            try await receive(#"{"data":{},"hasNext":true}"#)
        },
        ErrorRow(.connectionLost, "The JSON response announces payloads that do not follow.", "Report the service.") {
            try await Scene.snapshots(.json(#"{"data":{},"hasNext":true}"#))
        },
    ]

    private static let formats: [ErrorRow] = [
        ErrorRow(.decoding, "A payload is not JSON or has another format.", "Report the service.") {
            try await receive(first, #"{"incremental":5,"hasNext":false}"#)
        },
        ErrorRow(.badResponse, "A payload does not state whether more follow.", "Report the service.") {
            try await receive(first, "{}")
        },
        ErrorRow(.badResponse, "The last payload leaves announced parts open.", "Report the service.") {
            try await receive(first, #"{"hasNext":false}"#)
        },
        ErrorRow(.badResponse, "A part was announced twice.", "Report the service.") {
            try await receive(first, #"{"pending":[{"id":"0","path":[]}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "Too many parts were announced.", "Query fewer items with `@defer`.") {
            let parts = (0...65_536).map { #"{"id":"\#($0)","path":[]}"# }.joined(separator: ",")
            return try await receive(#"{"data":{},"pending":[\#(parts)],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "Data refers to a part that was not announced.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"id":"1","data":{}}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "Data has neither an ID nor a path.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"data":{}}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "The streamed items are not a list.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"id":"0","items":{}}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "The deferred data is not an object.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"id":"0","data":[]}],"hasNext":true}"#)
        },
    ]

    private static let paths: [ErrorRow] = [
        ErrorRow(.badResponse, "The first payload has no data.", "See `body`.") {
            try await receive(
                #"{"errors":[{"message":"m"}],"hasNext":true}"#,
                #"{"incremental":[{"path":[],"data":{}}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "The path of a part does not exist.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"id":"0","subPath":["home"],"data":{}}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "The path of deferred data is that of another value.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"id":"0","subPath":["films"],"data":{}}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "The path of streamed items is that of another value.", "Report the service.") {
            try await receive(first, #"{"incremental":[{"id":"0","items":[]}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "Streamed items are missing.", "Report the service.") {
            try await receive(
                first, #"{"incremental":[{"path":["person","films",2],"items":[{"title":"a"}]}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "A path is too long.", "Report the service.") {
            let path = String(repeating: "0,", count: 128) + "0"
            return try await receive(first, #"{"pending":[{"id":"1","path":[\#(path)]}],"hasNext":true}"#)
        },
        ErrorRow(.badResponse, "A payload has too many levels.", "Query fewer levels.") {
            let deep = String(repeating: "[", count: 150) + String(repeating: "]", count: 150)
            return try await receive(
                #"{"data":{"x":\#(deep)},"hasNext":true}"#,
                #"{"incremental":[{"path":[],"data":{"x":\#(deep)}}],"hasNext":true}"#)
        },
    ]
}
