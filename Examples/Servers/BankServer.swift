package import ErrandLoopback
import Foundation

/// A GraphQL service with four banks.
package enum BankServer {
    package static let schema = """
        type Query { bankSearch(search: String!, limit: Int): [Bank!]! }
        type Bank { shortName: String! bankCode: String! bic: String city: String }
        """

    private static let banks: [[String: String]] = [
        ["shortName": "N26 Bank Berlin", "bankCode": "10011001", "bic": "NTSBDEB1XXX", "city": "Berlin"],
        ["shortName": "Berliner Sparkasse", "bankCode": "10050000", "city": "Berlin"],
        ["shortName": "Deutsche Kreditbank Berlin", "bankCode": "12030000", "bic": "BYLADEM1001"],
        ["shortName": "Hamburger Sparkasse", "bankCode": "20050550", "bic": "HASPDEHHXXX", "city": "Hamburg"],
    ]

    private struct Call: Decodable {
        struct Variables: Decodable {
            let search: String
            let limit: Int?
        }
        let variables: Variables
    }

    package static func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard let call = try? JSONDecoder().decode(Call.self, from: request.body) else {
            return .json(#"{"errors":[{"message":"search is needed"}]}"#, status: 400)
        }
        let word = call.variables.search.lowercased()
        guard !word.isEmpty else {
            return .json(#"{"data":null,"errors":[{"message":"Type what to look for","path":["bankSearch"]}]}"#)
        }
        let found = banks.filter { bank in bank.values.contains { $0.lowercased().contains(word) } }
        let page = ["data": ["bankSearch": Array(found.prefix(max(0, call.variables.limit ?? 20)))]]
        return (try? JSONEncoder().encode(page)).map { .json($0) } ?? .status(500)
    }
}
