#if os(Linux)
    import CErrandCurl

    /// Undoes a content coding (RFC 9110, section 8.4.1), part by part, within bounds; the decoders are the libraries that
    /// libcurl brings.
    ///
    /// Unlike libcurl's own decoding it sees a body that was cut off inside its coding, and decodes no more at a time than
    /// its reader takes.
    package final class ContentDecoder {
        /// How many bytes one call gives at most: 64 kB.
        private static let partSize = 65_536
        /// How many bytes a body may have before its expansion counts: 1 MB.
        private static let freeBytes = 1 << 20

        /// Nil where memory is used up.
        private let decoder: OpaquePointer?
        private let expansionLimit: Int
        private var input = Data()
        private var received = 0
        private var produced = 0
        private var isWhole = true
        /// Whether the last part was as large as one may be, so that there may be more of it without more input.
        private var isFull = false

        fileprivate init(_ coding: errand_coding, expansionLimit: Int) {
            decoder = errand_decoder_new(coding)
            self.expansionLimit = expansionLimit
        }

        deinit { if let decoder { errand_decoder_free(decoder) } }

        /// Adds encoded bytes; the ones before have been decoded.
        package func add(_ bytes: Data) {
            input = bytes
            received += bytes.count
        }

        /// The next decoded bytes, at most 64 kB; nil where more input is needed.
        /// - Throws: ``ServiceError``: ``ServiceError/Code/badResponse`` or ``ServiceError/Code/bodyTooLarge``.
        package func next() throws(ServiceError) -> Data? {
            while !input.isEmpty || isFull {
                let (output, used, state) = run()
                // What was decoded before a flaw is given first: it may be more than its reader takes.
                let isStuck = used == 0 && !input.isEmpty
                guard !output.isEmpty || state != errand_decoder_failed && !isStuck else {
                    throw ServiceError(.badResponse, "the body can't be decoded")
                }
                isWhole = state == errand_decoder_ended
                isFull = output.count == Self.partSize && !isWhole
                input = input.dropFirst(used)
                produced += output.count
                guard produced <= Self.freeBytes || produced / expansionLimit <= received else {
                    throw ServiceError(.bodyTooLarge, "the body grows to more than \(expansionLimit) times its size")
                }
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

        /// Checks that the coding has come to its end.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` where it was cut off.
        package func finish() throws(ServiceError) {
            guard isWhole else { throw ServiceError(.badResponse, "the encoded body was cut off") }
        }
    }

    /// How an answer's body is encoded, where it is (RFC 9110, section 8.4).
    package struct ContentCoding: Sendable {
        /// The codings that can be undone here, best first.
        package static let accepted: String = known.filter { errand_coding_known($0.coding) }.map(\.name)
            .joined(separator: ", ")

        private static let known: [(name: String, coding: errand_coding)] = [
            ("zstd", errand_zstd), ("br", errand_brotli), ("gzip", errand_gzip), ("deflate", errand_deflate),
        ]

        private let coding: errand_coding
        private let expansionLimit: Int

        /// Reads what the fields say; nil where there is nothing to undo.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` for a coding that can't be undone.
        package init?(
            _ head: MessageHead, _ framing: MessageFraming, isPart: Bool, expansionLimit: Int
        ) throws(ServiceError) {
            guard let field = head.fields.combined("Content-Encoding"), framing != .none else { return nil }
            let named = field.lowercased().split(separator: ",").map { $0.trimmed(.whitespaces) }
                .filter { !$0.isEmpty && $0 != "identity" }
            // A part of an encoded body can't be decoded alone.
            guard let name = named.first, !isPart else { return nil }
            let plain = name == "x-gzip" ? "gzip" : name
            guard named.count == 1, let coding = Self.known.first(where: { $0.name == plain })?.coding,
                errand_coding_known(coding)
            else {
                let list = named.joined(separator: ", ").singleLine(limit: 64)
                throw ServiceError(.badResponse, "the body is encoded as ‹\(list)›, which can't be decoded here")
            }
            self.coding = coding
            self.expansionLimit = max(1, expansionLimit)
        }

        package func makeDecoder() -> ContentDecoder { ContentDecoder(coding, expansionLimit: expansionLimit) }

        /// Decodes a whole body.
        /// - Throws: ``ServiceError``, also with ``ServiceError/Code/bodyTooLarge`` over the limit.
        package func decode(_ body: Data, upTo limit: Int) throws(ServiceError) -> Data {
            let decoder = makeDecoder()
            var decoded = Data()
            decoder.add(body)
            while let part = try decoder.next() {
                guard part.count <= limit - decoded.count else { throw .bodyTooLarge(limit) }
                decoded.append(part)
            }
            try decoder.finish()
            return decoded
        }
    }
#endif
