#if os(Linux)
    import Errand
    import ErrandTesting
    import Testing

    /// Several content codings, applied one after the other (RFC 9110, section 8.4).
    @Suite struct CodingChainTests {
        private static let plain = Data("Errand carries requests. \u{e9}\n".utf8)

        private func coding(_ lines: [String], expansionLimit: Int = 1_000_000) throws -> ContentCoding {
            let header = lines.map { "Content-Encoding: \($0)\r\n" }.joined()
            let head = try MessageHead(Array("HTTP/1.1 200 OK\r\n\(header)\r\n".utf8))
            let framing = try MessageFraming(head, method: .get)
            let coding = try ContentCoding(head, framing, isPart: false, expansionLimit: expansionLimit)
            return try #require(coding)
        }

        /// Decodes bytes in pieces. If an error is thrown, `decoded` contains the output before it.
        private func decode(
            _ bytes: Data, _ decoder: ContentDecoder, pieceSize: Int, into decoded: inout Data
        ) throws {
            var rest = bytes
            while !rest.isEmpty {
                decoder.add(rest.prefix(pieceSize))
                rest = rest.dropFirst(pieceSize)
                while let part = try decoder.next() {
                    #expect((1...65_536).contains(part.count))
                    decoded.append(part)
                }
            }
            try decoder.finish()
        }

        @Test(arguments: CodingChain.all, [1, 2, 7, 64, 1 << 20])
        func `the last coding is decoded first`(chain: CodingChain, pieceSize: Int) throws {
            let coding = try coding(chain.lines)
            let encoded = chain.encode(Self.plain)
            var decoded = Data()
            try decode(encoded, coding.makeDecoder(), pieceSize: pieceSize, into: &decoded)
            #expect(decoded == Self.plain)
            #expect(try coding.decode(encoded, upTo: Self.plain.count) == Self.plain)
            let error = #expect(throws: ServiceError.self) { try coding.decode(encoded, upTo: Self.plain.count - 1) }
            #expect(error?.code == .bodyTooLarge)
        }

        @Test(arguments: ContentSample.all, ["gzip", "deflate"])
        func `every coding can be inside another`(sample: ContentSample, outer: String) throws {
            let bytes = Array(sample.encoded)
            let encoded = Data(outer == "gzip" ? Compressed.gzip(bytes) : Compressed.zlib(bytes))
            let decoded = try coding(["\(sample.coding), \(outer)"]).decode(encoded, upTo: 1 << 20)
            #expect(decoded == sample.plain)
        }

        @Test(arguments: CodingChain.all)
        func `a chain that is truncated anywhere is an error`(chain: CodingChain) throws {
            let encoded = chain.encode(Self.plain)
            for count in 1..<encoded.count {
                let decoder = try coding(chain.lines).makeDecoder()
                var decoded = Data()
                let error = #expect(throws: ServiceError.self, "\(count) bytes") {
                    try decode(encoded.prefix(count), decoder, pieceSize: 64, into: &decoded)
                }
                #expect(error?.code == .badResponse)
                #expect(Self.plain.starts(with: decoded), "\(count) bytes")
            }
            for stage in chain.stages.indices {
                let error = #expect(throws: ServiceError.self, "stage \(stage)") {
                    try coding(chain.lines).decode(chain.encode(Self.plain, truncating: stage), upTo: 1_000)
                }
                #expect(error?.code == .badResponse)
            }
        }

        @Test(arguments: [
            ("gzip", false), ("zstd", false), ("br", true), ("deflate", true), ("gzip, br", true), ("br, gzip", false),
        ])
        func `only a coding with a definite end proves completeness`(names: String, isProof: Bool) throws {
            #expect(try coding([names]).endProvesCompleteness == isProof)
        }

        /// 2 MB behind 3 kB.
        private static let members = ContentSample.zeroes.filter { $0.coding == "gzip" }.map(\.encoded)
            .flatMap { Array(repeating: $0, count: 16) }

        @Test func `the expansion limit holds for the chain`() throws {
            let bomb = Data(Compressed.gzip(Array(Data(Self.members.joined()))))
            let error = #expect(throws: ServiceError.self) {
                try coding(["gzip, gzip"], expansionLimit: 200).decode(bomb, upTo: .max)
            }
            #expect(error?.code == .bodyTooLarge)
            #expect(try coding(["gzip, gzip"], expansionLimit: 1_000).decode(bomb, upTo: .max).count == 16 << 17)
        }

        /// A zstd frame that decoders skip (RFC 8878, section 3.1.2). The chain has no output.
        @Test func `the expansion limit includes bytes that a later stage discards`() throws {
            let skipped: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0x20, 0]
            let bomb = Data(Compressed.gzip(skipped)) + Data(Self.members.joined())
            let error = #expect(throws: ServiceError.self) {
                try coding(["zstd, gzip"], expansionLimit: 200).decode(bomb, upTo: .max)
            }
            #expect(error?.code == .bodyTooLarge)
            #expect(try coding(["zstd, gzip"]).decode(bomb, upTo: .max) == Data())
        }
    }
#endif
