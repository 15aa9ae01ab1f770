public import Errand
import ErrandSupport

extension QueryDocument {
    /// Reads a document from a file: GraphQL, or JSON with the document under `query`, where its name ends in `.json`.
    ///
    /// An `operationName` in the JSON chooses the operation, unless another is named here.
    /// - Parameters:
    ///   - file: A file of this machine, in UTF-8.
    ///   - name: Which operation is meant; not needed where there is only one.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``; its reason begins with the
    ///   file's name.
    public init(contentsOf file: URL, operation name: String? = nil) throws(ServiceError) {
        self = try Self.naming(file) { () throws(ServiceError) in
            let stored = try Self.stored(in: file)
            return try QueryDocument(stored.query, operation: name ?? stored.operationName)
        }
    }

    /// Reads a bundled document: `NAME.graphql`, else `NAME.json`.
    /// - Throws: As ``init(contentsOf:operation:)``, and where the bundle has neither.
    public init(
        named file: String, in bundle: Bundle = .main, operation name: String? = nil
    ) throws(ServiceError) {
        let url = ["graphql", "json"].lazy.compactMap { bundle.url(forResource: file, withExtension: $0) }.first
        guard let url else {
            let fileName = file.singleLine(limit: 100)
            throw ServiceError(.configuration, "the bundle has no \(fileName).graphql and no \(fileName).json")
        }
        try self.init(contentsOf: url, operation: name)
    }

    struct Stored: Decodable {
        let query: String
        let operationName: String?
    }

    /// What a file holds: GraphQL, or JSON.
    static func stored(in file: URL) throws(ServiceError) -> Stored {
        let data = try read(file, upTo: Parser.documentLimits.bytes)
        let isJSON = file.pathExtension.lowercased() == "json"
        return isJSON ? try stored(data) : Stored(query: try text(data), operationName: nil)
    }

    /// Begins the reason of what goes wrong with a file's name.
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
            throw ServiceError(.configuration, "the file is not text in UTF-8")
        }
        return text
    }

    /// A file's bytes, of which there may be only so many.
    static func read(_ file: URL, upTo limit: Int) throws(ServiceError) -> Data {
        guard file.isFileURL else { throw ServiceError(.configuration, "the address is none of a file") }
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            data = try handle.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw ServiceError(wrapping: error, as: .configuration, "the file can't be read")
        }
        guard data.count <= limit else { throw ServiceError(.configuration, "the file has more than \(limit) bytes") }
        return data
    }
}
