import ErrandSupport

/// Masks the elements and attributes of XML and HTML with hidden names.
///
/// An element is hidden by its name, or by a hidden name in its attribute `name`, `id`, `key` or `property`. In a property
/// list or a table of entries, the element after `<key>token</key>` is hidden.
struct MarkupMasking {
    enum Kind { case html, xml }

    private static let namingAttributes: Set<String> = ["name", "id", "key", "property", "itemprop", "http-equiv"]
    private static let namingElements: Set<String> = ["key", "name"]

    /// The elements of HTML with text that contains no tags (HTML, section 13.1.2).
    private static let rawElements: Set<String> = ["script", "style", "textarea", "title"]

    private let bytes: [UInt8]
    private let kind: Kind
    /// Whether the text is a property list. Its elements `key` are names, not keys.
    private let isPropertyList: Bool
    private var index = 0
    private var output: [UInt8] = []
    /// The number of open elements since the hidden one, including it. 0 outside of hidden elements.
    private var hiddenDepth = 0
    /// The name of the last opened element.
    private var element = ""
    /// Whether the next element is hidden, because the text of the previous one is a hidden name, as in a property list.
    private var hidesNext = false

    init(_ text: String, as kind: Kind) {
        bytes = Array(text.utf8)
        self.kind = kind
        isPropertyList = kind == .xml && text.prefix(1_024).contains("<plist")
    }

    /// Masks the text. `scan` masks a text between tags, `hides` decides whether a name is hidden, and `note` is called
    /// with each hidden value.
    mutating func masked(
        scan: ([UInt8]) -> [UInt8], hides: (String) -> Bool, note: (String) -> Void
    ) -> [UInt8] {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            if starts("<!--") {
                copy(through: "-->", scan)
            } else if starts("<![CDATA[") {
                output += Array("<![CDATA[".utf8)
                index += 9
                text(upTo: "]]>", scan, hides, note)
                let end = min(index + 3, bytes.count)
                output += bytes[index..<end]
                index = end
            } else if kind == .html, Self.rawElements.contains(element.lowercased()) {
                text(upTo: "</\(element)", scan, hides, note)
                element = ""
            } else if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count, !bytes[index + 1].isJSONSpace {
                tag(scan, hides, note)
            } else {
                text(upTo: "<", scan, hides, note)
            }
        }
        return output
    }

    private func starts(_ text: StaticString) -> Bool {
        bytes[index...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the offset of a text, or the end. Case is ignored.
    private func offset(of text: String, from start: Int) -> Int {
        let pattern = text.utf8.map(\.lowercased)
        var index = start
        while let next = bytes[min(index, bytes.count)...].firstIndex(of: pattern[0]) {
            if bytes[next...].prefix(pattern.count).map(\.lowercased) == pattern { return next }
            index = next + 1
        }
        return bytes.count
    }

    private mutating func copy(through end: String, _ scan: ([UInt8]) -> [UInt8]) {
        let end = min(offset(of: end, from: index) + end.utf8.count, bytes.count)
        output += scan(Array(bytes[index..<end]))
        index = end
    }

    private mutating func text(
        upTo end: String, _ scan: ([UInt8]) -> [UInt8], _ hides: (String) -> Bool, _ note: (String) -> Void
    ) {
        // A `<` that starts no tag is a part of the text.
        let end = offset(of: end, from: end == "<" && bytes[index] == UInt8(ascii: "<") ? index + 1 : index)
        let content = Array(bytes[index..<end])
        index = end
        let value = String(decoding: content, as: UTF8.self).trimmed()
        guard !value.isEmpty else {
            output += content
            return
        }
        let isName = Self.namingElements.contains(element.lowercased())
        if isName { hidesNext = hides(value) }
        if hiddenDepth == 0 || isName && isPropertyList {
            output += Self.unescaped(content, scan)
        } else {
            if !isName || !hidesNext { note(value) }
            output += Array(Redaction.mask.utf8)
        }
    }

    private mutating func tag(
        _ scan: ([UInt8]) -> [UInt8], _ hides: (String) -> Bool, _ note: (String) -> Void
    ) {
        let end = endOfTag()
        let tag = bytes[index..<end]
        index = end
        let isClosing = tag.dropFirst().first == UInt8(ascii: "/")
        let isEmpty =
            tag.dropLast().last == UInt8(ascii: "/") || tag.dropFirst().first.map { "?!".utf8.contains($0) } == true
        let name = String(
            decoding: tag.dropFirst(isClosing ? 2 : 1).prefix {
                !$0.isJSONSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">")
            },
            as: UTF8.self)
        if isClosing {
            if hiddenDepth > 0 { hiddenDepth -= 1 }
            element = ""
            output += tag
            return
        }
        let attributes = MarkupAttributes(tag)
        let local = String(name.split(separator: ":").last ?? "")
        let isNamed = attributes.list.contains { attribute in
            Self.namingAttributes.contains(attribute.name.lowercased()) && hides(attribute.value)
        }
        let isHidden = hiddenDepth > 0 || hidesNext || hides(local) || isNamed
        hidesNext = false
        let isValue: (String) -> Bool = { isHidden && !Self.namingAttributes.contains($0.lowercased()) }
        output += attributes.masked { attribute in
            guard isValue(attribute.name) || hides(String(attribute.name.split(separator: ":").last ?? "")) else {
                return Self.unescaped(Array(attribute.value.utf8), scan)
            }
            if !attribute.value.isEmpty { note(attribute.value) }
            return Array(Redaction.mask.utf8)
        }
        element = isEmpty ? "" : local
        let isVoid = kind == .html && Self.voidElements.contains(local.lowercased())
        if !isEmpty, isHidden, !isVoid { hiddenDepth += 1 }
    }

    /// Masks a text with its character references resolved. Returns the same bytes if nothing in it is hidden.
    private static func unescaped(_ text: [UInt8], _ scan: ([UInt8]) -> [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return scan(text) }
        let plain = Array(UnescapedText.markup(text).utf8)
        let masked = scan(plain)
        if masked == plain { return text }
        return masked.flatMap { byte in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            case UInt8(ascii: "'"): Array("&#39;".utf8)
            default: [byte]
            }
        }
    }

    /// The elements of HTML without an end tag (HTML, section 13.1.2).
    private static let voidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    /// Returns the offset after the tag. A `>` in a quoted value does not end it.
    private func endOfTag() -> Int {
        var quote: UInt8?
        var position = index + 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return position
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), bytes[position - 2] == UInt8(ascii: "=")
            {
                quote = byte
            }
        }
        return bytes.count
    }
}

