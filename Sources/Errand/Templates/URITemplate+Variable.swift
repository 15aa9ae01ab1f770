extension URITemplate {
    /// A type that can be the value of a variable in a ``URITemplate`` or an ``APIPath``.
    ///
    /// Strings, integers, floating-point numbers, `Bool`, `UUID` and `URL` conform. So do arrays and dictionaries of
    /// them, and optionals (`nil` is undefined). A custom type with a raw value requires no code:
    /// ```swift
    /// enum Order: String, URITemplate.Scalar { case latest, popular }
    /// try URITemplate("/photos{?order,page}").expand(["order": Order.latest, "page": 2])
    /// ```
    public protocol Variable: Sendable {
        /// The value to expand.
        var templateValue: URITemplate.Value { get }
    }
}

extension URITemplate {
    /// A ``URITemplate/Variable`` with a single string as its value, which can also be an element of a list.
    ///
    /// RFC 6570, section 2.3, does not define nested lists. With this protocol, the compiler rejects them.
    /// ```swift
    /// extension PhotoID: URITemplate.Scalar { var templateText: String { text } }
    /// ```
    public protocol Scalar: URITemplate.Variable {
        /// The string, not percent-encoded.
        var templateText: String { get }
    }
}

extension URITemplate.Scalar {
    /// The string as a value.
    public var templateValue: URITemplate.Value { .string(templateText) }
}

extension URITemplate.Scalar where Self: RawRepresentable, RawValue: URITemplate.Scalar {
    /// The string of the raw value.
    public var templateText: String { rawValue.templateText }
}

extension URITemplate.Scalar where Self: BinaryInteger {
    /// The number in decimal digits.
    public var templateText: String { String(self) }
}

extension URITemplate.Scalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The shortest text that can be parsed to the same number, such as `0.1`, `2.0`, `1e+20`.
    public var templateText: String { description }
}

extension URITemplate.Scalar where Self: StringProtocol {
    /// The string itself.
    public var templateText: String { String(self) }
}

extension String: URITemplate.Scalar {}
extension Substring: URITemplate.Scalar {}
extension Int: URITemplate.Scalar {}
extension Int8: URITemplate.Scalar {}
extension Int16: URITemplate.Scalar {}
extension Int32: URITemplate.Scalar {}
extension Int64: URITemplate.Scalar {}
extension UInt: URITemplate.Scalar {}
extension UInt8: URITemplate.Scalar {}
extension UInt16: URITemplate.Scalar {}
extension UInt32: URITemplate.Scalar {}
extension UInt64: URITemplate.Scalar {}
extension Float: URITemplate.Scalar {}
extension Double: URITemplate.Scalar {}

extension Bool: URITemplate.Scalar {
    /// `true` or `false`.
    public var templateText: String { self ? "true" : "false" }
}

extension UUID: URITemplate.Scalar {
    /// The UUID string in uppercase.
    public var templateText: String { uuidString }
}

extension URL: URITemplate.Scalar {
    /// The absolute URL.
    public var templateText: String { absoluteString }
}

extension URITemplate.Value: URITemplate.Variable {
    /// The value itself.
    public var templateValue: URITemplate.Value { self }
}

extension Optional: URITemplate.Variable where Wrapped: URITemplate.Variable {
    /// The wrapped value. Undefined for `nil`.
    public var templateValue: URITemplate.Value { self?.templateValue ?? .undefined }
}

extension Array: URITemplate.Variable where Element: URITemplate.Scalar {
    /// The elements in order.
    public var templateValue: URITemplate.Value { .list(map(\.templateText)) }
}

extension Dictionary: URITemplate.Variable where Key == String, Value: URITemplate.Scalar {
    /// The pairs, sorted by key so that equal values always produce the same text. ``URITemplate/Value`` keeps an
    /// order.
    public var templateValue: URITemplate.Value {
        .pairs(sorted { $0.key < $1.key }.map { URITemplate.Value.Pair($0.key, $0.value.templateText) })
    }
}
