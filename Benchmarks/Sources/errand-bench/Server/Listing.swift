import Errand
import ErrandLoopback

/// The answer that the calls get: about a kilobyte of JSON, ten objects.
struct Listing {
    struct Photo: Sendable, Decodable {
        let id: String
        let title: String
        let width: Int
        let height: Int
        let likes: Int
        let user: String

        private enum CodingKeys: String, CodingKey {
            case id, title, width, height, likes
            case user = "user_name"
        }
    }

    static let count = 10

    static let json = "[" + (0..<count).map(object).joined(separator: ",") + "]"

    /// What the server sends for most requests, with the fields that an API's answer usually has.
    static let reply = LoopbackReply.json(json)
        .field("Cache-Control", "private, max-age=60").field("ETag", #""5e1f-62a0c9b1""#)
        .field("Vary", "Accept, Accept-Encoding").field("X-Request-Id", "7c1c0d5e-53d0-4b1e-9b60-1f8a1d3c2b11")

    private static func object(_ index: Int) -> String {
        #"{"id":"p\#(1000 + index)","title":"Morning over the lake, no. \#(index)","width":4032,"height":3024,"#
            + #""likes":\#(index * 17),"user_name":"nobody_\#(index)"}"#
    }
}
