#if canImport(CryptoKit)
    import CryptoKit
#elseif os(Linux)
    import CErrandCurl
#endif

/// AES-256-GCM (NIST SP 800-38D), by CryptoKit on Apple platforms and by the TLS library of libcurl on Linux.
package struct AESGCM: Sendable {
    package static let keySize = 32
    package static let nonceSize = 12
    package static let tagSize = 16

    private let key: Data

    /// Creates the cipher.
    /// - Parameter key: 32 bytes.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the key has another size, or if no library with
    ///   this cipher is available.
    package init(key: Data) throws(ServiceError) {
        guard key.count == Self.keySize else {
            throw ServiceError(.configuration, "invalid key: expected 32 bytes, found \(key.count)")
        }
        #if !canImport(CryptoKit) && os(Linux)
            guard errand_cipher_load() else {
                throw ServiceError(.configuration, "no AES-256-GCM: expected a libcurl that uses OpenSSL")
            }
        #endif
        self.key = Data(key)
    }

    /// Encrypts bytes.
    /// - Parameters:
    ///   - plain: The bytes to encrypt.
    ///   - nonce: 12 bytes that were never used with this key.
    ///   - context: Bytes that are authenticated, but not encrypted.
    /// - Returns: The encrypted bytes and a tag of 16 bytes, or `nil` if the library fails.
    package func seal(_ plain: Data, nonce: Data, context: Data) -> Data? {
        guard nonce.count == Self.nonceSize else { return nil }
        #if canImport(CryptoKit)
            guard let nonce = try? AES.GCM.Nonce(data: nonce) else { return nil }
            let box = try? AES.GCM.seal(
                plain, using: SymmetricKey(data: key), nonce: nonce, authenticating: context)
            return box.map { $0.ciphertext + $0.tag }
        #elseif os(Linux)
            return run(plain, nonce, context, count: plain.count + Self.tagSize) {
                errand_cipher_seal($0, $1, $2, context.count, $3, plain.count, $4)
            }
        #else
            return nil
        #endif
    }

    /// Returns the decrypted bytes, or `nil` if they were not encrypted with this key, nonce and context.
    package func open(_ sealed: Data, nonce: Data, context: Data) -> Data? {
        guard nonce.count == Self.nonceSize, sealed.count >= Self.tagSize else { return nil }
        let count = sealed.count - Self.tagSize
        #if canImport(CryptoKit)
            guard let nonce = try? AES.GCM.Nonce(data: nonce),
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce, ciphertext: sealed.prefix(count), tag: sealed.suffix(Self.tagSize))
            else { return nil }
            return try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: context)
        #elseif os(Linux)
            return run(sealed, nonce, context, count: count) {
                errand_cipher_open($0, $1, $2, context.count, $3, count, $4)
            }
        #else
            return nil
        #endif
    }

    #if !canImport(CryptoKit) && os(Linux)
        private typealias Bytes = UnsafePointer<UInt8>

        /// Calls a function with the key, the nonce, the context, the input, and an output of a number of bytes.
        private func run(
            _ input: Data, _ nonce: Data, _ context: Data, count: Int,
            _ body: (Bytes, Bytes, Bytes, Bytes, UnsafeMutablePointer<UInt8>) -> Bool
        ) -> Data? {
            let (key, nonce, context, input) = ([UInt8](key), [UInt8](nonce), [UInt8](context), [UInt8](input))
            var isDone = false
            let output = [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
                guard let start = output.baseAddress else { return }
                isDone = body(key, nonce, context, input, start)
                written = isDone ? count : 0
            }
            return isDone ? Data(output) : nil
        }
    #endif
}
