import Errand
import Foundation
import TestSupport

extension ErrorRow {
    private static func read(
        date: String = "2026-01-02T03:04:05Z", status: Int = 200, text: String = "", encoding: String = "base64"
    ) throws {
        let entry = """
            {"startedDateTime":"\(date)","request":{"method":"GET","url":"https://api.example/","headers":[]},
            "response":{"status":\(status),"headers":[],"content":{"text":"\(text)","encoding":"\(encoding)"}}}
            """
        _ = try HTTPArchive(
            data: Data(#"{"log":{"version":"1.2","creator":{"name":"","version":""},"entries":[\#(entry)]}}"#.utf8))
    }

    static let archives: [ErrorRow] = [
        ErrorRow(.decoding, "A date of the HAR file is malformed.", "Record the file again.") {
            try read(date: "yesterday")
        },
        ErrorRow(.decoding, "A status code of the HAR file is out of range.", "Record the file again.") {
            try read(status: 99)
        },
        ErrorRow(.decoding, "A body of the HAR file is malformed.", "Record the file again.") {
            try read(text: "A")
        },
        ErrorRow(.decoding, "A body of the HAR file has an unknown encoding.", "Record the file again.") {
            try read(encoding: "rot13")
        },
        ErrorRow(.file, "The HAR file is missing or unreadable.", "Correct the path or the permissions.") {
            try HTTPArchive(contentsOf: URL(filePath: "/nowhere/calls.har"))
        },
        ErrorRow(.file, "The folder of the HAR file is missing or read-only.", "Correct the path.") {
            try HTTPArchive().write(to: URL(filePath: "/nowhere/calls.har"))
        },
    ]
}
