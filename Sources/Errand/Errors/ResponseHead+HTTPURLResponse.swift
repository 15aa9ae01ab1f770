extension ResponseHead {
    /// The platform's form of this head, which ``ResponseHandler/parseResponse(data:response:)`` takes.
    ///
    /// Duplicate fields are folded with a comma, as that type can't keep them.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` where the platform refuses the values.
    public func httpURLResponse() throws(ServiceError) -> HTTPURLResponse {
        guard let response = platformForm else { throw ServiceError(.badResponse, "the head can't be represented") }
        return response
    }
}
