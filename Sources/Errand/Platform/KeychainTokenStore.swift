#if canImport(Security)
    import Security

    /// A store in the Keychain, as a generic password that no other device gets.
    public struct KeychainTokenStore: TokenStore {
        private let service: String
        private let account: String

        /// Makes a store.
        /// - Parameters:
        ///   - service: What the token is for: the app's identifier, for example.
        ///   - account: Whose it is.
        public init(service: String, account: String) {
            self.service = service
            self.account = account
        }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
        }

        /// The token; nil where there is none.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``.
        public func load() throws -> OAuthToken? {
            var found: CFTypeRef?
            let wish = query.merging([kSecReturnData as String: true]) { $1 }
            let status = SecItemCopyMatching(wish as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let bytes = found as? Data else { throw Self.failure(status) }
            return try OAuthToken(storedForm: bytes)
        }

        /// Keeps a token in the place of the last one; nil removes it.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``.
        public func save(_ token: OAuthToken?) throws {
            guard let token else {
                let status = SecItemDelete(query as CFDictionary)
                guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.failure(status) }
                return
            }
            let values: [String: Any] = [
                kSecValueData as String: try token.storedForm(),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        private static func failure(_ status: OSStatus) -> ServiceError {
            ServiceError(.file, "the Keychain failed (\(status))")
        }
    }
#endif
