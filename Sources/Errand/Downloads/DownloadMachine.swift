/// Decides how a download continues: the next request, the bytes that are kept, and the end. It performs no I/O.
///
/// A machine downloads a complete file, or one segment of a file.
package struct DownloadMachine: Sendable {
    /// A request: the complete representation, or a range of it if its validator still matches.
    package struct Request: Sendable, Hashable {
        package var range: ByteRange?
        /// The value of `If-Range` (RFC 9110, section 13.1.5).
        package var validator: String?

        package init(range: ByteRange? = nil, validator: String? = nil) {
            self.range = range
            self.validator = validator
        }
    }

    /// The body of an accepted response.
    package struct Body: Sendable, Hashable {
        /// The offset of its first byte in the file.
        package let start: Int64
        /// The offset after its last byte, or `nil` if it is unknown.
        package let end: Int64?
        /// Whether it is a part of the representation, with status 206.
        package var isPart = false
        /// The record to store before the body is written. If `nil`, the download cannot be resumed.
        package let record: DownloadRecord?
    }

    /// The next step.
    package enum Action: Sendable, Hashable {
        /// Send ``DownloadMachine/request``.
        case send
        /// Let the handler make the request again, because its link may have expired, and send it.
        case remake
        /// Wait, and then send the request.
        case retry(attempt: Int, atLeast: Duration)
        /// Write the body of the response. If it starts at 0, empty the partial file first.
        case receive(Body)
        /// Download the segments of the record.
        case split(DownloadRecord)
        /// The file, or the segment, is complete.
        case finish
    }

    /// The number of consecutive attempts without new bytes.
    package static let attemptLimit = 5
    private static let restartLimit = 2
    private static let longestWait: Duration = .seconds(60)
    private static let retryableStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    private static let linkStatuses: Set<Int> = [401, 403, 404, 410]

    package let identity: String
    package let limit: Int64
    package let resumes: Bool
    /// The expected digest of the caller.
    package let digest: FileDigest?
    package let segment: DownloadRecord.Segment?
    /// The number of parts. 1 if the rest of the file is downloaded with one request.
    package var width: Int
    /// Whether the record contains the file name that the server suggests.
    package var needsName = true
    /// The record of the partial file, or `nil` if nothing can be resumed.
    package var record: DownloadRecord?
    /// The next byte of the file.
    package var position: Int64
    /// The digest that the server announced.
    package var announced: FileDigest?
    /// The body that is received, or was received last.
    package var body: Body?
    /// The largest position of this call.
    private var reach: Int64
    private var attempts = 0
    private var restarts = 0
    private var mayRemake = true

    /// Creates the machine of a complete file.
    ///
    /// - Parameters:
    ///   - options: The options of the download.
    ///   - identity: The hash of the identity of the resource.
    ///   - record: The record of the partial file, which must be usable, or `nil` to start at the beginning.
    ///   - length: The length of the partial file.
    package init(_ options: DownloadOptions, identity: String, record: DownloadRecord? = nil, length: Int64 = 0) {
        self.identity = identity
        limit = options.limit
        resumes = options.resumes
        width = options.width
        digest = options.digest
        segment = nil
        self.record = resumes ? record?.joined : nil
        position = self.record == nil ? 0 : length
        reach = position
        announced = self.record?.digest.flatMap { try? .sha256($0) }
    }

    /// Creates the machine of a segment.
    package init(_ options: DownloadOptions, record: DownloadRecord, segment: DownloadRecord.Segment) {
        identity = record.identity
        limit = options.limit
        resumes = true
        width = 1
        digest = options.digest
        self.segment = segment
        self.record = record
        position = segment.position
        reach = position
        announced = record.digest.flatMap { try? .sha256($0) }
    }

    /// The next request.
    package var request: Request {
        guard let record, let validator = record.validators.rangeValidator, segment != nil || position > 0 else {
            // The first part shows whether the server supports ranges.
            let probe = width > 1 ? ByteRange(0...(DownloadOptions.minimumPart - 1)) : nil
            return Request(range: probe, validator: nil)
        }
        return Request(range: range(total: record.total), validator: validator)
    }

    private func range(total: Int64?) -> ByteRange? {
        if let segment { return ByteRange(position...max(position, segment.end - 1)) }
        // A complete file is confirmed with its last byte. A range after the end would get status 416 with no proof.
        let first = min(position, max(0, (total ?? .max) - 1))
        guard width > 1, let total else { return ByteRange(from: first) }
        return ByteRange(first...(first + min(DownloadOptions.minimumPart, total - first) - 1))
    }

    /// The action at the start.
    package var firstAction: Action {
        record.flatMap { segment == nil && $0.segments != nil ? .split($0) : nil } ?? .send
    }

    /// Sets the end of the file after all of its segments.
    package mutating func segmentsFinished(_ record: DownloadRecord) {
        self.record = record
        position = record.total ?? position
    }

    /// Counts received bytes before they are written.
    /// - Throws: ``ServiceError`` if the body is longer than announced, or exceeds the limit.
    package mutating func receive(_ count: Int) throws(ServiceError) {
        let (next, isTooLarge) = position.addingReportingOverflow(Int64(count))
        guard !isTooLarge, next <= limit else { throw .bodyTooLarge(Int(clamping: limit)) }
        if let body, let end = body.end, next > end {
            throw ServiceError(.badResponse, "expected a body of \(end - body.start) bytes, found more")
        }
        position = next
    }

    /// Decides after the end of a body. `failure` is the error that ended it, or `nil` if it is complete.
    package mutating func bodyEnded(_ failure: ServiceError?) throws(ServiceError) -> Action {
        if position > reach { (reach, attempts, mayRemake) = (position, 0, true) }
        if let failure { return try retry(after: failure) }
        guard let body else { return .send }
        if let end = body.end, position < end {
            return try retry(
                after: ServiceError(
                    .connectionLost,
                    "expected a body of \(end - body.start) bytes, found the end after \(position - body.start)"))
        }
        if let segment { return position >= segment.end ? .finish : .send }
        guard let total = record?.total ?? (body.isPart ? nil : position) else { return .send }
        if position >= total { return .finish }
        defer { width = 1 }
        return record?.split(after: position, into: width).map { .split($0) } ?? .send
    }

    /// Starts the file again with a request for the complete representation. A segment cannot do this.
    package mutating func restart(_ reason: ServiceError) throws(ServiceError) -> Action {
        restarts += 1
        guard segment == nil, restarts <= Self.restartLimit else { throw reason }
        (record, position, width, announced) = (nil, 0, 1, nil)
        return .send
    }

    /// Decides after a request that failed before its response was accepted.
    package mutating func requestFailed(_ error: ServiceError) throws(ServiceError) -> Action {
        let isRange = request.range != nil
        switch error.status {
        case 412 where isRange: return try restart(error)
        case 416 where isRange: return try unsatisfied(error)
        case let status? where Self.linkStatuses.contains(status) && request.validator != nil && mayRemake:
            mayRemake = false
            return .remake
        default: return try retry(after: error, status: error.status)
        }
    }

    /// Decides after segments of the file failed. They cannot be continued if the resource has changed or the server
    /// does not support ranges.
    package mutating func segmentsFailed(_ error: ServiceError) throws(ServiceError) -> Action {
        guard error.code == .badResponse || error.status == 412 || error.status == 416 else { throw error }
        return try restart(error)
    }

    /// Decides after status 416 (RFC 9110, section 15.5.17). The file is complete if the server confirms its length and
    /// its validator.
    private mutating func unsatisfied(_ error: ServiceError) throws(ServiceError) -> Action {
        let headers = error.response?.headers ?? [:]
        let total = headers["Content-Range"].flatMap(ContentRange.init)?.completeLength
        guard segment == nil, let record, total == position, record.total ?? position == position else {
            return try restart(error)
        }
        let tag = ResourceValidators(headers).entityTag
        let isSame = tag.flatMap { record.validators.entityTag?.matchesStrongly($0) }
        guard isSame ?? (digest != nil) else { return try restart(error) }
        return .finish
    }

    /// Whether another request may succeed within the longest wait. `status` is that of a refused request.
    private static func mayContinue(after failure: ServiceError, status: Int?) -> Bool {
        let isTemporary =
            status.map(retryableStatuses.contains) ?? [.connection, .connectionLost, .timeout].contains(failure.code)
        return isTemporary && (failure.retryAfter ?? .zero) <= longestWait
    }

    /// Whether another request may succeed within the longest wait.
    package static func mayContinue(after failure: ServiceError) -> Bool {
        mayContinue(after: failure, status: failure.status)
    }

    /// Decides whether a lost connection is followed by another request. Only a download that has received a part of
    /// its body in this call continues. `status` is that of a refused request.
    private mutating func retry(after failure: ServiceError, status: Int? = nil) throws(ServiceError) -> Action {
        guard resumes, body != nil || segment != nil, record != nil, Self.mayContinue(after: failure, status: status)
        else { throw failure }
        attempts += 1
        guard attempts <= Self.attemptLimit else { throw failure }
        return .retry(attempt: attempts, atLeast: failure.retryAfter ?? .zero)
    }
}
