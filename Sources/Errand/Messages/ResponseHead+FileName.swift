import ErrandSupport

extension ResponseHead {
    /// The first `Content-Disposition` header, or `nil` if it is missing (RFC 6266).
    public var contentDisposition: ContentDisposition? { headers["Content-Disposition"].map(ContentDisposition.init) }

    /// The name for a file with the body: ``ContentDisposition/safeFileName``, otherwise the last path component of
    /// the URL in the same safe form. `nil` if neither contains a name.
    ///
    /// The server chooses the extension too. Do not open a file only because of its name.
    public var suggestedFileName: String? {
        contentDisposition?.safeFileName ?? url.lastComponent.flatMap(SafeFileName.init)?.description
    }
}

extension URL {
    /// The last path component, decoded as UTF-8 if it is valid. `nil` for a path without components.
    fileprivate var lastComponent: String? {
        guard let component = path(percentEncoded: true).split(separator: "/").last else { return nil }
        return String(validUTF8: PercentEncoding.decoded(component)) ?? String(component)
    }
}
