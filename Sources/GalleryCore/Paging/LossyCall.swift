public import Errand

/// A call for photos whose answer is read as a ``LossyPhotoList``; everything else is the call's own.
///
/// ```swift
/// let feed = GalleryFeed(LossyCall(GalleryAPI(environment: .production, accessKey: key)))
/// for try await page in feed.pages(from: GalleryQuery()) where !page.unreadable.isEmpty { warn(page.unreadable) }
/// ```
public struct LossyCall<Call: GalleryHandler>: GalleryHandler where Call.ResponseDataType: PhotoList {
    /// What is asked for.
    public typealias RequestDataType = Call.RequestDataType
    /// What the server answers.
    public typealias ResponseDataType = LossyPhotoList

    private let call: Call

    /// Reads a call's answers tolerantly.
    public init(_ call: Call) {
        self.call = call
    }

    /// Where the API lives.
    public var environment: GalleryEnvironment { call.environment }
    /// What the server knows the program by.
    public var accessKey: Secret? { call.accessKey }
    /// The call's own name.
    public var callName: String { call.callName }
    /// The call's own.
    public var validators: [ResponseValidator] { call.validators }

    /// The call's own.
    ///
    /// - Throws: What the call throws.
    public func body(for data: Call.RequestDataType) throws -> RequestBody? { try call.body(for: data) }

    /// The call's own.
    public func options(for data: Call.RequestDataType) -> RequestOptions { call.options(for: data) }

    /// Makes the call's own request.
    ///
    /// - Throws: What the call throws.
    public func makeRequest(from data: Call.RequestDataType) throws -> URLRequest { try call.makeRequest(from: data) }
}
