import ErrandSupport
import Foundation

/// Finds values in a JSON text, for error messages.
struct JSONLocator: ValueLocator {
    private let text: Data
    /// The decoder. Its key strategy determines the names in a coding path.
    private let decoder: JSONDecoder

    init(_ text: Data, decoder: JSONDecoder = JSONDecoder()) {
        self.text = text
        self.decoder = decoder
    }

    func value(at path: [any CodingKey]) -> (kind: String, offset: Int)? {
        guard let tape = try? decoder.tape(of: text, .current) ?? JSONDecoder().tape(of: text, .current) else {
            return nil
        }
        var current = 0
        for key in path {
            guard let next = tape.value(key, of: current) else { return nil }
            current = next
        }
        let node = tape.nodes[current]
        return (node.kind.words, tape.offset(of: node))
    }

    /// A position in a text of one line is a byte offset from 0. In other texts it is line and column, from 1.
    func words(for offset: Int) -> String {
        let start = text.prefix(offset)
        guard text.contains(UInt8(ascii: "\n")) else { return "byte \(offset)" }
        let line = start.count { $0 == UInt8(ascii: "\n") } + 1
        let column = start.suffix(from: start.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start.startIndex)
        return "line \(line), column \(String(decoding: column, as: UTF8.self).unicodeScalars.count + 1)"
    }

    var fault: Int? {
        // JSONSerialization hashes the keys, which takes quadratic time for such keys.
        guard !JSONText(text).hasTooManyMarks else { return nil }
        do {
            _ = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
            return nil
        } catch {
            let info = (error as NSError).userInfo
            let words = info["NSDebugDescription"] as? String ?? ""
            // Foundation on Linux has the offset only in this text: "Invalid value around character 27."
            let number = words.split { !$0.isNumber }.last.flatMap { Int($0) }
            let offset = info["NSJSONSerializationErrorIndex"] as? Int ?? (words.contains("character") ? number : nil)
            return min(max(0, offset ?? text.count), text.count)
        }
    }

}

extension JSONTape {
    /// The position of the value of an element or a member.
    fileprivate func value(_ key: any CodingKey, of parent: Int) -> Int? {
        switch nodes[parent].kind {
        case .object, .uncheckedObject:
            let name = key.stringValue.utf8
            return self.key(in: parent + 1..<Int(nodes[parent].next)) { isKey($0, name) }.map { $0 + 1 }
        case .array:
            guard let index = key.intValue, (0..<Int(nodes[parent].end)).contains(index) else { return nil }
            var element = parent + 1
            for _ in 0..<index { element = Int(nodes[element].next) }
            return element
        default: return nil
        }
    }

    /// Compares bytes, because text with many combining marks can take quadratic time to compare.
    private func isKey(_ index: Int, _ name: String.UTF8View) -> Bool {
        bytes[Int(nodes[index].start)..<Int(nodes[index].end)].elementsEqual(name)
    }

    /// The offset of the first byte of a value. The first byte of a string is its quotation mark.
    fileprivate func offset(of node: Node) -> Int {
        switch node.kind {
        case .string, .escapedString, .wideKey: Int(node.start) - 1
        default: Int(node.start)
        }
    }
}

extension JSONTape.Node.Kind {
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .true, .false: "a Boolean"
        case .integer, .decimal: "a number"
        case .string, .escapedString, .wideKey: "a string"
        case .array: "an array"
        case .object, .uncheckedObject: "an object"
        }
    }
}
