import Errand

/// The CPU time to decode JSON responses with `JSONDecoder`, and with the decoder of a loader.
struct DecodingBenchmark {
    /// The maximum time of a loader for the listing, as a fraction of the time of `JSONDecoder`.
    private static let most = 0.5

    func run() async throws {
        print("CPU µs to decode a response: median (quartiles) of 15 rounds")
        var table = Table("", "JSONDecoder", "a loader", "ratio")
        let small = try await row("a listing, 1 kB", 200, Listing.json, of: Listing.Photo.self, in: &table)
        let listings =
            "[" + Array(repeating: Listing.json.dropFirst().dropLast(), count: 100).joined(separator: ",") + "]"
        _ = try await row("the same, 100 kB", 2, listings, of: Listing.Photo.self, in: &table)
        _ = try await row("numbers, 80 kB", 2, Self.numbers, of: Point.self, in: &table)
        _ = try await row("optional members, 40 kB", 4, Self.profiles, of: Profile.self, in: &table)
        table.print()
        guard small <= Self.most else {
            throw Failure("expected at most \(Self.most.ratio) of the time of JSONDecoder, found \(small.ratio)")
        }
    }

    private func row<Element: Decodable & Sendable>(
        _ name: String, _ times: Int, _ json: String, of type: Element.Type, in table: inout Table
    ) async throws -> Double {
        let data = Data(json.utf8)
        let handler = Reader<Element>()
        let head = ResponseHead(status: 200, url: try Endpoint.url)
        let variants = [
            Variant("JSONDecoder") { try JSONDecoder.errand.decode([Element].self, from: data).count },
            Variant("a loader") { try handler.parseResponse(data: data, head: head).count },
        ]
        let results = try await Interleaving(block: .times(times), rounds: 15).measure(variants)
        let part = results[1].cpuRatio(to: results[0])
        table.add(name, results[0].cpu.median.micros, results[1].cpu.median.micros, part.ratio)
        return part.median
    }

    private enum Endpoint {
        static var url: URL {
            get throws { try BaseURL(validating: "http://127.0.0.1").url(for: "response") }
        }
    }

    private struct Reader<Element: Decodable & Sendable>: APIHandler {
        func makeRequest(from input: Void) throws -> URLRequest { URLRequest(url: try Endpoint.url) }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Element] {
            try defaultParseResponse(data: data, response: response)
        }

        func parseResponse(data: Data, head: ResponseHead) throws -> [Element] {
            try defaultParseResponse(data: data, head: head)
        }
    }

    private struct Point: Decodable { let x: Double, y: Double, z: Double, n: Int }

    private struct Profile: Decodable {
        struct Place: Decodable { let city: String?, latitude: Double? }
        let id: Int
        let name: String?
        let bio: String?
        let link: URL?
        let joined: Date?
        let place: Place?
        let tags: [String]?
    }

    private static let numbers =
        "["
        + (0..<1_500).map { #"{"x":\#(Double($0) / 7),"y":-\#($0).25,"z":1.5e-\#($0 % 9),"n":\#($0)}"# }
        .joined(separator: ",") + "]"

    private static let profiles =
        "[" + (0..<200).map(profile).joined(separator: ",") + "]"

    private static func profile(_ number: Int) -> String {
        #"{"id":\#(number),"name":"Zoë \#(number)","bio":null,"link":"https://a.example/\#(number)","#
            + #""joined":"2024-05-06T07:08:09Z","place":{"city":"Rīga","latitude":56.94},"tags":["a","b\n"],"#
            + #""followers":[1,2,3],"seen":{"web":true,"app":false}}"#
    }
}
