#if os(Linux)
    import Errand
    import TestSupport
    import Testing

    @Suite struct ContentDecoderTests {
        private func coding(
            _ name: String, expansionLimit: Int = 200, status: Int = 200, method: HTTPMethod = .get,
            isPart: Bool = false
        ) throws -> ContentCoding? {
            let head = try MessageHead(Array("HTTP/1.1 \(status)\r\nContent-Encoding: \(name)\r\n\r\n".utf8))
            return try ContentCoding(
                head, MessageFraming(head, method: method), isPart: isPart, expansionLimit: expansionLimit)
        }

        /// Decodes bytes in parts of the given size, and expects decoded parts of at most 64 kB.
        private func decode(_ bytes: Data, as name: String, partSize: Int, limit: Int = 1_000) throws -> Data {
            let decoder = try #require(try coding(name, expansionLimit: limit)).makeDecoder()
            var decoded = Data()
            var rest = bytes
            while !rest.isEmpty {
                decoder.add(rest.prefix(partSize))
                rest = rest.dropFirst(partSize)
                while let part = try decoder.next() {
                    #expect((1...65_536).contains(part.count))
                    decoded.append(part)
                }
            }
            try decoder.finish()
            return decoded
        }

        @Test(arguments: ContentSample.all, [1, 2, 7, 64, 1 << 20])
        func `a body is decoded in parts of any size`(sample: ContentSample, partSize: Int) throws {
            #expect(try decode(sample.encoded, as: sample.coding, partSize: partSize) == sample.plain)
            let decoded = try #require(try coding(sample.coding, expansionLimit: 1_000)).decode(
                sample.encoded, upTo: 1 << 20)
            #expect(decoded == sample.plain)
        }

        @Test(arguments: ContentSample.all)
        func `a truncated body is an error after correct output`(
            sample: ContentSample
        ) throws {
            for count in 1..<sample.encoded.count {
                let decoder = try #require(try coding(sample.coding, expansionLimit: 1_000_000)).makeDecoder()
                var decoded = Data()
                decoder.add(sample.encoded.prefix(count))
                let error = #expect(throws: ServiceError.self, "\(count) bytes") {
                    while let part = try decoder.next() { decoded.append(part) }
                    try decoder.finish()
                }
                #expect(error?.code == .badResponse)
                #expect(sample.plain.starts(with: decoded), "\(count) bytes")
            }
        }

        @Test(arguments: ContentSample.all, ["x", "\0", "\0\0\0\0\0\0\0\0", "garbage behind the end"])
        func `bytes after the end are an error and are not delivered`(sample: ContentSample, tail: String)
            throws
        {
            for partSize in [1, 1 << 20] {
                let decoder = try #require(try coding(sample.coding, expansionLimit: 1_000_000)).makeDecoder()
                var decoded = Data()
                var rest = sample.encoded + Data(tail.utf8)
                let error = #expect(throws: ServiceError.self) {
                    while !rest.isEmpty {
                        decoder.add(rest.prefix(partSize))
                        rest = rest.dropFirst(partSize)
                        while let part = try decoder.next(), decoded.count < 1 << 20 { decoded.append(part) }
                    }
                    try decoder.finish()
                }
                #expect(error?.code == .badResponse)
                #expect(decoded == sample.plain, "\(decoded.count) bytes, expected \(sample.plain.count)")
            }
        }

        /// Gzip members (RFC 1952, section 2.2) and zstd frames (RFC 8878, section 3) may follow each other. The other
        /// codings have one.
        @Test(arguments: ContentSample.all, [1, 1 << 20])
        func `two members are one body if the coding has members`(sample: ContentSample, partSize: Int) throws {
            let twice = sample.encoded + sample.encoded
            if ["gzip", "zstd"].contains(sample.coding) {
                #expect(try decode(twice, as: sample.coding, partSize: partSize) == sample.plain + sample.plain)
            } else {
                let error = #expect(throws: ServiceError.self) {
                    try decode(twice, as: sample.coding, partSize: partSize)
                }
                #expect(error?.code == .badResponse)
            }
        }

        @Test(arguments: ContentSample.all)
        func `a flipped bit never makes the output exceed its limit`(
            sample: ContentSample
        ) throws {
            for index in sample.encoded.indices {
                for bit in 0..<8 {
                    var bytes = sample.encoded
                    bytes[index] ^= 1 << UInt8(bit)
                    guard let decoded = try? coding(sample.coding, expansionLimit: 100)?.decode(bytes, upTo: 1 << 18)
                    else {
                        continue
                    }
                    #expect(decoded.count <= 1 << 18)
                }
            }
        }

        @Test(arguments: ContentSample.zeroes)
        func `output beyond 1 MB and the expansion limit is an error`(sample: ContentSample) throws {
            guard ["gzip", "zstd"].contains(sample.coding) else { return }
            let bytes = (0..<8).reduce(into: Data()) { bytes, _ in bytes.append(sample.encoded) }
            #expect(try decode(bytes, as: sample.coding, partSize: 1 << 20, limit: 1).count == 1 << 20)
            let more = bytes + sample.encoded
            let error = #expect(throws: ServiceError.self) {
                try decode(more, as: sample.coding, partSize: 1 << 20, limit: 200)
            }
            #expect(error?.code == .bodyTooLarge)
            #expect(try decode(more, as: sample.coding, partSize: 1 << 20, limit: 10_000).count == 9 << 17)
        }

        @Test(arguments: ContentSample.all)
        func `a body beyond the reader's limit is an error`(sample: ContentSample) throws {
            let coding = try #require(try coding(sample.coding))
            #expect(try coding.decode(sample.encoded, upTo: sample.plain.count) == sample.plain)
            let error = #expect(throws: ServiceError.self) {
                try coding.decode(sample.encoded, upTo: sample.plain.count - 1)
            }
            #expect(error?.code == .bodyTooLarge)
        }

        @Test(arguments: ["gzip", "x-gzip", "GZip", "gzip, identity", " identity ,gzip,", "none,gzip,NONE"])
        func `the name of the coding is parsed`(name: String) throws {
            let sample = try #require(ContentSample.texts.first)
            #expect(try coding(name)?.decode(sample.encoded, upTo: 1_000) == sample.plain)
        }

        @Test(arguments: ["compress", "gzip, x", "x, gzip", "x", "gzip;q=1", "aws-chunked", "x,x,x,x,x,gzip"])
        func `a chain with an unknown coding is not decoded`(name: String) throws {
            #expect(try coding(name).isNone)
        }

        @Test func `more than five codings are an error`() throws {
            let five = Array(repeating: "gzip", count: 5)
            #expect(try !coding((five + ["identity", "none"]).joined(separator: ", ")).isNone)
            let error = #expect(throws: ServiceError.self) { try coding((five + ["deflate"]).joined(separator: ",")) }
            #expect(error?.code == .badResponse)
            #expect(error?.reason == "the response has 6 content codings, expected at most 5")
        }

        @Test func `a response without a coding or a body is not decoded`() throws {
            for name in ["", "identity", "none", "identity, none", ","] { #expect(try coding(name).isNone) }
            #expect(try coding("gzip", method: .head).isNone)
            #expect(try coding("compress", method: .head).isNone)
            #expect(try coding("gzip", status: 204).isNone)
            #expect(try coding("gzip", status: 206, isPart: true).isNone)
            #expect(try coding("gzip")?.decode(Data(), upTo: 0) == Data())
            #expect(try coding("gzip, gzip")?.decode(Data(), upTo: 0) == Data())
        }

        @Test func `all four codings are available here`() {
            #expect(ContentCoding.accepted == "zstd, br, gzip, deflate")
        }
    }

    extension Optional {
        fileprivate var isNone: Bool { map { _ in false } ?? true }
    }
#endif
