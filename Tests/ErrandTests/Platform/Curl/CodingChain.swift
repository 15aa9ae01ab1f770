#if os(Linux)
    import Errand
    import ErrandTesting
    import Testing

    /// Content codings that are applied one after the other.
    struct CodingChain: Sendable, CustomTestStringConvertible {
        enum Stage: Sendable {
            case gzip, zlib
        }

        /// The values of the `Content-Encoding` headers.
        let lines: [String]
        /// The codings in the order in which they are applied.
        let stages: [Stage]
        var testDescription: String { lines.joined(separator: " + ") }

        init(_ lines: String..., stages: Stage...) {
            (self.lines, self.stages) = (lines, stages)
        }

        static let all: [CodingChain] = [
            CodingChain("gzip, gzip", stages: .gzip, .gzip), CodingChain("deflate, gzip", stages: .zlib, .gzip),
            CodingChain("gzip,deflate", stages: .gzip, .zlib), CodingChain("deflate", "GZIP", stages: .zlib, .gzip),
            CodingChain("identity, gzip, none, x-gzip, Identity", stages: .gzip, .gzip),
            CodingChain("none, gzip", stages: .gzip), CodingChain("none", "deflate", "none", stages: .zlib),
            CodingChain("gzip, deflate, gzip, deflate, gzip", stages: .gzip, .zlib, .gzip, .zlib, .gzip),
        ]

        /// Applies the codings. The output of the stage `truncated` loses its last byte.
        func encode(_ plain: Data, truncating truncated: Int? = nil) -> Data {
            var bytes = Array(plain)
            for (index, stage) in stages.enumerated() {
                bytes = stage == .gzip ? Compressed.gzip(bytes) : Compressed.zlib(bytes)
                if index == truncated { bytes.removeLast() }
            }
            return Data(bytes)
        }
    }
#endif
