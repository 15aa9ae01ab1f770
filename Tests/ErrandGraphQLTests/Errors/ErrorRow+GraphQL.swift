import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport
import Testing

extension ErrorRow {
    private struct Photo: Decodable, Sendable { let title: String }
    private struct Photos: GraphQLConnection { let nodes: [Photo], pageInfo: GraphQLPageInfo }
    private struct Data: Decodable, Sendable { let photos: Photos }
    private typealias Request<Value: Decodable & Sendable> = GraphQLRequest<GraphQLVariables, Value>

    private static func request<Value>(
        _ document: String = "{ title }", as type: Value.Type = Photo.self, method: HTTPMethod = .post,
        at url: String = "https://api.example/graphql", headers: HeaderFields = [:]
    ) throws -> Request<Value> {
        Request<Value>(
            try QueryDocument(document), at: try #require(URL(string: url)), method: method, headers: headers)
    }

    /// Loads a photo from a response.
    private static func photo(_ reply: CannedReply) async throws -> Photo {
        try await APILoader(request(), session: ScriptedSession([reply])).load([:]).requireComplete()
    }

    static let graphQL: [ErrorRow] =
        documents + files + schemas + requests + subscriptions + eventStreams + incremental + uploads + batches
        + responses

    private static let documents: [ErrorRow] = [
        ErrorRow(.configuration, "The document has a syntax error.", "Correct the document.") {
            try QueryDocument("{ photos { title }")
        },
        ErrorRow(.configuration, "The document has only fragments.", "Add an operation.") {
            try QueryDocument("fragment F on Photo { title }")
        },
        ErrorRow(.configuration, "The document has several operations.", "Pass the name of the operation.") {
            try QueryDocument("query A { title } query B { title }")
        },
        ErrorRow(.configuration, "The document has no operation with this name.", "Correct the name.") {
            try QueryDocument("query A { title }", operation: "B")
        },
    ]

    /// Reads a document from a file with the given bytes.
    private static func read(_ bytes: Foundation.Data, _ name: String) throws -> QueryDocument {
        let folder = try ScratchFolder()
        return try withExtendedLifetime(folder) { try QueryDocument(contentsOf: folder.file(bytes, name: name)) }
    }

    private static let files: [ErrorRow] = [
        ErrorRow(.configuration, "The bundle has no such file.", "Add the file to the target.") {
            let folder = try ScratchFolder()
            let bundle = try #require(Bundle(url: folder.url))
            return try QueryDocument(named: "Photos", in: bundle)
        },
        ErrorRow(.configuration, "The JSON file has no query.", "Use a file of the form `{\"query\": \"…\"}`.") {
            try read(Foundation.Data("{}".utf8), "Photos.json")
        },
        ErrorRow(.configuration, "The file is not text in UTF-8.", "Convert the file.") {
            try read(Foundation.Data([0xFF, 0xFE]), "Photos.graphql")
        },
        ErrorRow(.configuration, "The file is too large.", "Divide the document.") {
            try read(Foundation.Data(count: 300_000), "Photos.graphql")
        },
        ErrorRow(.configuration, "The URL of the document is not a file URL.", "Create it with `URL(filePath:)`.") {
            try QueryDocument(contentsOf: #require(URL(string: "https://api.example/Photos.graphql")))
        },
        ErrorRow(
            .configuration, "The file is missing or unreadable.", "Correct the path or the permissions.",
            shown: "Photos.graphql, the file can't be read (NSCocoaErrorDomain 260)"
        ) {
            try QueryDocument(contentsOf: URL(filePath: "/missing/Photos.graphql"))
        },
    ]

    private static let schemas: [ErrorRow] = [
        ErrorRow(.configuration, "The document uses a field that the schema does not have.", "Correct the document.") {
            try GraphQLSchema("type Query { title: String }").check(QueryDocument("{ titel }"))
        },
        ErrorRow(.configuration, "The schema has a syntax error.", "Correct the schema.") {
            try GraphQLSchema("type Query { title }")
        },
        ErrorRow(.configuration, "The introspection result is too large.", "Use the schema in SDL.") {
            try GraphQLSchema(introspection: Foundation.Data(count: 64 << 20))
        },
    ]

    private static let requests: [ErrorRow] = [
        ErrorRow(.encoding, "GraphQL over HTTP has no such method.", "Use POST or GET.") {
            try request(method: .put).makeRequest(from: [:])
        },
        ErrorRow(.encoding, "A GET request must not change data.", "Use POST.") {
            try request("mutation { title }", method: .get).makeRequest(from: [:])
        },
        ErrorRow(.encoding, "`load` runs only queries and mutations.", "Use `subscription(_:options:)`.") {
            try request("subscription { title }").makeRequest(from: [:])
        },
        ErrorRow(.encoding, "A mutation cannot be repeated for each page.", "Use a query.") {
            try request("mutation { title }").paged {
                [$0]
            } next: { _, _ in
                nil
            }.makeRequest(from: [:])
        },
        ErrorRow(.badResponse, "The page has no cursor for the next page.", "Report the service, or query the cursor.")
        {
            let list = try request(as: Data.self).paged(\.photos, after: "after")
            let reply = #"{"data":{"photos":{"nodes":[],"pageInfo":{"hasNextPage":true}}}}"#
            for try await _ in APILoader(list, session: ScriptedSession([.json(reply)])).pages(from: [:]) {}
            return nil
        },
    ]

    private static let subscriptions: [ErrorRow] = [
        ErrorRow(.encoding, "The operation is not a subscription.", "Use `load`.") {
            try await subscribe("{ title }", .json("{}"))
        },
        ErrorRow(.status, "The service refused the subscription.", "See `graphQLErrors`.") {
            try await subscribe("subscription { title }", .json(#"{"errors":[{"message":"m"}]}"#, status: 400))
        },
        ErrorRow(
            .graphQL, "The service sent errors instead of an event stream. It may not support such subscriptions.",
            "See `graphQLErrors`."
        ) {
            try await subscribe(
                "subscription { title }", .json(#"{"data":null,"errors":[{"message":"m","path":["title"]}]}"#))
        },
    ]

    private static func subscribe(_ document: String, _ reply: CannedReply) async throws {
        let loader = try APILoader(request(document), session: ScriptedSession([reply]))
        for try await _ in loader.subscription([:]) {}
    }

    /// Creates the body of a mutation with a picture.
    private static func upload(_ paths: String..., method: HTTPMethod = .post) throws -> RequestBody? {
        let operation = method == .get ? "query" : "mutation"
        let request = try request("\(operation) A($picture: Upload, $title: String) { title }", method: method)
        let files = paths.map { MultipartBody.Part.data(Foundation.Data([UInt8($0.count)]), name: $0) }
        return try request.multipart().body(for: GraphQLUpload(["title": "Sea"], files: files))
    }

    private static let uploads: [ErrorRow] = [
        ErrorRow(.encoding, "A GET request has no files.", "Use POST.") { try upload("picture", method: .get) },
        ErrorRow(.encoding, "The name of a file is not a path.", "Use the path of its variable as the name.") {
            try upload("input..picture")
        },
        ErrorRow(.encoding, "The operation does not declare the variable.", "Correct the path or the document.") {
            try upload("photo")
        },
        ErrorRow(.encoding, "Two files have the same path.", "Use another path.") {
            try upload("picture", "picture")
        },
        ErrorRow(.encoding, "The variable of a file has another value.", "Omit the value.") { try upload("title") },
        ErrorRow(.encoding, "A value in the path is neither an object nor a list.", "Correct the path.") {
            try upload("title.picture")
        },
        ErrorRow(.encoding, "The elements of a list are not in order.", "Start with 0, without a gap.") {
            try upload("picture.1")
        },
    ]

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private static func batch(_ first: Request<Photo>, _ second: Request<Photo>) throws -> URLRequest {
        try GraphQLBatch(first, second).makeRequest(from: (GraphQLVariables(), GraphQLVariables()))
    }

    /// Loads a batch of two queries from a response.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private static func batch(_ reply: String) async throws {
        let loader = try APILoader(GraphQLBatch(request(), request()), session: ScriptedSession([.json(reply)]))
        _ = try await loader.load([:], [:])
    }

    private static let batches: [ErrorRow] = {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return [] }
        return [
            ErrorRow(.encoding, "A batch contains a mutation.", "Send the mutation alone.") {
                try batch(request(), request("mutation { title }"))
            },
            ErrorRow(.encoding, "A batch contains a GET request.", "Use POST.") {
                try batch(request(method: .get), request(method: .get))
            },
            ErrorRow(.encoding, "The queries have different URLs.", "Use two batches.") {
                try batch(request(), request(at: "https://other.example/graphql"))
            },
            ErrorRow(.encoding, "The queries have different headers.", "Use two batches.") {
                try batch(request(), request(headers: ["X-Tenant": "2"]))
            },
            ErrorRow(.decoding, "A response of the batch does not match its type.", "Correct the type.") {
                try await batch(#"[{"data":{"title":"a"}},{"data":{}}]"#)
            },
            ErrorRow(.decoding, "The service does not support batches.", "Send the queries alone.") {
                try await batch(#"{"data":{"title":"a"}}"#)
            },
            ErrorRow(.decoding, "The batch has another number of responses.", "Report the service.") {
                try await batch(#"[{"data":{"title":"a"}}]"#)
            },
        ]
    }()

    private static let responses: [ErrorRow] = [
        ErrorRow(.graphQL, "The service rejected the document or its variables.", "See `graphQLErrors`.") {
            try await photo(.json(#"{"errors":[{"message":"m","extensions":{"code":"BAD_USER_INPUT"}}]}"#))
        },
        ErrorRow(.graphQL, "Some fields have errors.", "See `graphQLErrors`, or use `requireData()`.") {
            try await photo(.json(#"{"data":{"title":"a"},"errors":[{"message":"m","path":["title"]}]}"#))
        },
        ErrorRow(.graphQL, "The service sends the response in parts (`@defer`).", "Use `snapshots(_:limit:)`.") {
            try await photo(.json(#"{"data":{"title":"a"},"hasNext":true}"#))
        },
        ErrorRow(.decoding, "The body is empty.", "Report the service.") {
            try await photo(.json(""))
        },
        ErrorRow(.decoding, "The body is not a GraphQL response.", "Check the URL.") {
            try await photo(.json("[]"))
        },
        ErrorRow(.validation, "The media type is not that of GraphQL.", "Check the URL.") {
            try await photo(.text("Sign in"))
        },
        ErrorRow(.status, "A failure without a GraphQL response.", "See `status` and `body`.") {
            try await photo(.json("{}", status: 503))
        },
    ]
}

extension ErrorExemption {
    /// The messages of the module that no row creates.
    static let graphQL: [ErrorExemption] = [
        ErrorExemption(.encoding, "expected at least one query in the batch", "The compiler rejects such a batch."),
        ErrorExemption(.decoding, "the file can't be read as JSON", described),
        ErrorExemption(.decoding, "the introspection result can't be decoded", described),
        ErrorExemption(.decoding, "the response can't be parsed", described),
        ErrorExemption(.transport, "the session failed", described),
        ErrorExemption(.transport, "the wait before an attempt failed", described),
        ErrorExemption(.decoding, "the event could not be converted", described),
        ErrorExemption(.encoding, "the variables can't be encoded", described),
        ErrorExemption(
            .encoding, "expected variables that are encoded as JSON", "The encoder always creates an object."),
    ]

    private static let described = "The message of the wrapped error replaces it."
}
