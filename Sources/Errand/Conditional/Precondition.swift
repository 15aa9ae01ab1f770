/// A condition that the server checks before it processes a request (RFC 9110, section 13).
///
/// ```swift
/// var options = RequestOptions()
/// options.precondition = .ifUnmodified(loaded.validators)     // writes only if the resource has not changed
/// ```
/// If the condition of a write is not met, the server responds with status 412 and changes nothing. Load the resource
/// again, apply the change to its new version, and write it with the new validators. Do not write it without a
/// condition.
///
/// A server that does not support conditions ignores them, and performs the write.
public struct Precondition: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case modified(ResourceValidators), unmodified(ResourceValidators)
        case match([EntityTag])
        case absent, present
    }

    private let kind: Kind

    /// A condition that is met if the resource has changed since the response with these validators. Use it for GET and
    /// HEAD.
    ///
    /// Sends `If-None-Match`, and `If-Modified-Since` for servers without entity tags (sections 13.1.2 and 13.1.3). If
    /// the resource has not changed, the server responds with status 304 and without a body. Empty validators add no
    /// header. Use `loadIfModified(_:_:)` of a loader, which expects this response.
    public static func ifModified(_ validators: ResourceValidators) -> Precondition {
        Precondition(kind: .modified(validators))
    }

    /// A condition that is met if the resource has not changed since the response with these validators. Use it for
    /// writes.
    ///
    /// Sends `If-Match` with a strong entity tag. Without one, sends `If-Unmodified-Since`, which does not detect a
    /// second change within one second (sections 13.1.1 and 13.1.4). Sends a weak entity tag only if there is no date,
    /// because servers that follow the RFC never match it. Empty validators are an error
    /// (``ServiceError/Code/encoding``), because the write would be unconditional.
    public static func ifUnmodified(_ validators: ResourceValidators) -> Precondition {
        Precondition(kind: .unmodified(validators))
    }

    /// A condition that is met if the current entity tag of the resource is one of these. Use it for writes
    /// (`If-Match`, section 13.1.1). A weak tag is an error (``ServiceError/Code/encoding``), because it never matches.
    public static func ifMatch(_ tag: EntityTag, _ others: EntityTag...) -> Precondition {
        Precondition(kind: .match([tag] + others))
    }

    /// A condition that is met if the resource does not exist. Use it for a PUT that must not replace an existing
    /// resource (`If-None-Match: *`, section 13.1.2).
    public static let ifAbsent: Precondition = Precondition(kind: .absent)

    /// A condition that is met if the resource exists. Use it for a PUT that must not create a resource (`If-Match: *`,
    /// section 13.1.1).
    public static let ifPresent: Precondition = Precondition(kind: .present)

    /// The headers of the condition.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a write without usable validators.
    package func headers() throws(ServiceError) -> HeaderFields {
        switch kind {
        case .modified(let validators):
            var headers = HeaderFields()
            if let tag = validators.entityTag { headers.append(Self.noneMatch, tag.description) }
            if let date = validators.lastModifiedText { headers.append(Self.modifiedSince, date) }
            return headers
        case .unmodified(let validators):
            if let tag = validators.entityTag, !tag.isWeak || validators.lastModifiedText == nil {
                return [Self.match: tag.description]
            }
            guard let date = validators.lastModifiedText else {
                throw ServiceError(
                    .encoding,
                    "expected an entity tag or a date for ifUnmodified, found neither: the write would be unconditional"
                )
            }
            return [Self.unmodifiedSince: date]
        case .match(let tags):
            guard !tags.contains(where: \.isWeak) else {
                throw ServiceError(
                    .encoding, "expected strong entity tags for ifMatch, found a weak one: it never matches")
            }
            return [Self.match: tags.map(\.description).joined(separator: ", ")]
        case .absent: return [Self.noneMatch: "*"]
        case .present: return [Self.match: "*"]
        }
    }

    static let match = "If-Match"
    static let noneMatch = "If-None-Match"
    static let modifiedSince = "If-Modified-Since"
    static let unmodifiedSince = "If-Unmodified-Since"
}

extension RequestOptions {
    enum PreconditionKey: RequestOptionKey {
        static let defaultValue: Precondition? = nil

        // The optional itself: requests without a condition share responses, too.
        static func sharedValue(_ value: Precondition?) -> (any Hashable & Sendable)? {
            value as any Hashable & Sendable
        }
    }

    /// The condition of the request. If `nil` (the default), the request is not conditional.
    ///
    /// The loader adds the headers of the condition, except those that the handler has set. Only a loader reads this
    /// option: a request that you pass to `send(_:)` of a session is unconditional unless it has the headers.
    ///
    /// A write may be retried after its response was lost. If the server had processed it, the retry fails with status
    /// 412, because the write itself has changed the resource.
    public var precondition: Precondition? {
        get { self[PreconditionKey.self] }
        set { self[PreconditionKey.self] = newValue }
    }
}
