package import ErrandLoopback
import Foundation

/// A server with two pages of two photos each.
package enum PhotoServer {
    private static let photos = ["A lake at dawn", "Two foxes", nil, "The old bridge"]

    package static func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard request.path == "/photos" else { return .status(404) }
        func number(_ name: String) -> Int? {
            request.queryItems.first { $0.name == name }?.value.flatMap { Int($0) }
        }
        guard let page = number("page"), let size = number("per_page"), 1...100 ~= page, 1...100 ~= size else {
            return .json(#"{"errors":["page begins at 1"]}"#, status: 422)
        }
        let list = photos.enumerated().dropFirst((page - 1) * size).prefix(size).map { index, words in
            let description = words.map { #""\#($0)""# } ?? "null"
            return #"{"id":"p\#(index)","description":\#(description),"urls":{"small":"https://p.example/\#(index)"}}"#
        }
        return .json("[\(list.joined(separator: ","))]")
    }
}
