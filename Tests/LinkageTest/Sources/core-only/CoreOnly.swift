import Errand

/// Sends one request with the core only. `check.sh` inspects the libraries that this program links.
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
