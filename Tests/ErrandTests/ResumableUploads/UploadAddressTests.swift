import Errand
import Foundation
import Testing

@Suite struct UploadAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let location: String
        var creation = "https://api.test/files?key=1"
        var url: String?
        var testDescription: String { "\(location.prefix(60)) at \(creation)" }

        init(_ location: String, at creation: String = "https://api.test/files?key=1", _ url: String?) {
            (self.location, self.creation, self.url) = (location, creation, url)
        }
    }

    static let rows: [Row] = [
        Row("/files/7", "https://api.test/files/7"), Row("7", "https://api.test/7"),
        Row("https://up.test:8443/7?id=a%20b", "https://up.test:8443/7?id=a%20b"),
        Row("//up.test/7", "https://up.test/7"),
        Row("http://api.test/7", nil), Row("http://api.test/7", at: "http://api.test/", "http://api.test/7"),
        Row("https://api.test/7", at: "http://api.test/", "https://api.test/7"), Row("https://me@api.test/7", nil),
        Row("https://me:secret@api.test/7", nil), Row("ftp://api.test/7", nil), Row("file:///etc/passwd", nil),
        Row("data:,a", nil), Row("https://", nil), Row("https://api.test:99999/7", nil),
        Row("/" + String(repeating: "a", count: 65_536), nil),
    ]

    @Test(arguments: rows)
    func `the URL of an upload is resolved and checked`(row: Row) throws {
        let base = try #require(URL(string: row.creation))
        let creation = APIRequest(head: URLRequest(url: base), body: .none)
        let result = Result { () throws(ServiceError) in try UploadAddress.url(row.location, from: base, for: creation)
        }
        guard let url = row.url else {
            #expect(throws: ServiceError.self) { try result.get() }
            return
        }
        #expect(try result.get().absoluteString == url)
    }

    @Test func `a downgrade requires the policy`() throws {
        let base = try #require(URL(string: "https://api.test/"))
        var creation = APIRequest(head: URLRequest(url: base), body: .none)
        creation.options.redirects.allowsDowngrade = true
        let url = try UploadAddress.url("http://api.test/7", from: base, for: creation)
        #expect(url.absoluteString == "http://api.test/7")
    }
}
