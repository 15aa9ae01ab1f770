package import Errand

/// Keeps the access key out of what is printed, also where a server repeats it.
///
/// It works on single values, before they are shortened or encoded: a line that is masked whole could hide the
/// program's own words, or miss a key that was cut.
package struct KeyMask {
    private let secret: String?

    /// A key below six characters is not looked for: it could be any word.
    package init(_ key: Secret?) {
        secret = key.map { $0.reveal() }.flatMap { $0.count < 6 ? nil : $0 }
    }

    /// A value without the key, in whatever case it stands there.
    func hide(_ text: String) -> String {
        guard let secret else { return text }
        return text.replacingOccurrences(of: secret, with: Redaction.mask, options: .caseInsensitive)
    }
}
