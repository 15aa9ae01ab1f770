import Errand

extension OrderedJSON {
    /// Parses JSON text (RFC 8259). The maximum nesting depth is 200.
    init(parsing text: String) throws(SyntaxError) {
        var parser = Parser(bytes: Array(text.utf8))
        self = try parser.document()
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0

        private var failure: SyntaxError { SyntaxError(offset: index) }

        mutating func document() throws(SyntaxError) -> OrderedJSON {
            let value = try value(depth: 0)
            skipSpace()
            guard index == bytes.count else { throw failure }
            return value
        }

        private mutating func value(depth: Int) throws(SyntaxError) -> OrderedJSON {
            skipSpace()
            guard depth < 200, index < bytes.count else { throw failure }
            switch bytes[index] {
            case UInt8(ascii: "{"): return try object(depth: depth + 1)
            case UInt8(ascii: "["): return try array(depth: depth + 1)
            case UInt8(ascii: "\""): return .string(try string())
            default: return try scalar()
            }
        }

        private mutating func object(depth: Int) throws(SyntaxError) -> OrderedJSON {
            index += 1
            var members: [(key: String, value: OrderedJSON)] = []
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw failure }
                let key = try string()
                guard take(":") else { throw failure }
                members.append((key, try value(depth: depth)))
            } while take(",")
            guard take("}") else { throw failure }
            return .object(members)
        }

        private mutating func array(depth: Int) throws(SyntaxError) -> OrderedJSON {
            index += 1
            var elements: [OrderedJSON] = []
            if take("]") { return .array(elements) }
            repeat { elements.append(try value(depth: depth)) } while take(",")
            guard take("]") else { throw failure }
            return .array(elements)
        }

        /// Finds the end of a string. Foundation decodes its escape sequences.
        private mutating func string() throws(SyntaxError) -> String {
            let start = index
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard index < bytes.count else { throw failure }
            index += 1
            let literal = Data(bytes[start..<index])
            guard let text = try? JSONDecoder().decode(String.self, from: literal) else { throw failure }
            return text
        }

        private mutating func scalar() throws(SyntaxError) -> OrderedJSON {
            let start = index
            while index < bytes.count, !" \t\r\n,]}".utf8.contains(bytes[index]) { index += 1 }
            let word = String(decoding: bytes[start..<index], as: UTF8.self)
            switch word {
            case "null": return .null
            case "true": return .bool(true)
            case "false": return .bool(false)
            default:
                // Foundation refuses `1e999` and `0e1`, which are valid numbers (RFC 8259, section 6).
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
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        private mutating func skipSpace() {
            while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
        }
    }
}
