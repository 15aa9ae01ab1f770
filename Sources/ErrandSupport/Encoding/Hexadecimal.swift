extension Sequence<UInt8> {
    /// The bytes as two lowercase hexadecimal digits each.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
