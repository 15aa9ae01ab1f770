public import Errand

/// An API call for photos that decodes the response as a ``LossyPhotoList``. Everything else is forwarded to the
/// wrapped call.
///
/// ```swift
/// let feed = GalleryFeed(LossyCall(GalleryAPI(environment: .production, accessKey: key)))
/// for try await page in feed.pages(from: GalleryQuery()) where !page.unreadable.isEmpty { warn(page.unreadable) }
/// ```
public struct LossyCall<Call: GalleryHandler>: GalleryHandler, WrappingHandler
where Call.ResponseDataType: PhotoList {
    /// The decoded response.
    public typealias ResponseDataType = LossyPhotoList

    /// The wrapped API call.
    public let wrapped: Call

    /// Creates a lenient variant of an API call.
    public init(_ call: Call) {
        wrapped = call
    }

    /// The access key of the wrapped call.
    public var accessKey: Secret? { wrapped.accessKey }
    /// The validators of the wrapped call.
    public var validators: [ResponseValidator] { wrapped.validators }
}
