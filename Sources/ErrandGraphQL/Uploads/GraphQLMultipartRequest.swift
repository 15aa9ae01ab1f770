public import Errand

/// A request that uploads files as values of variables (GraphQL multipart request specification). Create it with
/// ``GraphQLRequest/multipart()``.
///
/// ```swift
/// let document = try QueryDocument("mutation Add($picture: Upload!) { add(picture: $picture) { id } }")
/// let request = GraphQLRequest<NoVariables, Added>(document, at: url).multipart()
/// let upload = GraphQLUpload(files: [.file(picture, name: "picture", contentType: "image/png")])
/// for try await event in APILoader(request, session: session).upload(upload) { show(event) }
/// ```
/// The body has the type `multipart/form-data`: the operation, the paths of the files, and the files, in this order.
/// Files are not loaded into memory. The method must be POST. In all other respects, it is the same as the
/// ``GraphQLRequest``.
///
/// Some services require a further header for such a request, to prevent cross-site
/// request forgery. Set it with ``GraphQLRequest/headers``: `Apollo-Require-Preflight: true` or `GraphQL-Preflight: 1`.
public struct GraphQLMultipartRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable>:
    WrappingHandler
{
    /// The request.
    public var wrapped: GraphQLRequest<Variables, Response>

    /// Creates the HTTP request as ``GraphQLRequest/makeRequest(from:)`` does, without its body.
    public func makeRequest(from upload: GraphQLUpload<Variables>) throws -> URLRequest {
        var request = try wrapped.makeRequest(from: upload.variables)
        request.httpBody = nil
        return request
    }

    /// Creates the multipart body.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding`` if the method is not POST, if a
    ///   file belongs to a variable that the operation does not declare, or if its path does not match the variables.
    public func body(for upload: GraphQLUpload<Variables>) throws -> RequestBody? {
        guard let operation = try wrapped.makeRequest(from: upload.variables).httpBody else {
            throw ServiceError(.encoding, "expected method POST for a request with files")
        }
        var operations = try UploadOperations(operation, declaring: wrapped.document.operation.variables)
        for file in upload.files { try operations.add(file) }
        return .multipart(MultipartBody(try operations.parts()))
    }

    /// The options of the ``GraphQLRequest``.
    public func options(for upload: GraphQLUpload<Variables>) -> RequestOptions {
        wrapped.options(for: upload.variables)
    }
}

extension GraphQLRequest {
    /// Returns a request that uploads files with the variables.
    public func multipart() -> GraphQLMultipartRequest<Variables, Response> { GraphQLMultipartRequest(wrapped: self) }
}

extension APILoader {
    /// Uploads files as values of variables (GraphQL multipart request specification).
    ///
    /// ```swift
    /// let response = try await loader.load(["title": "Sea"], files: [.file(picture, name: "picture")])
    /// ```
    /// For a progress display, use a ``GraphQLMultipartRequest``.
    ///
    /// - Parameters:
    ///   - variables: The variables of the operation, without the files.
    ///   - files: The files. The name of each is the path of its variable (``GraphQLUpload/files``).
    /// - Returns: The response.
    /// - Throws: Only ``/Errand/ServiceError``.
    @concurrent
    public func load<Variables, Response>(
        _ variables: Variables, files: [MultipartBody.Part]
    ) async throws(ServiceError) -> GraphQLResponse<Response> where T == GraphQLRequest<Variables, Response> {
        try await running(handler.multipart()).load(GraphQLUpload(variables, files: files))
    }
}
