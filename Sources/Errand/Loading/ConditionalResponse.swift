/// The result of a conditional load.
public enum ConditionalResponse<Value: Sendable>: Sendable {
    /// The resource has changed. Store the value with its new ``Loaded/validators``.
    case modified(Loaded<Value>)
    /// The resource has not changed (status 304). The header section has no body. Its headers may update those of the
    /// stored response (RFC 9110, section 15.4.5).
    case notModified(ResponseHead)

    /// The new value with its header section, or `nil` if the resource has not changed.
    public var loaded: Loaded<Value>? {
        switch self {
        case .modified(let loaded): loaded
        case .notModified: nil
        }
    }

    /// The status and headers of the response.
    public var head: ResponseHead {
        switch self {
        case .modified(let loaded): loaded.head
        case .notModified(let head): head
        }
    }
}

extension APILoader {
    /// Runs the API call only if its resource has changed (RFC 9110, section 13.1.2).
    ///
    /// ```swift
    /// switch try await loader.loadIfModified(query, stored.validators) {
    /// case .modified(let loaded): store(loaded.value, loaded.validators)
    /// case .notModified: break            // the stored value is up to date
    /// }
    /// ```
    /// The request has the condition ``Precondition/ifModified(_:)``. If the resource has not changed, the server
    /// responds with status 304 and without a body, and neither the validators nor the parser of the handler run. With
    /// empty validators, for example for the first load, the request is not conditional.
    ///
    /// This requires no cache. A `URLSession` with a `URLCache` may respond from its cache instead. Use one without a
    /// cache.
    /// - Parameters:
    ///   - data: The input of the API call, which should send GET or HEAD.
    ///   - validators: The ``Loaded/validators`` of the response that the caller has stored.
    /// - Returns: The new value, or the header section of the response with status 304.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func loadIfModified(
        _ data: T.RequestDataType, _ validators: ResourceValidators
    ) async throws(ServiceError) -> ConditionalResponse<T.ResponseDataType> {
        try await conditionalResponse(data, .ifModified(validators))
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Runs an API call without input only if its resource has changed.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func loadIfModified(
        _ validators: ResourceValidators
    ) async throws(ServiceError) -> ConditionalResponse<T.ResponseDataType> {
        try await loadIfModified((), validators)
    }
}
