package import Errand

/// The program of `swift run examples bank-search`.
package enum BankSearchExample {
    package static func run(
        at url: URL, over session: some APISession = .platform, print: @Sendable (String) -> Void
    ) async {
        await Client.$service.withValue(Client.Service(url: url, session: session)) {
            do throws(ClientError) {
                for bank in try await Client.bankSearch(for: "Berlin", limit: 3).bankSearch {
                    print(
                        "\(bank.bankCode)  \(bank.shortName), \(bank.city ?? "unknown city"), \(bank.bic ?? "no BIC")")
                }
                _ = try await Client.bankSearch(for: "")
            } catch {
                print("\(error)")
            }
        }
    }
}
