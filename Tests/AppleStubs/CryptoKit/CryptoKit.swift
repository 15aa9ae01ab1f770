// swift-format-ignore-file
// The part of Apple's CryptoKit that the package uses. It encrypts nothing.

import Foundation

// https://developer.apple.com/documentation/cryptokit/symmetrickey
public struct SymmetricKey: Sendable {
    public init<D: ContiguousBytes>(data: D) {}
}

// https://developer.apple.com/documentation/cryptokit/aes
public enum AES {
    // https://developer.apple.com/documentation/cryptokit/aes/gcm
    public enum GCM {
        // https://developer.apple.com/documentation/cryptokit/aes/gcm/nonce
        public struct Nonce: Sendable {
            public init<D: DataProtocol>(data: D) throws {}
        }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/sealedbox
        public struct SealedBox: Sendable {
            public init<C: DataProtocol, T: DataProtocol>(nonce: AES.GCM.Nonce, ciphertext: C, tag: T) throws {
                (self.ciphertext, self.tag) = (Data(ciphertext), Data(tag))
            }
            public let ciphertext: Data
            public let tag: Data
        }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/seal(_:using:nonce:authenticating:)
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: AES.GCM.Nonce? = nil,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> AES.GCM.SealedBox {
            throw CocoaError(.featureUnsupported)
        }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/open(_:using:authenticating:)
        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: AES.GCM.SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
        ) throws -> Data {
            throw CocoaError(.featureUnsupported)
        }
    }
}
