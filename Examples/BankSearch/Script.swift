package import Errand
package import ErrandGraphQL

/// The operations of the service. A test checks each of them against its schema.
package enum Script: String, CaseIterable {
    case bankSearch = """
        query bankSearch($search: String!, $limit: Int) {
          bankSearch(search: $search, limit: $limit) {
            shortName
            bankCode
            bic
            city
          }
        }
        """

    package func document() throws(ServiceError) -> QueryDocument { try QueryDocument(rawValue) }
}
