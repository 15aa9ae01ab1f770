public import Errand

/// A call for photos whose answer is read as a ``LossyPhotoList``; everything else is the call's own.
///
/// ```swift
/// let feed = GalleryFeed(LossyCall(GalleryAPI(environment: .production, accessKey: key)))
/// for try await page in feed.pages(from: GalleryQuery()) where !page.unreadable.isEmpty { warn(page.unreadable) }
/// ```
public struct LossyCall<Call: GalleryHandler>: GalleryHandler, WrappingHandler
where Call.ResponseDataType: PhotoList {
    /// What the server answers.
    public typealias ResponseDataType = LossyPhotoList

    /// The call whose answers are read.
    public let wrapped: Call

    /// Reads a call's answers tolerantly.
    public init(_ call: Call) {
        wrapped = call
    }

    /// What the server knows the program by.
    public var accessKey: Secret? { wrapped.accessKey }
    /// The call's own.
    public var validators: [ResponseValidator] { wrapped.validators }
}
