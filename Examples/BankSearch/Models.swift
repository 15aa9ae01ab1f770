/// What the query answers with, inside of `GraphQLPage`.
package struct BankSearchPage: Codable, Equatable, Sendable {
    package let bankSearch: [Bank]
}

/// A bank. The service may leave out the last two.
package struct Bank: Codable, Equatable, Sendable {
    package let shortName: String
    package let bankCode: String
    package let bic: String?
    package let city: String?
}
