import ErrandSupport
import Foundation

/// A JSON text, taken apart once: its values in one flat list, in the order in which they are written.
///
/// Nothing is made of a value before it is asked for. An object's members are its keys and values in turn.
///
/// Each value and each failure is that of the platform's decoder at the same place, so that code which tries something else
/// after a failure goes the same way. Only the words of an error may differ: after any, the platform's decoder has the last
/// word.
final class JSONTape {
    /// A value or a key of the text.
    struct Node {
        enum Kind: UInt8 { case null, `true`, `false`, integer, decimal, string, escapedString, wideKey, array, object }

        let kind: Kind
        /// The first byte; of a text the first one after its quotation mark.
        let start: UInt32
        /// The place after the last byte of a scalar, and the number of elements or members of an array or object.
        var end: UInt32
        /// The place in the list where what is nested in this value ends.
        var next: UInt32
    }

    /// Longer texts are left to the platform's decoder: a list of them would take several times their memory.
    static let mostBytes = 16_777_216
    static let mostLevels = 128

    let bytes: [UInt8]
    /// The values, and at the end a null that stands for what is not there.
    let nodes: [Node]
    /// A `JSONDecoder`'s, as the values are to see them.
    let userInfo: [CodingUserInfoKey: Any]
    let date: (@Sendable (any Decoder) throws -> Date)?
    /// Whether anything could not be decoded, whatever has become of the error.
    private(set) var hasFailed = false
    /// The error that ends decoding for good: Foundation's decoder must not try again.
    private(set) var refusal: (any Error)?
    private(set) var isRefused = false
    /// Whether a string has more combining marks in a row than can be compared in linear time.
    let hasTooManyMarks: Bool
    private let limit: DecodingLimit?
    /// The number of values to decode until the next check of the limit.
    private var valuesToCheck: Int

    init(
        bytes: [UInt8], nodes: [Node], userInfo: [CodingUserInfoKey: Any],
        date: (@Sendable (any Decoder) throws -> Date)?, limit: DecodingLimit?
    ) {
        self.bytes = bytes
        self.nodes = nodes
        self.userInfo = userInfo
        self.date = date
        self.limit = limit
        valuesToCheck = limit == nil ? .max : DecodingLimit.interval.values
        hasTooManyMarks = bytes.withUnsafeBufferPointer { CombiningMarks.exceedLimit(in: $0, escapes: true) }
    }

    /// The place of a null that is in no text.
    var nothing: Int { nodes.count - 1 }

    /// Counts a value, and throws if decoding must not go on.
    func checkLimit() throws {
        valuesToCheck &-= 1
        guard valuesToCheck <= 0 else { return }
        if let refusal { throw refusal }
        do {
            try limit?.check()
            valuesToCheck = DecodingLimit.interval.values
        } catch {
            throw refuse(error)
        }
    }

    /// Ends decoding with an error, even if an `init(from:)` catches it.
    func refuse(_ error: any Error) -> any Error {
        refusal = refusal ?? error
        isRefused = true
        valuesToCheck = 0
        return error
    }

    func failed(_ error: DecodingError) -> DecodingError {
        hasFailed = true
        return error
    }
}
