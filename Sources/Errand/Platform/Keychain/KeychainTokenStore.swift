#if canImport(Security)
    import Security

    /// A token store in the Keychain.
    ///
    /// The token is stored as a generic password on this device only. It is readable once the user has unlocked the
    /// device after a restart. On macOS the store uses the data protection keychain, as on every other platform. This
    /// requires an entitlement, which Xcode adds to a signed app (TN3137). A program without it can use a
    /// ``FileTokenStore``.
    public struct KeychainTokenStore: TokenStore {
        private let service: String
        private let account: String

        /// Creates a store.
        /// - Parameters:
        ///   - service: The service that the token is for, such as the identifier of the app. It selects the Keychain
        ///     item together with the account.
        ///   - account: The account that the token belongs to.
        public init(service: String, account: String) {
            self.service = service
            self.account = account
        }

        /// Reads the token.
        /// - Returns: The token, or `nil` if the Keychain has none.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the Keychain returns an error, or if the item
        ///   is not a token.
        public func load() throws -> OAuthToken? {
            var found: CFTypeRef?
            let status = SecItemCopyMatching(
                query.merging([kSecReturnData as String: true]) { $1 } as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let bytes = found as? Data else { throw Self.failure("read", status) }
            return try OAuthToken(storedForm: bytes)
        }

        /// Stores a token and replaces the previous one.
        /// - Parameter token: The token, or `nil` to remove the stored one.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the Keychain returns an error. The stored
        ///   token is then unchanged.
        public func save(_ token: OAuthToken?) throws {
            guard let token else {
                let status = SecItemDelete(query as CFDictionary)
                guard status == errSecSuccess || status == errSecItemNotFound else {
                    throw Self.failure("removed", status)
                }
                return
            }
            let values: [String: Any] = [
                kSecValueData as String: try token.storedForm(),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = update(values)
            if status == errSecItemNotFound { status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil) }
            // Another process added the item after the first update failed.
            if status == errSecDuplicateItem { status = update(values) }
            guard status == errSecSuccess else { throw Self.failure("stored", status) }
        }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
            ]
        }

        private func update(_ values: [String: Any]) -> OSStatus {
            SecItemUpdate(query as CFDictionary, values as CFDictionary)
        }

        private static func failure(_ verb: String, _ status: OSStatus) -> ServiceError {
            let hint =
                status == errSecMissingEntitlement
                ? ": the program has no keychain entitlement; sign it with one, or use FileTokenStore" : ""
            return ServiceError(.file, "the token can't be \(verb): Keychain status \(status)\(hint)")
        }
    }
#endif
