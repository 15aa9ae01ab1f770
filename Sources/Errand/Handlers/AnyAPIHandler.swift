/// A type-erased handler. Use it to choose between handlers with the same input and value types at run time.
///
/// ```swift
/// let call: AnyAPIHandler<GalleryQuery, [Photo]> =
///     offline ? AnyAPIHandler(CannedGallery()) : AnyAPIHandler(GalleryAPI())
/// let photos = try await APILoader(call).load(query)
/// ```
public struct AnyAPIHandler<RequestDataType: Sendable, ResponseDataType: Sendable>: APIHandler {
    private let handler: any APIHandler<RequestDataType, ResponseDataType>

    /// Creates a handler that wraps another handler.
    public init(_ handler: any APIHandler<RequestDataType, ResponseDataType>) {
        self.handler = handler
    }

    /// The request of the wrapped handler.
    public func makeRequest(from data: RequestDataType) throws -> URLRequest {
        try handler.makeRequest(from: data)
    }

    /// The body of the wrapped handler.
    public func body(for data: RequestDataType) throws -> RequestBody? {
        try handler.body(for: data)
    }

    /// The options of the wrapped handler.
    public func options(for data: RequestDataType) -> RequestOptions {
        handler.options(for: data)
    }

    /// The value of the wrapped handler.
    public func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType {
        try handler.parseResponse(data: data, head: head)
    }

    /// The name of the wrapped handler.
    public var callName: String { handler.callName }

    /// The validators of the wrapped handler.
    public var validators: [ResponseValidator] { handler.validators }
}
