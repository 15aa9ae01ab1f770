import ErrandSupport

/// A `multipart/form-data` body (RFC 7578): text fields, files and streams, each with a name.
///
/// ```swift
/// func body(for avatar: Avatar) throws -> RequestBody? {
///     .multipart(["title": avatar.title], files: [.file(avatar.url, name: "picture", contentType: "image/png")])
/// }
/// ```
/// - The request that gets the body sets its `Content-Type`, and replaces one that the handler has set. It also draws
///   the boundary, from ``RequestOptions/random``. Retries and redirects therefore send the same bytes.
/// - Names and file names are sent in UTF-8. A quotation mark, CR and LF are `%22`, `%0D` and `%0A`, as in browsers
///   (HTML standard, "multipart/form-data encoding algorithm"). All other characters are sent unchanged, and names have
///   no maximum length.
/// - The length is sent if that of every part is known. Files are measured when sending starts. Otherwise, a session
///   that streams the body sends it in chunks (RFC 9112, section 7.1). Files and streams are not loaded into memory.
/// - The body can be sent again if all of its parts can.
///
/// Sending throws ``ServiceError`` with ``ServiceError/Code/encoding`` if the boundary, a content type or a header of a
/// part is invalid, or if a file or a stream fails.
public struct MultipartBody: Sendable, Hashable {
    /// The parts in the order in which they are sent. Several parts may have the same name (RFC 7578, section 4.3).
    public let parts: [Part]
    /// The treatment of line breaks.
    public let mode: Mode
    /// The text between the parts, without the leading hyphens. `nil` until an ``APIRequest`` gets the body.
    public let boundary: String?

    /// Creates a body.
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - mode: The treatment of line breaks. The default is ``Mode/data``.
    ///   - boundary: 1 to 70 characters that no part contains after two hyphens (RFC 2046, section 5.1.1). Parts in
    ///     memory are checked, up to 64 kB in all. By default, the request draws a random boundary.
    public init(_ parts: [Part], mode: Mode = .data, boundary: String? = nil) {
        self.parts = parts
        self.mode = mode
        self.boundary = boundary
    }
}

extension MultipartBody {
    /// The treatment of line breaks in names and in text fields.
    public struct Mode: Sendable, Hashable {
        enum Kind { case data, form }
        let kind: Kind

        /// Line breaks are not changed.
        public static let data: Self = .init(kind: .data)
        /// Line breaks are CRLF in the names of all parts and in the values of text fields, as in a submitted HTML
        /// form. File names and the contents of files are not changed.
        public static let form: Self = .init(kind: .form)
    }
}

extension MultipartBody: CustomStringConvertible, CustomReflectable {
    /// The number of parts, without their contents.
    public var description: String { "‹a multipart body with \(parts.count) \(parts.count == 1 ? "part" : "parts")›" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}
