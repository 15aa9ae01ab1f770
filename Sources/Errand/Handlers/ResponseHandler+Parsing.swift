extension ResponseHandler {
    /// Parses a body into the type that is asked for.
    ///
    /// `Data` is the body as it is; `String` its text in the charset that the answer names (UTF-8 where it names none);
    /// an optional is nil where the body is empty; everything else is JSON for the decoder.
    ///
    /// The default decoder takes keys as they are written and dates in ISO 8601. A trailing comma (`[1,]`) is not JSON
    /// (RFC 8259) and is an error unless the decoder's `allowsJSON5` is set: see `JSONDecoder.errand`.
    ///
    /// Decoding runs off the main actor. In a project with default isolation `MainActor`, declare the type `nonisolated`
    /// (<doc:FirstRequest#In-an-app-project-of-Xcode-26>).
    ///
    /// In a loader, decoding ends with ``ServiceError/Code/timeout`` or ``ServiceError/Code/cancelled`` when the call's
    /// deadline passes or its task is cancelled.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/decoding``; its reason names the coding path, its underlying
    ///   cause is the `DecodingError`. JSON and text also throw it for a body in a content coding that no session decodes,
    ///   and name the coding.
    public func defaultParseResponse<Value: Decodable & SendableMetatype>(
        data: Data,
        response: HTTPURLResponse,
        decoder: JSONDecoder = .errand
    ) throws(ServiceError) -> Value {
        try BodyParser(decoder: decoder).parse(
            data, contentType: response.value(forHTTPHeaderField: "Content-Type"),
            contentEncoding: response.value(forHTTPHeaderField: "Content-Encoding"))
    }

    /// The same, of the head as the session gave it.
    public func defaultParseResponse<Value: Decodable & SendableMetatype>(
        data: Data,
        head: ResponseHead,
        decoder: JSONDecoder = .errand
    ) throws(ServiceError) -> Value {
        try BodyParser(decoder: decoder).parse(
            data, contentType: head.fields["Content-Type"], contentEncoding: head.fields.combined("Content-Encoding"))
    }

    /// Parses an answer whose body does not matter.
    public func defaultParseResponse(data: Data, response: HTTPURLResponse) {}
}
