extension ResponseHandler {
    /// Parses a body into a value of the requested type.
    ///
    /// `Data` is the unchanged body. `String` is the text in the charset of the `Content-Type` header, or in UTF-8 if
    /// the header names no charset. An optional is `nil` if the body is empty. All other types are decoded from JSON.
    ///
    /// The default decoder uses keys unchanged and dates in ISO 8601. A trailing comma (`[1,]`) is not JSON
    /// (RFC 8259) and is an error unless the decoder's `allowsJSON5` is set. See `JSONDecoder.errand`.
    ///
    /// Decoding runs off the main actor. In a project with default isolation `MainActor`, declare the type
    /// `nonisolated` (<doc:FirstRequest#In-an-app-project-of-Xcode-26>).
    ///
    /// In a loader, decoding ends with ``ServiceError/Code/timeout`` or ``ServiceError/Code/cancelled`` when the
    /// deadline of the API call passes or its task is cancelled.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/decoding``. Its reason contains the coding path, and its
    ///   underlying error is the `DecodingError`. For JSON and text, it is also thrown if the body has a content
    ///   coding that no session decodes. The reason then names the coding.
    public func defaultParseResponse<Value: Decodable & SendableMetatype>(
        data: Data,
        response: HTTPURLResponse,
        decoder: JSONDecoder = .errand
    ) throws(ServiceError) -> Value {
        try BodyParser(decoder: decoder).parse(
            data, contentType: response.value(forHTTPHeaderField: "Content-Type"),
            contentEncoding: response.value(forHTTPHeaderField: "Content-Encoding"))
    }

    /// Parses a body like ``defaultParseResponse(data:response:decoder:)``, with the header section as the session
    /// received it.
    public func defaultParseResponse<Value: Decodable & SendableMetatype>(
        data: Data,
        head: ResponseHead,
        decoder: JSONDecoder = .errand
    ) throws(ServiceError) -> Value {
        try BodyParser(decoder: decoder).parse(
            data, contentType: head.headers["Content-Type"], contentEncoding: head.headers.combined("Content-Encoding"))
    }

    /// Ignores the body, for API calls without a value.
    public func defaultParseResponse(data: Data, response: HTTPURLResponse) {}
}
