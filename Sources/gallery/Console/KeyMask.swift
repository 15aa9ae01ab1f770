package import Errand
import ErrandSupport

/// Masks the access key in the output, including text that a server sends.
///
/// It is applied to single values before they are truncated or encoded. Masking a complete line could hide text of the
/// program, or miss a truncated key.
package struct KeyMask {
    private let secret: [UInt8]

    /// Creates a mask. A key of less than six bytes is not masked, because it could be an ordinary word.
    package init(_ key: Secret?) {
        let bytes = key.map { $0.reveal().utf8.map(\.lowercased) } ?? []
        secret = bytes.count < 6 ? [] : bytes
    }

    /// Returns a value in which the key is masked. Case is ignored.
    ///
    /// It compares bytes, not characters, so a key followed by a combining mark is also masked.
    package func hide(_ text: String) -> String {
        guard let first = secret.first else { return text }
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var (start, index) = (0, 0)
        while index + secret.count <= bytes.count {
            let end = index + secret.count
            if bytes[index].lowercased == first, bytes[index..<end].lazy.map(\.lowercased).elementsEqual(secret) {
                kept += bytes[start..<index] + Redaction.mask.utf8
                (start, index) = (end, end)
            } else {
                index += 1
            }
        }
        return start == 0 ? text : String(decoding: kept + bytes[start...], as: UTF8.self)
    }
}
