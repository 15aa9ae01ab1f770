import Errand

/// Asks one address with nothing but the core: what this program links is what `check.sh` looks at.
@main enum CoreOnly {
    struct Size: APIHandler {
        func makeRequest(from address: URL) -> URLRequest { URLRequest(url: address) }

        func parseResponse(data: Data, response: HTTPURLResponse) -> Int { data.count }
    }

    static func main() async {
        guard let address = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
            return print("usage: core-only URL")
        }
        do {
            print("\(try await APILoader(Size()).load(address)) bytes")
        } catch {
            print("error: \(error.code)")
        }
    }
}
