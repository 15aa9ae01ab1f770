package import ErrandLoopback
import Foundation

/// A test double of the characters service. It supports only the query of the example, with its filter and its pages.
package enum CharactersServer {
    private static let pageSize = 3
    private static let characters: [Character] = [
        Character(id: "1", name: "Rick Sanchez", status: "Alive", species: "Human", gender: "Male"),
        Character(id: "2", name: "Morty Smith", status: "Alive", species: "Human", gender: "Male"),
        Character(id: "3", name: "Summer Smith", status: "Alive", species: "Human", gender: "Female"),
        Character(id: "14", name: "Alien Morty", status: "unknown", species: "Alien", gender: "Male"),
        Character(id: "18", name: "Antenna Morty", status: "Alive", species: "Human", gender: "Male"),
        Character(id: "43", name: "Big Morty", status: "Dead", species: "Human", gender: "Male"),
        Character(id: "118", name: "Evil Morty", status: "Alive", species: "Human", gender: "Male"),
    ]

    private struct Character: Encodable {
        let id, name, status, species, gender: String
        var image: String { "https://characters.example/\(id).jpeg" }
        var episode: [[String: String]] { [["air_date": "December 2, 2013"]] }

        private enum CodingKeys: String, CodingKey { case id, name, status, species, image, episode }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(id, forKey: .id)
            try members.encode(name, forKey: .name)
            try members.encode(status, forKey: .status)
            try members.encode(species, forKey: .species)
            try members.encode(image, forKey: .image)
            try members.encode(episode, forKey: .episode)
        }

        func fits(_ filter: [String: String]) -> Bool {
            let fields = ["name": name, "status": status, "species": species, "gender": gender, "type": ""]
            return filter.allSatisfy { fields[$0.key]?.lowercased().contains($0.value.lowercased()) == true }
        }
    }

    private struct Call: Decodable {
        struct Variables: Decodable {
            let filter: [String: String]?
            let page: Int?
        }
        let query: String
        let variables: Variables?
    }

    private struct Response: Encodable {
        struct Info: Encodable { let count: Int, pages: Int, next: Int?, prev: Int? }
        struct List: Encodable { let info: Info, results: [Character] }
        let data: [String: List]
    }

    package static func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard let call = try? JSONDecoder().decode(Call.self, from: request.body), call.query.contains("characters(")
        else { return .json(#"{"errors":[{"message":"Must provide query string."}]}"#, status: 400) }
        let found = characters.filter { $0.fits(call.variables?.filter ?? [:]) }
        let pages = max(1, (found.count + pageSize - 1) / pageSize)
        let page = call.variables?.page ?? 1
        guard 1...pages ~= page else {
            return .json(
                #"{"data":{"characters":null},"errors":[{"message":"404: Not Found","path":["characters"]}]}"#)
        }
        let info = Response.Info(
            count: found.count, pages: pages, next: page < pages ? page + 1 : nil, prev: page > 1 ? page - 1 : nil)
        let results = Array(found.dropFirst((page - 1) * pageSize).prefix(pageSize))
        return (try? JSONEncoder().encode(Response(data: ["characters": .init(info: info, results: results)])))
            .map { .json($0) } ?? .status(500)
    }
}
