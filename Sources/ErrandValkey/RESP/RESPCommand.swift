package import Foundation

/// A command for a Valkey or Redis server: an array of bulk strings.
package struct RESPCommand: Sendable, Hashable {
    /// The words of the command. They may contain any bytes.
    package var words: [Data]

    package init(_ words: [Data]) {
        self.words = words
    }

    package init(_ words: String...) {
        self.words = words.map { Data($0.utf8) }
    }

    /// The bytes that are sent.
    package var encoded: Data {
        // An array, because appending texts to it takes a quarter of the time that `Data` needs.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.reduce(16) { $0 + $1.count + 16 })
        bytes.append(contentsOf: "*\(words.count)\r\n".utf8)
        for word in words {
            bytes.append(contentsOf: "$\(word.count)\r\n".utf8)
            word.withUnsafeBytes { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: "\r\n".utf8)
        }
        return Data(bytes)
    }
}
