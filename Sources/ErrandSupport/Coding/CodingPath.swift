extension Sequence where Element == any CodingKey {
    /// A coding path in the usual notation: `results[3].user.name`.
    package var joinedPath: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}
