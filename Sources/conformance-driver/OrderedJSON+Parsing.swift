import Errand

extension OrderedJSON {
    /// Reads a text (RFC 8259); nesting deeper than 200 is refused.
    init(parsing text: String) throws(SyntaxError) {
        var parser = Parser(bytes: Array(text.utf8))
        self = try parser.document()
    }

    private struct Parser {
        let bytes: [UInt8]
        var place = 0

        private var failure: SyntaxError { SyntaxError(offset: place) }

        mutating func document() throws(SyntaxError) -> OrderedJSON {
            let value = try value(depth: 0)
            skipSpace()
            guard place == bytes.count else { throw failure }
            return value
        }

        private mutating func value(depth: Int) throws(SyntaxError) -> OrderedJSON {
            skipSpace()
            guard depth < 200, place < bytes.count else { throw failure }
            switch bytes[place] {
            case UInt8(ascii: "{"): return try object(depth: depth + 1)
            case UInt8(ascii: "["): return try array(depth: depth + 1)
            case UInt8(ascii: "\""): return .string(try string())
            default: return try scalar()
            }
        }

        private mutating func object(depth: Int) throws(SyntaxError) -> OrderedJSON {
            place += 1
            var members: [(key: String, value: OrderedJSON)] = []
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw failure }
                let key = try string()
                guard take(":") else { throw failure }
                members.append((key, try value(depth: depth)))
            } while take(",")
            guard take("}") else { throw failure }
            return .object(members)
        }

        private mutating func array(depth: Int) throws(SyntaxError) -> OrderedJSON {
            place += 1
            var elements: [OrderedJSON] = []
            if take("]") { return .array(elements) }
            repeat { elements.append(try value(depth: depth)) } while take(",")
            guard take("]") else { throw failure }
            return .array(elements)
        }

        /// Finds a string's end and leaves its escapes to Foundation.
        private mutating func string() throws(SyntaxError) -> String {
            let start = place
            place += 1
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard place < bytes.count else { throw failure }
            place += 1
            let literal = Data(bytes[start..<place])
            guard let text = try? JSONDecoder().decode(String.self, from: literal) else { throw failure }
            return text
        }

        private mutating func scalar() throws(SyntaxError) -> OrderedJSON {
            let start = place
            while place < bytes.count, !" \t\r\n,]}".utf8.contains(bytes[place]) { place += 1 }
            let word = String(decoding: bytes[start..<place], as: UTF8.self)
            switch word {
            case "null": return .null
            case "true": return .bool(true)
            case "false": return .bool(false)
            default:
                // Foundation refuses `1e999` and `0e1`, which are numbers (RFC 8259, section 6).
                let number = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
                guard
                    (try? JSONDecoder().decode(Double.self, from: Data(word.utf8))) != nil
                        || word.wholeMatch(of: number) != nil
                else { throw failure }
                return .number(word)
            }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        private mutating func skipSpace() {
            while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        }
    }
}
