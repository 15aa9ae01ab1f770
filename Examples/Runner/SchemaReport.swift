import Errand
import ErrandGraphQL

/// Says of documents whether a schema has what they ask for.
package struct SchemaReport {
    let schema: String
    let documents: [String]

    package init(schema: String, documents: [String]) {
        self.schema = schema
        self.documents = documents
    }

    /// Whether all of them fit.
    package func run(_ print: (String) -> Void = { Swift.print($0) }) throws -> Bool {
        let schema = try GraphQLSchema(contentsOf: URL(filePath: schema))
        var fits = true
        for name in documents {
            do throws(ServiceError) {
                try schema.check(contentsOf: URL(filePath: name))
                print("\(name): fits")
            } catch {
                fits = false
                print("\(name): \(error.reason)")
            }
        }
        return fits
    }
}
