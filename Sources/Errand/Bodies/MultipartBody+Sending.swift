import ErrandSupport

extension MultipartBody {
    /// Whether the body can be sent again.
    var isReplayable: Bool { parts.allSatisfy(\.content.isReplayable) }

    /// Whether all parts are in memory.
    var isInMemory: Bool {
        parts.allSatisfy { part in
            switch part.content {
            case .text, .data: true
            case .file, .stream: false
            }
        }
    }

    /// The bytes of a valid body in memory, or `nil` for other bodies.
    var data: Data? { isInMemory ? try? checkedData() : nil }

    /// Returns the bytes of a body in memory.
    func checkedData() throws(ServiceError) -> Data {
        try check()
        let (sealed, boundary) = sealed
        var data = Data()
        for part in parts {
            data.append(sealed.head(of: part, boundary))
            if let content = sealed.body(of: part).data { data.append(content) }
            data.append(Self.lineBreak)
        }
        data.append(Self.end(boundary))
        return data
    }

    /// Returns the number of bytes, or `nil` if the length of a part is unknown. Checks the body and its files.
    func length() throws(ServiceError) -> Int64? {
        try check()
        let (sealed, boundary) = sealed
        var total: Int64? = Int64(Self.end(boundary).count)
        for part in parts {
            let framing = Int64(sealed.head(of: part, boundary).count + Self.lineBreak.count)
            // A later file is checked, too.
            let length = try sealed.length(of: part)
            total = total?.adding(framing)?.adding(length)
        }
        return total
    }

    /// Returns a function that returns the chunks of the body. Each call of this function starts at the first byte.
    func makeParts() throws(ServiceError) -> RequestBody.Stream.Parts {
        // An invalid body or a missing file is found before the first byte is sent.
        _ = try length()
        let (sealed, boundary) = sealed
        let reader = try Reader(sealed, boundary)
        return { try await reader.next() }
    }

    /// The body with its boundary. Outside of a request, each use has another one.
    private var sealed: (MultipartBody, String) {
        let sealed = withBoundary(from: .system)
        return (sealed, sealed.boundary ?? "")
    }
}

extension MultipartBody {
    /// Reads the bytes of a body: delimiters, header sections and contents. Its calls must not overlap.
    private final class Reader {
        /// The size from which a part in memory is a separate chunk: 64 kB. Smaller parts are combined.
        private static let chunkSize = 65_536

        private let body: MultipartBody
        private let boundary: String
        private var rest: ArraySlice<Part>
        /// The single-use streams, in the order of their parts. They are opened first, so that a body that was already
        /// sent fails before its first byte is sent again.
        private var opened: ArraySlice<RequestBody.Stream.Parts>
        private var content: RequestBody.Stream.Parts?
        private var buffer = Data()
        private var hasEnded = false

        init(_ body: MultipartBody, _ boundary: String) throws(ServiceError) {
            (self.body, self.boundary) = (body, boundary)
            rest = body.parts[...]
            var opened: [RequestBody.Stream.Parts] = []
            for part in body.parts where !part.content.isReplayable {
                opened.append(try part.content.body.makeParts())
            }
            self.opened = opened[...]
        }

        /// Returns the next chunk, or `nil` at the end.
        func next() async throws -> Data? {
            while !hasEnded, buffer.count < Self.chunkSize {
                guard let content else {
                    try step()
                    continue
                }
                if !buffer.isEmpty { break }
                if let chunk = try await content() { return chunk }
                self.content = nil
                buffer.append(MultipartBody.lineBreak)
            }
            guard !buffer.isEmpty else { return nil }
            defer { buffer = Data() }
            return buffer
        }

        /// Adds the next part, or the end, to the buffer.
        private func step() throws(ServiceError) {
            guard let part = rest.popFirst() else {
                buffer.append(MultipartBody.end(boundary))
                hasEnded = true
                return
            }
            buffer.append(body.head(of: part, boundary))
            let bytes = body.body(of: part)
            if let data = bytes.data, data.count < Self.chunkSize {
                buffer.append(data)
                buffer.append(MultipartBody.lineBreak)
            } else {
                content = try bytes.isReplayable ? bytes.makeParts() : opened.popFirst()
            }
        }
    }
}

extension Int64 {
    /// Returns the sum, or `nil` if a number is unknown or the sum is too large.
    fileprivate func adding(_ other: Int64?) -> Int64? {
        guard let other else { return nil }
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? nil : sum
    }
}
