import Errand

/// Sends one request with the core only. `check.sh` inspects the libraries that this program links.
@main enum CoreOnly {
    struct Size: APIHandler {
        func makeRequest(from url: URL) -> URLRequest { URLRequest(url: url) }

        func parseResponse(data: Data, response: HTTPURLResponse) -> Int { data.count }
    }

    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
            return print("usage: core-only URL")
        }
        do {
            print("\(try await APILoader(Size()).load(url)) bytes")
        } catch {
            print("error: \(error.code)")
        }
    }
}
