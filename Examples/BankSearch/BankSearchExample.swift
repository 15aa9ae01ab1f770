package import Errand

/// What `swift run examples bank-search` shows.
package enum BankSearchExample {
    package static func run(at url: URL, print: @Sendable (String) -> Void) async {
        await Client.$service.withValue(Client.Service(url: url)) {
            do throws(ClientError) {
                for bank in try await Client.bankSearch(for: "Berlin", limit: 3).bankSearch {
                    print(
                        "\(bank.bankCode)  \(bank.shortName), \(bank.city ?? "place unknown"), \(bank.bic ?? "no BIC")")
                }
                _ = try await Client.bankSearch(for: "")
            } catch {
                print("\(error)")
            }
        }
    }
}
