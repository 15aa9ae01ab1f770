import ErrandSupport
import Foundation

/// A parsed JSON text: its values in one flat list, in the order of the text.
///
/// A value is created only when it is requested. The members of an object are its keys and values in turn.
///
/// Each value and each failure is the same as that of Foundation's decoder at the same position, so that code that
/// tries another type after a failure has the same result. Only the text of an error may differ. After any error,
/// Foundation's decoder therefore decodes the text again.
final class JSONTape {
    /// A value or a key of the text.
    struct Node {
        enum Kind: UInt8 {
            case null, `true`, `false`, integer, decimal, string, escapedString, array, object
            /// A key with a character other than ASCII.
            case wideKey
            /// An object that may need a ``JSONKeyIndex``. It may have equal keys, it has a ``wideKey``, or its keys are too
            /// long in total for a linear search.
            case uncheckedObject
        }

        var kind: Kind
        /// The index of the first byte. For a string, this is the first byte after its quotation mark.
        let start: UInt32
        /// The index after the last byte of a scalar, or the number of elements or members of an array or object.
        var end: UInt32
        /// The index in the list after this value and its nested values.
        var next: UInt32
    }

    /// The maximum size of a text in bytes: 2 GB, because the indices of a node have 32 bits, or 64 MB on a 32-bit platform,
    /// so that the list fits in memory.
    static let maximumBytes = Int.bitWidth == 32 ? 1 << 26 : Int(Int32.max)
    static let maximumLevels = 128

    let bytes: [UInt8]
    /// The values, followed by a null that represents missing values.
    let nodes: [Node]
    /// The `userInfo` of the `JSONDecoder`.
    let userInfo: [CodingUserInfoKey: Any]
    let dates: JSONDecoder.DateDecodingStrategy
    /// The text before its keys were converted. `nil` if they were not converted.
    let source: Data?
    /// Whether decoding of any value failed, even if the error was caught.
    private(set) var hasFailed = false
    /// The error that ends decoding permanently: Foundation's decoder must not decode the text again.
    private(set) var refusal: (any Error)?
    private(set) var isRefused = false
    /// Whether a string has more consecutive combining marks than can be compared in linear time.
    let hasTooManyMarks: Bool
    private let limit: DecodingLimit?
    /// The number of values to decode until the next check of the limit.
    private var valuesToCheck: Int

    init(
        bytes: [UInt8], nodes: [Node], source: Data?, decoder: JSONDecoder, limit: DecodingLimit?
    ) {
        self.bytes = bytes
        self.nodes = nodes
        self.source = source
        userInfo = decoder.userInfo
        dates = decoder.dateDecodingStrategy
        self.limit = limit
        valuesToCheck = limit == nil ? .max : DecodingLimit.interval.values
        hasTooManyMarks = bytes.withUnsafeBufferPointer { CombiningMarks.exceedLimit(in: $0, escapes: true) }
    }

    /// The index of the null that represents missing values.
    var nothing: Int { nodes.count - 1 }

    /// Counts a value, and throws if decoding must stop.
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
