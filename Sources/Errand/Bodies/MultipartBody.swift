import ErrandSupport

/// A `multipart/form-data` body (RFC 7578): text fields, files and streams, each with a name.
///
/// ```swift
/// func body(for avatar: Avatar) throws -> RequestBody? {
///     .multipart(["title": avatar.title], files: [.file(avatar.url, name: "picture", contentType: "image/png")])
/// }
/// ```
/// - When an ``APIRequest`` receives the body, it chooses a boundary with ``RequestOptions/random`` and sets its
///   `Content-Type`. It replaces a `Content-Type` that the handler has set. Retries and redirects send the same bytes,
///   because the boundary does not change.
/// - Names and file names are sent in UTF-8. A quotation mark, CR and LF are `%22`, `%0D` and `%0A`, as in browsers
///   (HTML standard, "multipart/form-data encoding algorithm"). All other characters are sent unchanged, and names have
///   no maximum length.
/// - The length is sent if that of every part is known. Files are measured when sending starts. Otherwise, a session
///   that streams the body sends it in chunks (RFC 9112, section 7.1). Files and streams are not loaded into memory.
/// - The body can be sent again if all of its parts can.
///
/// Sending throws ``ServiceError`` with ``ServiceError/Code/encoding`` if the boundary, a content type or a header of a
/// part is invalid, or if a file or a stream fails.
public struct MultipartBody: Sendable {
    /// The parts in the order in which they are sent. Several parts may have the same name (RFC 7578, section 4.3).
    public let parts: [Part]
    /// The treatment of line breaks.
    public let mode: Mode
    /// The text between the parts, without the leading hyphens. If `nil`, each ``APIRequest`` chooses a random one.
    public let boundary: String?
    /// Whether the boundary was chosen at random.
    let isRandom: Bool

    /// Creates a body.
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - mode: The treatment of line breaks. The default is ``Mode/data``.
    ///   - boundary: 1 to 70 characters that no part contains after two hyphens (RFC 2046, section 5.1.1). Parts in
    ///     memory are checked. By default, the request chooses a random boundary, which the first 64 kB of each part in
    ///     memory do not contain.
    public init(_ parts: [Part], mode: Mode = .data, boundary: String? = nil) {
        self.init(parts, mode: mode, boundary: boundary, isRandom: false)
    }

    init(_ parts: [Part], mode: Mode, boundary: String?, isRandom: Bool) {
        self.parts = parts
        self.mode = mode
        self.boundary = boundary
        self.isRandom = isRandom
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

extension MultipartBody: Hashable {
    /// Returns whether the parts, the modes and the boundaries are equal.
    public static func == (one: MultipartBody, other: MultipartBody) -> Bool {
        one.boundary == other.boundary && one.mode == other.mode && one.parts == other.parts
    }

    /// Hashes the parts, the mode and the boundary.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(boundary)
        hasher.combine(mode)
        hasher.combine(parts)
    }
}

extension MultipartBody: CustomStringConvertible, CustomReflectable {
    /// The number of parts, without their contents.
    public var description: String { "‹a multipart body with \(parts.count) \(parts.count == 1 ? "part" : "parts")›" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}
