public import Errand
import ErrandSupport

extension QueryDocument {
    /// Loads a document from a file. If the file name ends in `.json`, the file is JSON with the document under
    /// `query`. Otherwise, it is GraphQL.
    ///
    /// An `operationName` in the JSON selects the operation, unless `name` is passed.
    /// - Parameters:
    ///   - file: The URL of a local file in UTF-8.
    ///   - name: The name of the operation to run. It can be omitted if the document has only one operation.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``. Its reason starts with the
    ///   file name.
    public init(contentsOf file: URL, operation name: String? = nil) throws(ServiceError) {
        self = try Self.naming(file) { () throws(ServiceError) in
            let stored = try Self.stored(in: file)
            return try QueryDocument(stored.query, operation: name ?? stored.operationName)
        }
    }

    /// Loads a bundled document from `NAME.graphql` or, if that file does not exist, from `NAME.json`.
    /// - Throws: The errors of ``init(contentsOf:operation:)``, and an error if the bundle contains neither file.
    public init(
        named file: String, in bundle: Bundle = .main, operation name: String? = nil
    ) throws(ServiceError) {
        let url = ["graphql", "json"].lazy.compactMap { bundle.url(forResource: file, withExtension: $0) }.first
        guard let url else {
            let fileName = file.singleLine(limit: 100)
            throw ServiceError(
                .configuration, "expected \(fileName).graphql or \(fileName).json in the bundle, found neither")
        }
        try self.init(contentsOf: url, operation: name)
    }

    struct Stored: Decodable {
        let query: String
        let operationName: String?
    }

    /// Reads the content of a GraphQL or JSON file.
    static func stored(in file: URL) throws(ServiceError) -> Stored {
        let data = try read(file, upTo: Parser.documentLimits.bytes)
        let isJSON = file.pathExtension.lowercased() == "json"
        return isJSON ? try stored(data) : Stored(query: try text(data), operationName: nil)
    }

    /// Runs a closure. If it throws an error, adds the file name to the start of its reason.
    static func naming<Result>(
        _ file: URL, _ body: () throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
        do throws(ServiceError) {
            return try body()
        } catch {
            let name = file.lastPathComponent.singleLine(limit: 100)
            throw ServiceError(.configuration, "\(name), \(error.reason)", underlying: error.underlying)
        }
    }

    private static func stored(_ data: Data) throws(ServiceError) -> Stored {
        do {
            return try JSONDecoder().decode(Stored.self, from: data)
        } catch {
            throw ServiceError(wrapping: error, as: .decoding, "the file can't be read as JSON")
        }
    }

    static func text(_ data: Data) throws(ServiceError) -> String {
        guard let text = String(data: data, encoding: .utf8) else {
            throw ServiceError(.configuration, "expected a file in UTF-8")
        }
        return text
    }

    /// Returns the bytes of a file. Throws an error if there are more than `limit`.
    static func read(_ file: URL, upTo limit: Int) throws(ServiceError) -> Data {
        guard file.isFileURL else { throw ServiceError(.configuration, "expected a file URL") }
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            data = try handle.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw ServiceError(wrapping: error, as: .configuration, "the file can't be read")
        }
        guard data.count <= limit else {
            throw ServiceError(.configuration, "expected a file of at most \(limit) bytes, found more")
        }
        return data
    }
}
