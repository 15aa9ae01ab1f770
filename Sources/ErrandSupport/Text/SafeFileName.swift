import Foundation

/// A file name that is safe on every system, made from a name that a server sends.
///
/// - Only the text after the last `/` or `\` is used. Separators at the end are ignored.
/// - Invisible characters, and characters that change how the text around them is displayed, are removed: control
///   characters, bidirectional controls, zero-width characters, and line and paragraph separators.
/// - Characters that Windows forbids (`<>:"|?*`) become `_`.
/// - White space at both ends and dots at the end are removed. `.` and `..` are therefore not names.
/// - A name that starts with a dot, and would be hidden, gets the prefix `_`. So does a device name of Windows, such as
///   `CON` or `com1.txt`.
/// - The name is in Unicode Normalization Form C and has at most ``limit`` bytes of UTF-8. A longer name is cut at a
///   character boundary and keeps its extension.
package struct SafeFileName: Sendable, Hashable, CustomStringConvertible {
    /// The maximum number of bytes in UTF-8: 255, the limit of most file systems.
    package static let limit = 255
    /// The maximum number of bytes of an extension with its dot. A longer one is part of the name.
    private static let extensionLimit = 32
    /// The maximum number of scalars that are normalized, because normalization takes quadratic time for many marks.
    /// 255 bytes in NFC consist of fewer scalars before normalization.
    private static let scalarLimit = 512

    /// The name.
    package let description: String

    /// Returns `nil` if the text contains no name.
    package init?(_ text: String) {
        let shown = Self.lastComponent(text).trimmed
        guard !shown.isEmpty else { return nil }
        let (stem, suffix) = Self.split(Substring(shown))
        let short = String(stem.unicodeScalars.prefix(Self.scalarLimit)) + suffix
        var name = short.precomposedStringWithCanonicalMapping
        if name.utf8.first == UInt8(ascii: ".") || Self.isDeviceName(name) { name = "_" + name }
        name = String(Self.cut(name, adding: "").unicodeScalars.trimmed)
        // A name that was cut can have become that of a device.
        if Self.isDeviceName(name) { name = String(Self.cut("_" + name, adding: "").unicodeScalars.trimmed) }
        guard !name.isEmpty else { return nil }
        description = name
    }

    /// Returns the name with a number before its extension: `name (2).ext`. It has at most ``limit`` bytes, too.
    package func numbered(_ number: Int) -> String { Self.cut(description, adding: " (\(number))") }

    /// Returns the last path component without invisible characters. Characters that Windows forbids are replaced.
    private static func lastComponent(_ text: String) -> String.UnicodeScalarView {
        var component = String.UnicodeScalarView()
        var isEnded = false
        for scalar in text.unicodeScalars where !scalar.isHidden {
            if scalar == "/" || scalar == "\\" {
                isEnded = true
                continue
            }
            if isEnded {
                component.removeAll(keepingCapacity: true)
                isEnded = false
            }
            component.append(forbidden.contains(scalar) ? "_" : scalar)
        }
        return component
    }

    private static let forbidden: Set<Unicode.Scalar> = ["<", ">", ":", "\"", "|", "?", "*"]
}

extension SafeFileName {
    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul", "conin$", "conout$"]
            + ["com", "lpt"].flatMap { device in "0123456789\u{B9}\u{B2}\u{B3}".map { "\(device)\($0)" } })

    /// Whether Windows reserves a name for a device. It ignores the case, extensions, and spaces before an extension.
    package static func isDeviceName(_ name: String) -> Bool {
        // The longest device name has seven characters.
        let base = name.unicodeScalars.prefix { $0 != "." }.trimmed
        return base.prefix(8).count < 8 && devices.contains(String(base).lowercased())
    }

    /// Splits a name before its extension, such as `.txt` or `.tar.gz`. The extension is empty if the name has none, or
    /// if it is long or contains white space.
    private static func split(_ name: Substring) -> (stem: Substring, suffix: Substring) {
        let scalars = name.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex,
            (2...extensionLimit).contains(name[dot...].utf8.count),
            !scalars[dot...].contains(where: \.properties.isWhitespace)
        else { return (name, name.suffix(0)) }
        let stem = name[..<dot]
        let isArchive = stem.utf8.count > 4 && stem.utf8.suffix(4).map(\.lowercased) == Array(".tar".utf8)
        let start = isArchive ? name.utf8.index(dot, offsetBy: -4) : dot
        return (name[..<start], name[start...])
    }

    /// Returns the name with a text before its extension. The part before the text is cut if the name is too long.
    private static func cut(_ name: String, adding text: String) -> String {
        let (stem, suffix) = split(Substring(name))
        return start(of: stem, bytes: limit - suffix.utf8.count - text.utf8.count) + text + suffix
    }

    /// Returns the longest start of a text that ends at a character boundary and has at most the given number of bytes.
    /// If the first character is longer, it is cut at a scalar boundary.
    private static func start(of text: Substring, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return String(text) }
        var kept = ""
        for character in text {
            guard kept.utf8.count + character.utf8.count <= bytes else { break }
            kept.append(character)
        }
        guard kept.isEmpty else { return kept }
        for scalar in text.unicodeScalars {
            guard kept.utf8.count + UTF8.width(scalar) <= bytes else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }
}

extension BidirectionalCollection<Unicode.Scalar> {
    /// The scalars without white space at both ends and without dots at the end.
    fileprivate var trimmed: SubSequence {
        let start = drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { $0 != "." && !$0.properties.isWhitespace }) else {
            return start.suffix(0)
        }
        return start[...last]
    }
}
