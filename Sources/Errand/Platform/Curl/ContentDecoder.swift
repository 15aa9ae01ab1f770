#if os(Linux)
    import CErrandCurl

    /// Decodes the content codings of a body (RFC 9110, section 8.4.1) while it arrives, within limits.
    ///
    /// It uses the decoding libraries that libcurl loads. Unlike libcurl's own decoding, it detects a body that is
    /// truncated inside a coding, and decodes only as much at a time as its reader takes.
    package final class ContentDecoder {
        /// The number of decoded bytes that the expansion limit ignores: 1 MB.
        private static let freeBytes = 1 << 20

        /// One for each coding. The one that was applied last comes first.
        private let stages: [DecoderStage]
        private let expansionLimit: Int
        private var received = 0

        /// - Parameters:
        ///   - codings: The codings in the order in which they were applied.
        ///   - expansionLimit: The maximum size of each stage's output, as a multiple of the received body.
        init(_ codings: [errand_coding], expansionLimit: Int) {
            stages = codings.reversed().map(DecoderStage.init)
            self.expansionLimit = expansionLimit
        }

        /// Adds encoded bytes. All bytes before must have been decoded.
        package func add(_ bytes: Data) {
            stages.first?.add(bytes)
            received += bytes.count
        }

        /// Returns the next decoded bytes, at most 64 kB, or `nil` if more input is needed.
        /// - Throws: ``ServiceError``: ``ServiceError/Code/badResponse`` or ``ServiceError/Code/bodyTooLarge``.
        package func next() throws(ServiceError) -> Data? {
            var index = stages.count - 1
            while index >= 0 {
                guard let part = try stages[index].next() else {
                    index -= 1
                    continue
                }
                // A later stage may shrink the output of an earlier one, so each stage is limited.
                let produced = stages[index].produced
                guard produced <= Self.freeBytes || produced / expansionLimit <= received else {
                    throw ServiceError(
                        .bodyTooLarge,
                        "expected a body of at most \(expansionLimit) times its compressed size, found a larger one")
                }
                index += 1
                if index == stages.count { return part }
                stages[index].add(part)
            }
            return nil
        }

        /// Checks that the body is complete in each coding.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` for a truncated body.
        package func finish() throws(ServiceError) {
            guard stages.allSatisfy(\.isAtEnd) else {
                throw ServiceError(.badResponse, "expected the end of the encoded body, found a truncated body")
            }
        }
    }

    /// Decodes one coding.
    private final class DecoderStage {
        /// The maximum number of bytes that one call returns: 64 kB.
        private static let partSize = 65_536

        /// `nil` if it could not be allocated.
        private let decoder: OpaquePointer?
        private var input = Data()
        private var isComplete = true
        /// Whether the last part had the maximum size, so that more may follow without more input.
        private var isFull = false
        /// The number of bytes that were decoded.
        private(set) var produced = 0

        init(_ coding: errand_coding) {
            decoder = errand_decoder_new(coding)
        }

        deinit { if let decoder { errand_decoder_free(decoder) } }

        /// Whether there is no input, or all of it has been decoded up to the end marker.
        var isAtEnd: Bool { isComplete && input.isEmpty && !isFull }

        func add(_ bytes: Data) { input = bytes }

        func next() throws(ServiceError) -> Data? {
            while !input.isEmpty || isFull {
                let (output, used, state) = run()
                // Bytes that were decoded before an error are returned first. They may be more than the reader takes.
                let isStuck = used == 0 && !input.isEmpty
                guard !output.isEmpty || state != errand_decoder_failed && !isStuck else {
                    throw ServiceError(
                        .badResponse, "expected a body in the content coding of the response, found invalid bytes")
                }
                isComplete = state == errand_decoder_ended
                isFull = output.count == Self.partSize && !isComplete
                input = input.dropFirst(used)
                produced += output.count
                if !output.isEmpty { return Data(output) }
            }
            return nil
        }

        private func run() -> (output: [UInt8], used: Int, state: errand_decoder_state) {
            guard let decoder else { return ([], 0, errand_decoder_failed) }
            var used = input.count
            var state = errand_decoder_failed
            let output = [UInt8](unsafeUninitializedCapacity: Self.partSize) { output, written in
                written = Self.partSize
                input.withUnsafeBytes { input in
                    state = errand_decoder_run(
                        decoder, input.baseAddress?.assumingMemoryBound(to: UInt8.self), &used, output.baseAddress,
                        &written)
                }
            }
            return (output, used, state)
        }
    }
#endif
