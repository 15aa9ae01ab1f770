extension RequestBody {
    /// Returns a `multipart/form-data` body with text fields, followed by files (RFC 7578).
    ///
    /// ```swift
    /// .multipart(["title": avatar.title], files: [.file(avatar.url, name: "picture", contentType: "image/png")])
    /// ```
    /// - Parameters:
    ///   - fields: The names and values of the text fields, in order and including duplicates.
    ///   - files: More parts, usually files.
    ///   - mode: The treatment of line breaks. The default is ``MultipartBody/Mode/data``.
    /// - Returns: The body. For parts in another order, see ``MultipartBody``.
    public static func multipart(
        _ fields: KeyValuePairs<String, String>, files: [MultipartBody.Part] = [], mode: MultipartBody.Mode = .data
    ) -> RequestBody {
        .multipart(MultipartBody(fields.map { .field($0.value, name: $0.key) } + files, mode: mode))
    }

    /// Returns a `multipart/form-data` body with a text field for each member of a value, followed by files.
    ///
    /// The names of nested members are those of a form, such as `user[name]`. They are not percent-encoded.
    ///
    /// - Parameters:
    ///   - value: A struct, a class, a dictionary or an enum with associated values.
    ///   - encoding: The encoding of arrays, nested names, dates and Booleans. The default is
    ///     ``QueryEncoding/standard``.
    ///   - files: More parts, usually files.
    ///   - mode: The treatment of line breaks. The default is ``MultipartBody/Mode/data``.
    /// - Returns: The body.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the value cannot be encoded as query items.
    public static func multipart(
        encoding value: some Encodable, by encoding: QueryEncoding = .standard, files: [MultipartBody.Part] = [],
        mode: MultipartBody.Mode = .data
    ) throws(ServiceError) -> RequestBody {
        let fields = try encoding.items(from: value).items.map { item in
            MultipartBody.Part.field(item.elements.joined(separator: ","), name: item.name)
        }
        return .multipart(MultipartBody(fields + files, mode: mode))
    }
}
