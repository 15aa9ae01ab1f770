import ErrandSupport
public import Foundation

/// Decodes JSON to the same values as a `JSONDecoder`, with the same coding paths in errors, in a third to a half of its time.
///
/// ```swift
/// let photos = try FastJSONDecoder().decode([Photo].self, from: data)
/// ```
/// Foundation's decoder creates a dictionary for each object, with a key for each member. This decoder parses a text once into
/// a flat list, and creates only the values that are requested. It passes rare cases to Foundation's decoder: strategies other
/// than a custom one for dates, a subclass, JSON 5, texts of more than 16 MB or 128 levels, keys with escapes, and a model that
/// keeps its decoder. Foundation's decoder also decodes again after each failure, so that the error is its own:
/// `init(from:)` then runs a second time.
///
/// The results differ from those of Foundation's decoder in three ways:
/// - A comma after the last element or member is an error (RFC 8259), unless `allowsJSON5` is set or the decoder is of a
///   subclass.
/// - A zero may have any exponent, as in `0e1`.
/// - Text with more than 256 combining marks in a row, out of canonical order, is an error where it would be compared or
///   hashed, because that takes quadratic time.
public struct FastJSONDecoder: Sendable {
    /// A function that may end the decoding of the current task. `nil`, the default: decoding is not interrupted.
    ///
    /// The decoder calls it after each 64 kB of text and each 1,024 values. The error that it throws ends the decoding and is
    /// the error of ``decode(_:from:)``.
    @TaskLocal public static var interruption: (@Sendable () throws -> Void)?

    private let decoder: JSONDecoder

    /// Creates a decoder.
    /// - Parameter decoder: The decoder whose strategies and `userInfo` apply. Do not change it afterwards.
    public init(_ decoder: JSONDecoder = JSONDecoder()) {
        self.decoder = decoder
    }

    /// Decodes a value.
    /// - Throws: A `DecodingError`, or the error of ``interruption``.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decoder.decodeFast(type, from: data)
    }

    /// Describes where and why decoding failed: `expected a String at photos[3].title, found a number (byte 57)`.
    ///
    /// The description has no value of the text.
    /// - Parameters:
    ///   - error: The error of ``decode(_:from:)``.
    ///   - type: The type that was decoded. It is decoded again if the error does not tell enough.
    ///   - data: The text that was decoded.
    /// - Returns: The description.
    public func explanation<Value: Decodable>(
        of error: DecodingError, decoding type: Value.Type, from data: Data
    ) -> String {
        // For a number that does not fit, Foundation only reports that the text is not valid JSON.
        let precise = error.isNoJSON ? tapeFailure(type, from: data) ?? error : error
        return Self.explanation(of: precise, in: data)
    }

    /// Describes where and why any decoder failed to decode a JSON text, as ``explanation(of:decoding:from:)``.
    public static func explanation(of error: DecodingError, in data: Data) -> String {
        error.reason(JSONLocator(data))
    }

    /// The error without Foundation's decoder. `nil` if the text or the strategies require that one.
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
