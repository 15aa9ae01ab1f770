extension DownloadMachine {
    /// Decides after the header section of an accepted response.
    package mutating func respond(to head: ResponseHead) throws(ServiceError) -> Action {
        switch head.status {
        case 206 where request.range != nil: return try takePart(head)
        case 206: throw ServiceError(.badResponse, "expected the complete body, found a part that was not requested")
        case 200, 203: return try takeAll(head)
        case 400...:
            // The validators of the handler accept this status.
            var refusal = ServiceError(.badResponse, "expected status 200 or 206 for a download, found \(head.status)")
            refusal.response = head
            return try requestFailed(refusal)
        default:
            throw ServiceError(.badResponse, "expected status 200 or 206 for a download, found \(head.status)")
        }
    }

    /// Starts the file with the complete representation. The bytes of a partial file are discarded, because the
    /// resource has changed or the server does not support ranges.
    private mutating func takeAll(_ head: ResponseHead) throws(ServiceError) -> Action {
        guard segment == nil else { throw Self.changed }
        let codings = ContentCodings(head.headers)
        try codings.unsupported.requireNone()
        // The session decodes the body, so its length and its digest are not those of the file.
        let isCoded = !codings.names.isEmpty
        // With status 203, a proxy has changed the body, so it cannot be combined with that of the origin server.
        let isTransformed = isCoded || head.status == 203
        let total = isCoded ? nil : head.contentLength
        try check(total)
        (position, width) = (0, 1)
        announced = isTransformed ? nil : Self.digest(in: head)
        let validators = head.validators
        record =
            isTransformed || !resumes || !validators.canResume || head.refusesRanges
            ? nil
            : DownloadRecord(
                identity: identity, validators: validators, total: total, name: name(in: head),
                digest: announced)
        return receive(Body(start: 0, end: total, record: record))
    }

    /// Continues with a part of the representation (RFC 9110, section 15.3.7).
    private mutating func takePart(_ head: ResponseHead) throws(ServiceError) -> Action {
        guard head.mediaType != "multipart/byteranges" else {
            return try restart(
                ServiceError(.badResponse, "expected one part of the body, found multipart/byteranges"))
        }
        guard let given = head.headers["Content-Range"].flatMap(ContentRange.init), let range = given.range else {
            return try restart(ServiceError(.badResponse, "invalid Content-Range of a part: expected a range of bytes"))
        }
        let last = request.range?.last ?? .max
        guard range.lowerBound == request.range?.first, range.upperBound <= last else {
            return try restart(
                ServiceError(
                    .badResponse,
                    "expected a part from byte \(request.range?.first ?? 0), found another range in Content-Range"))
        }
        guard ContentCodings(head.headers).names.isEmpty else {
            return try restart(ServiceError(.badResponse, "expected a part without content coding, found a coded one"))
        }
        if let record { return try resume(record, head, range, given.completeLength) }
        // The response to the probe for ranges.
        guard resumes, head.validators.canResume, let total = given.completeLength else {
            return try restart(Self.changed)
        }
        try check(total)
        announced = Self.digest(in: head)
        record = DownloadRecord(
            identity: identity, validators: head.validators, total: total, name: name(in: head),
            digest: announced)
        return receive(Body(start: 0, end: range.upperBound + 1, isPart: true, record: record))
    }

    /// Continues a partial file with a part of the same representation.
    private mutating func resume(
        _ old: DownloadRecord, _ head: ResponseHead, _ range: ClosedRange<Int64>, _ total: Int64?
    ) throws(ServiceError) -> Action {
        var record = old
        guard record.matches(head.validators), total == nil || record.total == nil || total == record.total else {
            return try restart(Self.changed)
        }
        let digest = ContentDigest(.representation, in: head.headers)?.sha256.map { FileDigest(hash: Array($0)) }
        if let digest {
            guard announced ?? digest == digest else { return try restart(Self.changed) }
            (announced, record.digest) = (digest, digest.description)
        }
        record.total = record.total ?? total
        try check(record.total)
        self.record = record
        position = range.lowerBound
        return receive(Body(start: range.lowerBound, end: range.upperBound + 1, isPart: true, record: record))
    }

    private func name(in head: ResponseHead) -> String? { needsName ? head.suggestedFileName : nil }

    private mutating func receive(_ body: Body) -> Action {
        self.body = body
        return .receive(body)
    }

    /// Checks the size of the file, if it is known.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge``.
    func check(_ total: Int64?) throws(ServiceError) {
        if let total, total > limit { throw .bodyTooLarge(Int(clamping: limit)) }
    }

    private static var changed: ServiceError {
        ServiceError(.badResponse, "expected a part of the same file, found that it has changed on the server")
    }

    /// Returns the SHA-256 hash of a complete representation, of which the header section has both kinds of digests.
    private static func digest(in head: ResponseHead) -> FileDigest? {
        let digest =
            ContentDigest(.representation, in: head.headers)?.sha256
            ?? (head.status == 206 ? nil : ContentDigest(.content, in: head.headers)?.sha256)
        return digest.map { FileDigest(hash: Array($0)) }
    }
}

extension ResourceValidators {
    /// Whether a later request can continue with `If-Range`. A long entity tag is not stored.
    fileprivate var canResume: Bool { isStrong && (rangeValidator?.utf8.count ?? 0) <= 8_192 }
}

extension ResponseHead {
    /// The length of the body according to its header, or `nil` if it is missing or malformed.
    fileprivate var contentLength: Int64? {
        guard headers["Transfer-Encoding"] == nil, let text = headers["Content-Length"] else { return nil }
        return !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int64(text) : nil
    }

    /// Whether the server asks not to send `Range` headers (RFC 9110, section 14.3).
    fileprivate var refusesRanges: Bool { headers["Accept-Ranges"]?.lowercased() == "none" }
}