/// The attributes of a tag.
struct MarkupAttributes {
    struct Attribute {
        let name: String
        let value: String
        /// The range of the value without its quotes.
        let range: Range<Int>
    }

    private let tag: ArraySlice<UInt8>
    private(set) var list: [Attribute] = []

    init(_ tag: ArraySlice<UInt8>) {
        self.tag = tag
        var index = tag.startIndex
        while let mark = tag[index...].firstIndex(of: UInt8(ascii: "=")) {
            let name = tag[index..<mark].split(whereSeparator: \.isJSONSpace).last ?? []
            var start = mark + 1
            while start < tag.endIndex, tag[start].isJSONSpace { start += 1 }
            guard start < tag.endIndex else { return }
            let quote = tag[start]
            let end: Int
            var next: Int?
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                start += 1
                end = tag[start...].firstIndex(of: quote) ?? tag.endIndex
                // The next name can follow the quote without a blank.
                next = min(end + 1, tag.endIndex)
            } else {
                end = tag[start...].firstIndex { $0.isJSONSpace || $0 == UInt8(ascii: ">") } ?? tag.endIndex
            }
            list.append(
                Attribute(
                    name: String(decoding: name, as: UTF8.self),
                    value: String(decoding: tag[start..<end], as: UTF8.self),
                    range: start..<end))
            index = next ?? end
        }
    }

    /// Returns the tag with replaced values.
    func masked(_ mask: (Attribute) -> [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = tag.startIndex
        for attribute in list {
            output += tag[index..<attribute.range.lowerBound]
            output += mask(attribute)
            index = attribute.range.upperBound
        }
        return output + tag[index...]
    }
}
