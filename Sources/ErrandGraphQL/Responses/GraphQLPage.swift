import Errand

/// The data of a GraphQL response that has no error, for handlers that decode an answer whole.
///
/// ```swift
/// let search = Endpoint<GraphQLPage<BankSearchPage>>(method: .post, path: "graphql", parameters: .json(body))
/// let banks = try await client.request(search).data.bankSearch
/// ```
/// Decoding one throws as ``GraphQLResponse/requireComplete()`` does, so that partial data is never taken for all of it.
/// Statuses are then up to the handler's validators: ``GraphQLRequest`` knows better.
public struct GraphQLPage<Model> {
    /// The data.
    public let data: Model

    /// Wraps data, for test doubles.
    public init(data: Model) {
        self.data = data
    }
}

extension GraphQLPage: Sendable where Model: Sendable {}
extension GraphQLPage: Equatable where Model: Equatable {}
extension GraphQLPage: Hashable where Model: Hashable {}

extension GraphQLPage: Decodable where Model: Decodable {
    /// Decodes a response that has data and no error.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL``; `DecodingError`.
    public init(from decoder: any Decoder) throws {
        do {
            data = try GraphQLResponse<Model>(from: decoder).requireComplete()
        } catch let error as DecodingError {
            // A field that failed is null: the errors tell more than what then does not decode.
            _ = try GraphQLResponse<AnyData>(from: decoder).requireComplete()
            throw error
        }
    }
}

extension GraphQLPage: Encodable where Model: Encodable {
    private enum CodingKeys: String, CodingKey { case data }

    /// Encodes a response without errors.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(data, forKey: .data)
    }
}
