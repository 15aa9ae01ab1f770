import BankSearch
import Characters
import CustomerApp
package import Errand
import ErrandGraphQL
package import ErrandLoopback
import ExampleServers
import Lottery
import ShortGallery

/// Runs the examples. Each example has a local server.
@main enum Main {
    private static let usage = """
        examples NAME                          runs an example: \(Example.allCases.map(\.rawValue).joined(separator: ", "))
        examples fleet [redis://HOST:PORT]     runs eight processes with one rate limit, in a folder or on a server
        examples check SCHEMA DOCUMENT…        checks GraphQL documents against a schema (SDL or introspection JSON)
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "check" where arguments.count > 2:
                exit(try SchemaReport(schema: arguments[1], documents: Array(arguments.dropFirst(2))).run() ? 0 : 1)
            case "fleet" where arguments.count <= 2:
                try await Fleet(server: arguments.dropFirst().first).run { print($0) }
            case "fleet-worker" where arguments.count == 3:
                try await Fleet.work(at: arguments[1], through: arguments[2])
            case let name?:
                guard let example = Example(rawValue: name) else { fallthrough }
                try await example.run { print($0) }
            case nil:
                print(usage)
                exit(64)
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}

/// The names of the five examples.
package enum Example: String, CaseIterable, Sendable {
    case bankSearch = "bank-search"
    case customerApp = "customer-app"
    case gallery, characters, lottery

    package func run(_ print: @escaping @Sendable (String) -> Void) async throws {
        try await LoopbackServer.withServer(server) { try await run(at: $0.url, over: .platform, print) }
    }

    /// Runs the example with a server or a recording of one.
    package func run(
        at url: URL, over session: some APISession, _ print: @escaping @Sendable (String) -> Void
    ) async throws {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
            throw ServiceError(.configuration, "the examples require macOS 14 or later")
        }
        switch self {
        case .bankSearch: await BankSearchExample.run(at: url, over: session, print: print)
        case .customerApp: try await CustomerAppExample.run(at: url, over: session, print: print)
        case .gallery: try await GalleryExample.run(at: url, over: session, print: print)
        case .characters: try await CharactersExample.run(at: url, over: session, print: print)
        case .lottery: try await LotteryExample.run(at: url, over: session, print: print)
        }
    }

    /// The local server of the example.
    package var server: LoopbackServer.Handler {
        switch self {
        case .bankSearch: BankServer.reply
        case .customerApp: ShopServer().reply
        case .gallery: PhotoServer.reply
        case .characters: CharactersServer.reply
        case .lottery: LotteryServer.reply
        }
    }
}
