extension String {
    /// Decodes UTF-8. Returns `nil` if the bytes are invalid.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(comparingUTF8: bytes)
        }
    }

    /// Decodes UTF-8 on systems without `String(validating:as:)`. If the bytes are invalid, the repaired text differs
    /// from them.
    package init?(comparingUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
