// swift-format-ignore-file
// The part of Apple's keychain that the package uses. Tests provide the keychain with ``KeychainStub``. The values of
// the constants do not matter.

// https://developer.apple.com/documentation/security
@_exported import AppleFoundation

// https://developer.apple.com/documentation/security/secitemadd(_:_:)
@discardableResult public func SecItemAdd(
    _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    KeychainStub.current?.add(KeychainStub.values(attributes)) ?? errSecNotAvailable
}

// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard let keychain = KeychainStub.current else { return errSecNotAvailable }
    let (status, data) = keychain.copyMatching(KeychainStub.values(query))
    if let data { result?.pointee = NSData(data: data) }
    return status
}

// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
@discardableResult public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    KeychainStub.current?.update(KeychainStub.values(query), KeychainStub.values(attributesToUpdate))
        ?? errSecNotAvailable
}

// https://developer.apple.com/documentation/security/secitemdelete(_:)
@discardableResult public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    KeychainStub.current?.delete(KeychainStub.values(query)) ?? errSecNotAvailable
}

// https://developer.apple.com/documentation/security/security-framework-result-codes
public var errSecSuccess: OSStatus { 0 }
public var errSecNotAvailable: OSStatus { -25291 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecMissingEntitlement: OSStatus { -34018 }

// https://developer.apple.com/documentation/security/ksecclass
public var kSecClass: CFString { "class" }

// https://developer.apple.com/documentation/security/ksecclassgenericpassword
public var kSecClassGenericPassword: CFString { "genp" }

// https://developer.apple.com/documentation/security/ksecattrservice
public var kSecAttrService: CFString { "svce" }

// https://developer.apple.com/documentation/security/ksecattraccount
public var kSecAttrAccount: CFString { "acct" }

// https://developer.apple.com/documentation/security/ksecattraccessible
public var kSecAttrAccessible: CFString { "pdmn" }

// https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }

// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
public var kSecUseDataProtectionKeychain: CFString { "nleg" }

// https://developer.apple.com/documentation/security/ksecreturndata
public var kSecReturnData: CFString { "r_Data" }

// https://developer.apple.com/documentation/security/ksecvaluedata
public var kSecValueData: CFString { "v_Data" }

// stub only: the keychain of a test
public protocol KeychainStubbing: Sendable {
    func add(_ attributes: [String: KeychainStub.Value]) -> OSStatus
    func copyMatching(_ query: [String: KeychainStub.Value]) -> (OSStatus, Data?)
    func update(_ query: [String: KeychainStub.Value], _ attributes: [String: KeychainStub.Value]) -> OSStatus
    func delete(_ query: [String: KeychainStub.Value]) -> OSStatus
}

// stub only: selects the keychain of a test
public enum KeychainStub {
    public enum Value: Equatable, Sendable {
        case text(String)
        case bool(Bool)
        case data(Data)
        case other(String)
    }
    @TaskLocal public static var current: (any KeychainStubbing)?
    static func values(_ dictionary: CFDictionary) -> [String: Value] {
        var values: [String: Value] = [:]
        for case let (key as String, value) in dictionary {
            values[key] =
                switch value {
                case let text as String: .text(text)
                case let bool as Bool: .bool(bool)
                case let data as Data: .data(data)
                default: .other("\(value)")
                }
        }
        return values
    }
}
