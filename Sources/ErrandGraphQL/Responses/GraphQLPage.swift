import Errand

/// The data of a GraphQL response without errors, for handlers that decode the complete body.
///
/// ```swift
/// let search = Endpoint<GraphQLPage<BankSearchPage>>(method: .post, path: "graphql", parameters: .json(body))
/// let banks = try await client.request(search).data.bankSearch
/// ```
/// Decoding throws the error of ``GraphQLResponse/requireComplete()``, so that partial data is never taken for complete
/// data. The validators of the handler check the status. ``GraphQLRequest`` is more precise, because it also considers
/// the media type and the body.
public struct GraphQLPage<Model> {
    /// The data.
    public let data: Model

    /// Creates a page, for test doubles.
    public init(data: Model) {
        self.data = data
    }
}

extension GraphQLPage: Sendable where Model: Sendable {}
extension GraphQLPage: Equatable where Model: Equatable {}
extension GraphQLPage: Hashable where Model: Hashable {}

extension GraphQLPage: Decodable where Model: Decodable {
    /// Decodes a response that has data and no errors.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL``, or a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        do {
            data = try GraphQLResponse<Model>(from: decoder).requireComplete()
        } catch let error as DecodingError {
            // A failed field is null. The errors of the service are more specific than the decoding error.
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
