import Errand
import ErrandLoopback

/// The response to the calls: about 1 kB of JSON with ten objects.
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

    /// The default response of the server, with the usual headers of an API.
    static let reply = LoopbackReply.json(json)
        .header("Cache-Control", "private, max-age=60").header("ETag", #""5e1f-62a0c9b1""#)
        .header("Vary", "Accept, Accept-Encoding").header("X-Request-Id", "7c1c0d5e-53d0-4b1e-9b60-1f8a1d3c2b11")

    private static func object(_ index: Int) -> String {
        #"{"id":"p\#(1000 + index)","title":"Morning over the lake, no. \#(index)","width":4032,"height":3024,"#
            + #""likes":\#(index * 17),"user_name":"nobody_\#(index)"}"#
    }
}
