import ErrandSupport

/// Encrypts values before they are stored outside the process, such as tokens on a server.
///
/// ```swift
/// // The output of `openssl rand -base64 32`, from the environment or a secret store.
/// let seal = try ValueSeal(key: Secret(text))
/// ```
/// A sealed value can be opened only with the key, and only in its context, such as the name of an account. It therefore cannot be
/// exchanged with the value of another account.
public struct ValueSeal: Sendable {
    /// The first byte of a sealed value.
    private static let version: UInt8 = 1

    private let sealValue: @Sendable (_ value: Data, _ context: Data) throws -> Data
    private let openValue: @Sendable (_ sealed: Data, _ context: Data) throws -> Data

    /// Creates a seal with AES-256-GCM.
    ///
    /// To replace a key, first add the new one to `oldKeys` in all processes. Then exchange both, and remove the old key when all
    /// values have been stored again.
    /// - Parameters:
    ///   - key: The key, 32 random bytes in base64.
    ///   - oldKeys: Further keys that open values. The default is none.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if a key has another form, or if the platform has no
    ///   AES-256-GCM: on Linux, libcurl must use OpenSSL.
    public init(key: Secret, oldKeys: [Secret] = []) throws(ServiceError) {
        var ciphers: [AESGCM] = []
        for key in [key] + oldKeys {
            guard let bytes = Data(base64Encoded: key.reveal()) else {
                throw ServiceError(.configuration, "invalid key: expected 32 bytes in base64")
            }
            ciphers.append(try AESGCM(key: bytes))
        }
        let (own, all) = (ciphers[0], ciphers)
        self.init { value, context in
            let nonce = Data((0..<AESGCM.nonceSize).map { _ in UInt8.random(in: 0 ... .max) })
            guard let sealed = own.seal(value, nonce: nonce, context: context) else { throw Self.failure }
            return Data([Self.version]) + nonce + sealed
        } open: { sealed, context in
            guard sealed.first == Self.version else { throw Self.failure }
            let rest = Data(sealed.dropFirst())
            let (nonce, bytes) = (Data(rest.prefix(AESGCM.nonceSize)), Data(rest.dropFirst(AESGCM.nonceSize)))
            for cipher in all {
                if let value = cipher.open(bytes, nonce: nonce, context: context) { return value }
            }
            throw Self.failure
        }
    }

    /// Creates a seal with your functions, such as those of a key management service. They must authenticate the context.
    public init(
        seal: @escaping @Sendable (_ value: Data, _ context: Data) throws -> Data,
        open: @escaping @Sendable (_ sealed: Data, _ context: Data) throws -> Data
    ) {
        (sealValue, openValue) = (seal, open)
    }

    private static let failure = ServiceError(.file, "the value cannot be opened: expected the same key and name")
}

extension ValueSeal {
    /// Encrypts a value.
    /// - Parameters:
    ///   - value: The value.
    ///   - context: The name of the value. It is not part of the encrypted form.
    /// - Returns: The encrypted form.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``, or the error of your function.
    public func seal(_ value: Data, context: String) throws -> Data { try sealValue(value, Data(context.utf8)) }

    /// Decrypts a value.
    /// - Parameters:
    ///   - sealed: The result of ``seal(_:context:)``.
    ///   - context: The same name.
    /// - Returns: The value.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the key or the name differs, or if the bytes were changed. The
    ///   error of your function.
    public func open(_ sealed: Data, context: String) throws -> Data { try openValue(sealed, Data(context.utf8)) }
}
