import ErrandJSON

/// One check that an answer must pass before it is parsed.
///
/// ```swift
/// var validators: [ResponseValidator] {
///     [.serverError(ShopError.self), .status(), .contentType("application/json")]
/// }
/// ```
/// A handler's list runs in order, and the first failure wins.
public struct ResponseValidator: Sendable {
    /// A check of request, answer and body, which throws to refuse.
    public typealias Check = @Sendable (URLRequest, HTTPURLResponse, Data) throws -> Void

    /// Throws to refuse; returns what is worth telling where a later validator refuses the status.
    package let check: @Sendable (URLRequest, ResponseHead, Data) throws -> ServiceError?

    /// Makes a validator of a closure.
    ///
    /// What it throws becomes the ``ServiceError/underlying`` cause of ``ServiceError/Code/validation``; a
    /// ``ServiceError`` is passed on as it is.
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
    /// Accepts statuses in a range, 2xx by default; refuses others as ``ServiceError/Code/status``.
    ///
    /// A refused answer of type `application/problem+json` is decoded as ``ProblemDetails``.
    public static func status(_ accepted: Range<Int> = 200..<300) -> ResponseValidator {
        ResponseValidator(ofHead: { head, data in
            guard !accepted.contains(head.status) else { return nil }
            guard MediaType(of: head)?.isProblem == true, !data.isEmpty else {
                throw ServiceError.refusal(head, nil, head.page(in: data).map { " with \($0)" } ?? "")
            }
            if let coding = unsupportedCoding(head) { throw ServiceError.refusal(head, nil, ", \(coding.reason)") }
            throw ServiceError.refusal(head, try? FastJSONDecoder().decode(ProblemDetails.self, from: data))
        })
    }

    /// Accepts answers whose media type is one of those given (`*` stands for any part); an empty body needs none.
    ///
    /// Refuses others as ``ServiceError/Code/validation``.
    public static func contentType(_ accepted: String...) -> ResponseValidator {
        ResponseValidator(ofHead: { head, data in
            guard !data.isEmpty else { return nil }
            let type = MediaType(of: head)
            if let type, accepted.contains(where: type.matches) { return nil }
            let found = head.page(in: data) ?? type.map { head.printable($0.essence, limit: 100) } ?? "no media type"
            throw ServiceError(.validation, "expected \(accepted.joined(separator: " or ")), found \(found)")
        })
    }

    /// Refuses an answer whose body decodes as the server's own error type, which ``ServiceError/serverError`` then holds.
    ///
    /// Looks at 4xx and 5xx unless told otherwise; a body that does not decode is left to the next validator, which says why
    /// where it refuses the status, with the `DecodingError` as the ``ServiceError/underlying`` cause.
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
                    ?? "its decoder refused it"
                return ServiceError(.decoding, "its body is not a \(type): \(why)", underlying: cause)
            }
        })
    }

    /// The error of a body in a coding that no session decodes, or `nil` if the body can be read.
    private static func unsupportedCoding(_ head: ResponseHead) -> ServiceError? {
        do {
            try ContentCodings(head.fields).unsupported.requireNone()
            return nil
        } catch {
            return error
        }
    }
}
