import ErrandSupport

/// The SHA-256 hash of a file.
///
/// ```swift
/// options.digest = try .sha256("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct FileDigest: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    init(hash: [UInt8]) {
        bytes = hash
    }

    /// Creates a digest from its bytes.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` unless there are 32 bytes.
    public static func sha256(_ bytes: some Collection<UInt8>) throws(ServiceError) -> FileDigest {
        guard bytes.count == 32 else {
            throw ServiceError(.configuration, "invalid SHA-256: expected 32 bytes, found \(bytes.count)")
        }
        return FileDigest(hash: Array(bytes))
    }

    /// Creates a digest from 64 hexadecimal digits in upper or lower case, as printed by `sha256sum`.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for any other text.
    public static func sha256(_ text: String) throws(ServiceError) -> FileDigest {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        guard digits.count == 64, text.utf8.count == 64 else {
            throw ServiceError(
                .configuration,
                "invalid SHA-256: expected 64 hexadecimal digits, found \(text.utf8.count) bytes of text")
        }
        return FileDigest(hash: stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// The hash as 64 hexadecimal digits in lower case.
    public var description: String { bytes.hexadecimal }
}

extension UInt8 {
    /// The value of this character as a hexadecimal digit, or `nil` for other characters.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
