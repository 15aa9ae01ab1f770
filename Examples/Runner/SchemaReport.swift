import Errand
import ErrandGraphQL

/// A check of GraphQL documents against a schema.
package struct SchemaReport {
    let schema: String
    let documents: [String]

    package init(schema: String, documents: [String]) {
        self.schema = schema
        self.documents = documents
    }

    /// Prints a line for each document. Returns whether all documents are valid.
    package func run(_ print: (String) -> Void = { Swift.print($0) }) throws -> Bool {
        let schema = try GraphQLSchema(contentsOf: URL(filePath: schema))
        var fits = true
        for name in documents {
            do throws(ServiceError) {
                try schema.check(contentsOf: URL(filePath: name))
                print("\(name): valid")
            } catch {
                fits = false
                print("\(name): \(error.reason)")
            }
        }
        return fits
    }
}
