import ErrandJSON
import Foundation

/// Decodes JSON with the fast decoder only, without the rest of the package.
@main enum JSONOnly {
    struct Photo: Decodable {
        let id: String
        let width: Int
    }

    static func main() {
        do {
            print(
                try FastJSONDecoder().decode([Photo].self, from: Data(#"[{"id":"a","width":640}]"#.utf8)).map(\.width))
            _ = try FastJSONDecoder().decode([Photo].self, from: Data(#"[{"id":7}]"#.utf8))
        } catch {
            print("error: \(error is DecodingError)")
        }
    }
}
