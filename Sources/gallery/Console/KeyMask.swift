package import Errand
import ErrandSupport

/// Keeps the access key out of what is printed, also where a server repeats it.
///
/// It works on single values, before they are shortened or encoded: a line that is masked whole could hide the
/// program's own words, or miss a key that was cut.
package struct KeyMask {
    private let secret: [UInt8]

    /// A key below six characters is not looked for: it could be any word.
    package init(_ key: Secret?) {
        let bytes = key.map { $0.reveal().utf8.map(\.lowercased) } ?? []
        secret = bytes.count < 6 ? [] : bytes
    }

    /// Returns a value without the key, compared without case.
    ///
    /// Bytes are compared, not characters: a key followed by a combining mark is still the key.
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
