public import Errand

/// `POST /photos`: uploads a picture, as a form with the file `picture` and the field `description`.
///
/// ```swift
/// let loader = APILoader(UploadAPI(environment: server.environment))
/// for try await event in loader.upload(try PictureUpload(file)) {
///     switch event {
///     case .progress(let progress): print(progress.fraction ?? 0)
///     case .finished(let photo): print(photo.links.html)
///     }
/// }
/// ```
/// Only ``DevelopmentServer`` has this API call. Unsplash has none.
public struct UploadAPI: GalleryHandler {
    /// The decoded response.
    public typealias ResponseDataType = GalleryModel

    /// The environment of the API.
    public let environment: GalleryEnvironment
    /// The access key. If `nil` or empty, requests have no `Authorization` header.
    public let accessKey: Secret?

    /// Creates the API call for an environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `upload`.
    public var callName: String { "upload" }

    /// Returns the request without its body.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the environment is not
    ///   development.
    public func makeRequest(from upload: PictureUpload) throws(ServiceError) -> URLRequest {
        guard case .development = environment else {
            throw ServiceError(
                .configuration,
                "expected the environment development, found \(environment.name): the Unsplash API has no uploads")
        }
        var request = try galleryRequest(for: .photos)
        request.httpMethod = "POST"
        return request
    }

    /// Returns the form. The file is read while it is sent.
    public func body(for upload: PictureUpload) -> RequestBody? {
        let picture = MultipartBody.Part.file(upload.file, name: "picture", contentType: upload.format.contentType)
        let description = upload.description.map { MultipartBody.Part.field($0, name: "description") }
        return .multipart(MultipartBody([description, picture].compactMap(\.self)))
    }
}
