extension ResponseHead {
    /// Converts this value to an `HTTPURLResponse`, the parameter of ``ResponseHandler/parseResponse(data:response:)``.
    ///
    /// Repeated headers are joined with a comma, because an `HTTPURLResponse` cannot represent them.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the platform does not accept the values.
    public func httpURLResponse() throws(ServiceError) -> HTTPURLResponse {
        guard let response = platformForm else {
            throw ServiceError(.badResponse, "the response cannot be converted to an HTTPURLResponse")
        }
        return response
    }
}
