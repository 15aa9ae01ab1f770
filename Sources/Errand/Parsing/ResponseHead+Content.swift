extension ResponseHead {
    /// The media type of the body without parameters, in lower case: `application/json`. `nil` if the `Content-Type`
    /// header is missing or invalid (RFC 9110, section 8.3.1).
    public var mediaType: String? { MediaType(of: self)?.essence }

    /// Checks that the session has delivered the body decoded (RFC 9110, section 8.4).
    ///
    /// Call it before you parse a body without ``ResponseHandler/defaultParseResponse(data:head:decoder:)``.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/decoding`` if the body has a content coding that no
    ///   session decodes.
    public func checkContentCodings() throws(ServiceError) {
        try ContentCodings(headers).unsupported.requireNone()
    }
}
