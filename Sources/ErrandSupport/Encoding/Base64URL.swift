import Foundation

/// Base64 with the URL-safe alphabet, without padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
