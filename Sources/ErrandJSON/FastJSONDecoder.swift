import ErrandSupport
public import Foundation

/// Decodes JSON to the same values as a `JSONDecoder`, with the same coding paths in errors, two and a half to five times
/// as fast.
///
/// ```swift
/// let photos = try FastJSONDecoder().decode([Photo].self, from: data)
/// ```
/// Foundation's decoder creates a dictionary for each object, with a key for each member. This decoder parses a text
/// once into a flat list, and creates only the values that are requested. It uses Foundation's decoder in these cases:
/// - a custom key strategy, a date formatter, a data strategy other than Base64, a float strategy other than `throw`, or a
///   subclass of `JSONDecoder`
/// - JSON5, more than 2 GB (64 MB on 32-bit platforms), more than 128 levels of nesting, or invalid surrogates in a string
/// - with `iso8601`, a date in another form than `2024-05-06T07:08:09Z`
/// - with `convertFromSnakeCase`, a key with an underscore that also has a letter after a digit, or a character other than
///   ASCII letters, digits and underscores
/// - a type that stores its `Decoder`
///
/// If decoding fails, the text is decoded again with Foundation's decoder, so that the error is the same as
/// Foundation's. `init(from:)` then runs twice.
///
/// The results differ from those of Foundation's decoder in three ways:
/// - A comma after the last element or member is an error (RFC 8259), unless `allowsJSON5` is set or the decoder is of
///   a subclass.
/// - A zero may have any exponent, as in `0e1`.
/// - A string with more than 256 consecutive combining marks that are not in canonical order causes an error if it has
///   to be compared or hashed. Both would take quadratic time.
public struct FastJSONDecoder: Sendable {
    /// A function that can stop the decoding in the current task by throwing. If `nil` (the default), decoding is not
    /// interrupted.
    ///
    /// The decoder calls it after each 64 kB of text and each 1,024 values. The error that it throws ends the decoding
    /// and is the error of ``decode(_:from:)``. `APILoader` of the library `Errand` replaces it by a check of the
    /// call's deadline and of cancellation.
    @TaskLocal public static var interruption: (@Sendable () throws -> Void)?

    private let decoder: JSONDecoder

    /// Creates a decoder.
    /// - Parameter decoder: The decoder with the strategies and the `userInfo` to use. Do not change it afterwards.
    public init(_ decoder: JSONDecoder = JSONDecoder()) {
        self.decoder = decoder
    }

    /// Decodes a value.
    /// - Throws: A `DecodingError`, or the error of ``interruption``.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decoder.decodeFast(type, from: data)
    }

    /// Describes the position and the cause of a decoding error, without values from the text:
    /// `expected a String at photos[3].title, found a number (byte 57)`.
    ///
    /// - Parameters:
    ///   - error: The error of ``decode(_:from:)``.
    ///   - type: The type that was decoded. It is decoded again if the error is not specific enough.
    ///   - data: The text that was decoded.
    /// - Returns: The description.
    public func explanation<Value: Decodable>(
        of error: DecodingError, decoding type: Value.Type, from data: Data
    ) -> String {
        // For a number that does not fit, Foundation only reports that the text is not valid JSON.
        let precise = error.isNoJSON ? tapeFailure(type, from: data) ?? error : error
        return precise.reason(JSONLocator(data, decoder: decoder))
    }

    /// Describes the position and the cause of an error of another decoder.
    public static func explanation(of error: DecodingError, in data: Data) -> String {
        error.reason(JSONLocator(data))
    }

    /// The decoding error of the fast path, without Foundation's decoder. `nil` if the text or the strategies require
    /// that decoder.
    private func tapeFailure<Value: Decodable>(_ type: Value.Type, from data: Data) -> DecodingError? {
        guard let tape = try? decoder.tape(of: data, .current) else { return nil }
        do {
            _ = try JSONTapeDecoder(tape).value(type)
            return nil
        } catch {
            return error as? DecodingError
        }
    }
}
