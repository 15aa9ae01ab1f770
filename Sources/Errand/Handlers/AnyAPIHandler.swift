/// Any handler of one shape as a type of its own, so that one call can be swapped for another at run time.
///
/// ```swift
/// let call: AnyAPIHandler<GalleryQuery, [Photo]> = offline ? AnyAPIHandler(CannedGallery()) : AnyAPIHandler(GalleryAPI())
/// let photos = try await APILoader(call).load(query)
/// ```
public struct AnyAPIHandler<RequestDataType: Sendable, ResponseDataType: Sendable>: APIHandler {
    private let handler: any APIHandler<RequestDataType, ResponseDataType>

    /// Wraps a handler.
    public init(_ handler: any APIHandler<RequestDataType, ResponseDataType>) {
        self.handler = handler
    }

    /// What the wrapped handler makes.
    public func makeRequest(from data: RequestDataType) throws -> URLRequest {
        try handler.makeRequest(from: data)
    }

    /// The wrapped handler's body.
    public func body(for data: RequestDataType) throws -> RequestBody? {
        try handler.body(for: data)
    }

    /// The wrapped handler's options.
    public func options(for data: RequestDataType) -> RequestOptions {
        handler.options(for: data)
    }

    /// What the wrapped handler reads.
    public func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType {
        try handler.parseResponse(data: data, response: response)
    }

    /// What the wrapped handler reads.
    public func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType {
        try handler.parseResponse(data: data, head: head)
    }

    /// The wrapped handler's name.
    public var callName: String { handler.callName }

    /// The wrapped handler's validators.
    public var validators: [ResponseValidator] { handler.validators }
}
