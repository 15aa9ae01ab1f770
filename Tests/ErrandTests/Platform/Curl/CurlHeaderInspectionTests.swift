#if os(Linux)
    import CErrandCurl
    import TestSupport
    import Testing

    /// The inspection of header sections, together with a model that reads like libcurl 7.88.
    @Suite struct CurlHeaderInspectionTests {
        /// Whether the model sometimes reads bytes that were not inspected: bytes that have just arrived, or without an
        /// event.
        enum Reading: Sendable {
            case asSeen, more
        }

        /// Reads a response in pieces. Returns `true` if an inspection finds a hidden line before the model drops it,
        /// and `nil` if the model drops a line that was not inspected.
        private func findsHiddenLine(in bytes: [UInt8], _ reading: Reading, _ random: inout SplitMix) -> Bool? {
            var head = errand_head_new(true)
            head.has_begun = true
            var line: [UInt8] = []
            var index = 0
            while head.is_open, index < bytes.count {
                let seen = Int.random(in: 1...min(9, bytes.count - index), using: &random)
                if reading == .asSeen || Int.random(in: 0..<4, using: &random) > 0 {
                    var hidesLine = false
                    let piece = bytes[index..<index + seen].map(CChar.init(bitPattern:))
                    if !errand_head_look(&head, piece, seen, false, &hidesLine) {
                        _ = errand_head_look(&head, piece, seen, true, &hidesLine)
                    }
                    if hidesLine { return true }
                }
                let isMore = reading == .more && Int.random(in: 0..<4, using: &random) == 0
                let end = min(bytes.count, index + seen + (isMore ? Int.random(in: 0...12, using: &random) : 0))
                let start = index
                while index < end, head.is_open {
                    // The first line of a read is delivered, and is refused for its name.
                    if bytes[index] == 0, line.isEmpty { return index == start ? true : nil }
                    line.append(bytes[index])
                    index += 1
                    guard line.last == UInt8(ascii: "\n") else { continue }
                    errand_head_follow(&head, line.map(CChar.init(bitPattern:)), line.count)
                    line = []
                }
            }
            return false
        }

        @Test(
            arguments: ["", "HTTP/1.1 103 Early\r\nA: b\r\n\r\n", "HTTP/2 100\n\nHTTP/1.1 102 x\r\n\r\n"],
            ["\0\0\0 ftyp\n\0", "\n\0\n\r\n\0\r\n\r\n\0"])
        func `inspection finds a hidden line and has no false positives`(
            interim: String, body: String
        ) {
            for end in ["\r\n", "\n"] {
                let start = "\(interim)HTTP/1.1 201 1 Created\(end)C: d\(end)"
                let good = Array("\(start)E: f\(end)\(end)\(body)".utf8)
                let bad = Array("\(start)\0E: f\(end)\(end)\(body)".utf8)
                for seed in 0..<1_500 as Range<UInt64> {
                    var random = SplitMix(state: seed)
                    #expect(findsHiddenLine(in: bad, .asSeen, &random) == true, "seed \(seed)")
                    #expect(findsHiddenLine(in: good, .asSeen, &random) == false, "seed \(seed)")
                    #expect(findsHiddenLine(in: good, .more, &random) == false, "seed \(seed)")
                }
            }
        }
    }
#endif
