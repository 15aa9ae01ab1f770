import Errand
import Security
import Testing

@Suite struct KeychainTokenStoreTests {
    private static let query: ScriptedKeychain.Values = [
        "\(kSecClass)": .text("\(kSecClassGenericPassword)"), "\(kSecAttrService)": .text("gallery"),
        "\(kSecAttrAccount)": .text("ann"), "\(kSecUseDataProtectionKeychain)": .bool(true),
    ]
    private static let token = OAuthToken(access: Secret("a1"), refresh: Secret("r1"))

    private static func values(_ token: OAuthToken) throws -> ScriptedKeychain.Values {
        [
            "\(kSecValueData)": .data(try token.storedForm()),
            "\(kSecAttrAccessible)": .text("\(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)"),
        ]
    }

    private let store = KeychainTokenStore(service: "gallery", account: "ann")

    private func with<Result>(_ keychain: ScriptedKeychain, _ body: () throws -> Result) rethrows -> Result {
        try KeychainStub.$current.withValue(keychain, operation: body)
    }

    @Test func `a token is read by its service and account`() throws {
        let keychain = ScriptedKeychain(data: try Self.token.storedForm())
        let found = try with(keychain) { try store.load() }
        #expect(found == Self.token)
        #expect(keychain.calls == [.copyMatching(Self.query.merging(["\(kSecReturnData)": .bool(true)]) { $1 })])
    }

    @Test func `a missing item returns no token`() throws {
        let found = try with(ScriptedKeychain(errSecItemNotFound)) { try store.load() }
        #expect(found == nil)
    }

    @Test func `an item without data is an error`() throws {
        let error = try #require(throws: ServiceError.self) { try with(ScriptedKeychain()) { try store.load() } }
        #expect(error.code == .file)
    }

    @Test func `the first token is added`() throws {
        let keychain = ScriptedKeychain(errSecItemNotFound)
        try with(keychain) { try store.save(Self.token) }
        let values = try Self.values(Self.token)
        #expect(keychain.calls == [.update(Self.query, values), .add(Self.query.merging(values) { $1 })])
    }

    @Test func `a later token updates the item`() throws {
        let keychain = ScriptedKeychain()
        try with(keychain) { try store.save(Self.token) }
        #expect(keychain.calls == [.update(Self.query, try Self.values(Self.token))])
    }

    @Test func `an item that another process added meanwhile is updated`() throws {
        let keychain = ScriptedKeychain(errSecItemNotFound, errSecDuplicateItem)
        try with(keychain) { try store.save(Self.token) }
        let values = try Self.values(Self.token)
        #expect(keychain.calls.last == .update(Self.query, values))
        #expect(keychain.calls.count == 3)
    }

    @Test(arguments: [errSecSuccess, errSecItemNotFound])
    func `saving no token removes the item`(status: OSStatus) throws {
        let keychain = ScriptedKeychain(status)
        try with(keychain) { try store.save(nil) }
        #expect(keychain.calls == [.delete(Self.query)])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let verb: String
        let run: @Sendable (KeychainTokenStore) throws -> Void
        var testDescription: String { verb }
    }

    private static let refusals = [
        Refusal(verb: "read") { _ = try $0.load() }, Refusal(verb: "stored") { try $0.save(token) },
        Refusal(verb: "removed") { try $0.save(nil) },
    ]

    @Test(arguments: refusals) func `a refusal names the operation, the status and the remedy`(row: Refusal) throws {
        let error = try #require(throws: ServiceError.self) {
            try with(ScriptedKeychain(errSecMissingEntitlement)) { try row.run(store) }
        }
        #expect(error.code == .file)
        #expect(
            "\(error)".contains("can't be \(row.verb): Keychain status -34018: the program has no keychain entitlement")
        )
        #expect(!"\(error)".contains("a1"))
    }

    @Test(arguments: refusals) func `every call selects the data protection keychain`(row: Refusal) throws {
        let keychain = ScriptedKeychain(data: try Self.token.storedForm())
        try with(keychain) { try row.run(store) }
        #expect(keychain.calls.allSatisfy { $0.query["\(kSecUseDataProtectionKeychain)"] == .bool(true) })
        #expect(!keychain.calls.isEmpty)
    }
}
