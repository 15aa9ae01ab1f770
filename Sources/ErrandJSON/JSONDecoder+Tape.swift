import ErrandSupport
package import Foundation

extension JSONDecoder {
    /// Decodes a value as ``FastJSONDecoder/decode(_:from:)`` does.
    func decodeFast<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let limit = DecodingLimit?.current
        if let value = try attempt(type, data, limit) { return value }
        try limit?.check()
        return try decodeThoroughly(type, from: data)
    }

    /// Decodes a value on the fast path. Returns `nil` if Foundation's decoder must decode it.
    package func decodeFromTape<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        try? attempt(type, data, nil)
    }

    private func attempt<Value: Decodable>(_ type: Value.Type, _ data: Data, _ limit: DecodingLimit?) throws -> Value? {
        guard var tape = try tape(of: data, limit) else { return nil }
        let value = try? JSONTapeDecoder(tape).value(type)
        if let refusal = tape.refusal { throw refusal }
        guard let value, !tape.hasFailed, isKnownUniquelyReferenced(&tape) else { return nil }
        return value
    }

    func tape(of data: Data, _ limit: DecodingLimit?) throws -> JSONTape? {
        guard Swift.type(of: self) == JSONDecoder.self, case .base64 = dataDecodingStrategy,
            case .throw = nonConformingFloatDecodingStrategy, !allowsJSON5, !assumesTopLevelDictionary
        else { return nil }
        let convertsSnakeCase: Bool
        switch keyDecodingStrategy {
        case .useDefaultKeys: convertsSnakeCase = false
        case .convertFromSnakeCase: convertsSnakeCase = true
        default: return nil
        }
        guard dateDecodingStrategy.isSupported else { return nil }
        var bytes = [UInt8](data)
        guard let nodes = try JSONTapeParser.nodes(of: &bytes, convertsSnakeCase: convertsSnakeCase, limit) else {
            return nil
        }
        return JSONTape(
            bytes: bytes, nodes: nodes, source: convertsSnakeCase ? data : nil, decoder: self, limit: limit)
    }

    /// Decodes with Foundation's decoder, which hashes each key and can't be interrupted.
    private func decodeThoroughly<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let text = JSONText(data)
        if text.hasTooManyMarks { throw DecodingError.tooManyMarks(at: []) }
        guard Swift.type(of: self) == JSONDecoder.self, !allowsJSON5 else { return try decode(type, from: data) }
        let value = try decode(type, from: text.data)
        if let offset = text.trailingComma { throw DecodingError.trailingComma(at: offset) }
        return value
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Whether the fast path supports the strategy. The one with a formatter exists on Apple's platforms only. A `switch`
    /// would need a `default` that is unreachable on Linux.
    fileprivate var isSupported: Bool {
        if case .deferredToDate = self { return true }
        if case .secondsSince1970 = self { return true }
        if case .millisecondsSince1970 = self { return true }
        if case .iso8601 = self { return true }
        if case .custom = self { return true }
        return false
    }
}

extension DecodingError {
    /// The error of a string that takes quadratic time to compare or to hash.
    static func tooManyMarks(at path: [any CodingKey]) -> DecodingError {
        let form = ExpectedForm(words: "text with at most \(CombiningMarks.limit) combining marks in a row")
        return dataCorrupted(.init(codingPath: path, debugDescription: "not \(form.words)", underlyingError: form))
    }

    fileprivate static func trailingComma(at offset: Int) -> DecodingError {
        let form = ExpectedForm(
            words: "JSON without a trailing comma (RFC 8259)",
            found: "a trailing comma at byte \(offset), which a decoder accepts if allowsJSON5 is set")
        return dataCorrupted(.init(codingPath: [], debugDescription: "not \(form.words)", underlyingError: form))
    }
}
