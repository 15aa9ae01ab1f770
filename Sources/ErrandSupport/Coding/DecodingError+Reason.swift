import Foundation

extension DecodingError {
    /// The failure and its coding path, without any value of the body:
    /// `expected a String at photos[3].title, found a number`.
    package var reason: String { reason(nil) }

    /// The ``reason`` with the position in the text: `(byte 57)`, or `(line 4, column 20)` if the text has several
    /// lines.
    package func reason(_ locator: (any ValueLocator)?) -> String {
        switch self {
        case .keyNotFound(let key, let context):
            let position = locator?.position(of: context.codingPath, "object at ") ?? ""
            return "\(Self.location(context.codingPath + [key])) is missing\(position)"
        case .typeMismatch(let type, let context):
            return Self.mismatch(type, context, locator)
        case .valueNotFound(let type, let context):
            return Self.mismatch(type, context, locator, found: "null")
        case .dataCorrupted(let context):
            return Self.corruption(context, locator)
        @unknown default:
            return "the body can't be decoded"
        }
    }

    private static func mismatch(
        _ type: Any.Type, _ context: Context, _ locator: (any ValueLocator)?, found: String? = nil
    ) -> String {
        let value = locator?.value(at: context.codingPath)
        let found = found ?? value?.kind ?? kind(in: context.debugDescription)
        let position = value.flatMap { value in locator.map { " (\($0.words(for: value.offset)))" } } ?? ""
        let location = context.codingPath.isEmpty ? "" : " at \(location(context.codingPath))"
        return "expected \(name(of: type))\(location), found \(found)\(position)"
    }

    private static func corruption(_ context: Context, _ locator: (any ValueLocator)?) -> String {
        if isNoJSON(context) {
            guard let locator else { return noJSON }
            guard let fault = locator.fault else {
                return "the body has a number that does not fit the expected type"
            }
            return "\(noJSON) (\(locator.words(for: fault)))"
        }
        let position = locator?.position(of: context.codingPath) ?? ""
        let location = context.codingPath.isEmpty ? "" : " at \(location(context.codingPath))"
        if let form = context.underlyingError as? ExpectedForm {
            return "expected \(form.words)\(location)\(form.found.map { ", found \($0)" } ?? "")\(position)"
        }
        guard let type = type(in: context.debugDescription) else {
            return "the value\(location) can't be decoded as the expected type\(position)"
        }
        return "expected a valid \(type)\(location)\(position)"
    }

    /// The type in an error of Foundation or the standard library for a text that is not one of its values.
    private static func type(in text: String) -> Substring? {
        if text == "Invalid URL string." { return "URL" }
        guard text.hasPrefix("Cannot initialize "), let end = text.range(of: " from invalid ") else { return nil }
        return text[..<end.lowerBound].dropFirst("Cannot initialize ".count)
    }

    /// The reason for a text that is not JSON, without its position.
    package static let noJSON = "the body is not valid JSON"

    /// Whether this is the error of `JSONDecoder` for a text that is not JSON. Only its description shows this, on
    /// every platform.
    private static func isNoJSON(_ context: Context) -> Bool {
        context.debugDescription == "The given data was not valid JSON."
    }

    /// Whether the data to decode is not JSON.
    package var isNoJSON: Bool {
        if case .dataCorrupted(let context) = self { Self.isNoJSON(context) } else { false }
    }

    /// The name of a type in JSON terms, without generic parameters.
    package static func name(of type: any Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Array<") { return "an array" }
        if name.hasPrefix("Dictionary<") { return "an object" }
        if let wrapped = type as? any AnyOptional.Type { return wrapped.nameOfWrapped }
        let plain = name.prefix { $0 != "<" }
        let isVowel = plain.first.map { "AEIOaeio".contains($0) } ?? false
        return "\(isVowel ? "an" : "a") \(plain)"
    }

    /// The kind of value in the description of a `JSONDecoder` error. The description contains no value.
    private static func kind(in text: String) -> String {
        let kinds = ["a string", "a dictionary", "an array", "number", "bool", "null"]
        switch kinds.first(where: { text.hasSuffix("found \($0) instead.") }) {
        case "a string": return "a string"
        case "a dictionary": return "an object"
        case "an array": return "an array"
        case "number": return "a number"
        case "bool": return "a Boolean"
        case "null": return "null"
        default: return "another type"
        }
    }

    package static func location(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the body" : path.joinedPath.singleLine(limit: 256)
    }
}

private protocol AnyOptional {
    static var nameOfWrapped: String { get }
}

extension Optional: AnyOptional {
    fileprivate static var nameOfWrapped: String { DecodingError.name(of: Wrapped.self) }
}

extension EncodingError {
    /// The coding path of the failure, without any value.
    package var reason: String {
        switch self {
        case .invalidValue(_, let context): "\(DecodingError.location(context.codingPath)) can't be encoded"
        @unknown default: "a value can't be encoded"
        }
    }
}
