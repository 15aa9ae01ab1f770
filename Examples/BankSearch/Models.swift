/// The data of the response, in a `GraphQLPage`.
package struct BankSearchPage: Codable, Equatable, Sendable {
    package let bankSearch: [Bank]
}

/// A bank. The service can omit `bic` and `city`.
package struct Bank: Codable, Equatable, Sendable {
    package let shortName: String
    package let bankCode: String
    package let bic: String?
    package let city: String?
}
