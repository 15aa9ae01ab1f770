import ErrandJSON

/// A check of a response before its body is parsed.
///
/// ```swift
/// var validators: [ResponseValidator] {
///     [.serverError(ShopError.self), .status(), .contentType("application/json")]
/// }
/// ```
/// The validators of a handler run in order. The first failure is thrown.
public struct ResponseValidator: Sendable {
    /// A check of the request, the response and the body. It throws an error to reject the response.
    public typealias Check = @Sendable (URLRequest, HTTPURLResponse, Data) throws -> Void

    /// Throws an error to reject the response. Returns an error that explains the response if a later validator rejects
    /// its status.
    package let check: @Sendable (URLRequest, ResponseHead, Data) throws -> ServiceError?

    /// Creates a validator from a closure.
    ///
    /// An error of the closure becomes the ``ServiceError/underlying`` cause of a ``ServiceError/Code/validation``
    /// error. A ``ServiceError`` is passed on unchanged.
    public init(_ check: @escaping Check) {
        self.check = { request, head, data in
            try check(request, try head.httpURLResponse(), data)
            return nil
        }
    }

    private init(ofHead check: @escaping @Sendable (ResponseHead, Data) throws -> ServiceError?) {
        self.check = { _, head, data in try check(head, data) }
    }
}

extension ResponseValidator {
    /// Accepts the statuses in a range, by default 2xx. Rejects others with ``ServiceError/Code/status``.
    ///
    /// If the rejected response has the type `application/problem+json`, its body is decoded as ``ProblemDetails``.
    public static func status(_ accepted: Range<Int> = 200..<300) -> ResponseValidator {
        status { accepted.contains($0) }
    }

    /// Accepts a list of statuses and ranges of statuses. Rejects others like ``status(_:)``.
    ///
    /// ```swift
    /// var validators: [ResponseValidator] { [.status(200...299, 404)] }    // the parser handles 404
    /// ```
    public static func status(_ first: any StatusPattern, _ others: any StatusPattern...) -> ResponseValidator {
        let patterns = [first] + others
        return status { status in patterns.contains { $0.matches(status: status) } }
    }

    private static func status(accepting isAccepted: @escaping @Sendable (Int) -> Bool) -> ResponseValidator {
        ResponseValidator(ofHead: { head, data in
            guard !isAccepted(head.status) else { return nil }
            guard MediaType(of: head)?.isProblem == true, !data.isEmpty else {
                throw ServiceError.refusal(head, nil, head.markup(in: data).map { " and \($0)" } ?? "")
            }
            if let coding = unsupportedCoding(head) { throw ServiceError.refusal(head, nil, ", \(coding.reason)") }
            throw ServiceError.refusal(head, try? FastJSONDecoder().decode(ProblemDetails.self, from: data))
        })
    }

    /// Accepts responses with one of the given media types. In a type, `*` matches any part. An empty body requires no
    /// type.
    ///
    /// Rejects others with ``ServiceError/Code/validation``.
    public static func contentType(_ accepted: String...) -> ResponseValidator {
        ResponseValidator(ofHead: { head, data in
            guard !data.isEmpty else { return nil }
            let type = MediaType(of: head)
            if let type, accepted.contains(where: type.matches) { return nil }
            let found = head.markup(in: data) ?? type.map { head.printable($0.essence, limit: 100) } ?? "no media type"
            throw ServiceError(.validation, "expected \(accepted.joined(separator: " or ")), found \(found)")
        })
    }

    /// Rejects a response if its body can be decoded as the error type of the server. ``ServiceError/serverError`` then
    /// contains the decoded error.
    ///
    /// By default, this applies to 4xx and 5xx. A body that cannot be decoded is left to the next validator. If that
    /// one rejects the status, its error contains the explanation, and the `DecodingError` as the
    /// ``ServiceError/underlying`` cause.
    public static func serverError<Failure: Error & Decodable>(
        _ type: Failure.Type,
        statuses: Range<Int> = 400..<600,
        decoder: JSONDecoder = .errand
    ) -> ResponseValidator {
        ResponseValidator(ofHead: { head, data in
            guard statuses.contains(head.status), !data.isEmpty else { return nil }
            if let coding = unsupportedCoding(head) { return coding }
            let result = Result { try decoder.decode(type, from: data) }
            switch result {
            case .success(let failure):
                throw ServiceError.refusal(head, failure)
            case .failure(let cause):
                let why =
                    (cause as? DecodingError).map { FastJSONDecoder.explanation(of: $0, in: data) }
                    ?? "the decoder rejected it"
                return ServiceError(.decoding, "its body is not a \(type): \(why)", underlying: cause)
            }
        })
    }

    /// Returns the error for a body with an unsupported content coding, or `nil` if the body can be decoded.
    private static func unsupportedCoding(_ head: ResponseHead) -> ServiceError? {
        do {
            try ContentCodings(head.headers).unsupported.requireNone()
            return nil
        } catch {
            return error
        }
    }
}
