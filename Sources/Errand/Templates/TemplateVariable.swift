/// What can be given as a variable of a ``URITemplate`` or an ``APIPath``.
///
/// Texts, integers, floating-point numbers, `Bool`, `UUID` and `URL` are variables, so are arrays and dictionaries of
/// them and optionals (nil is undefined). A type of your own with a raw value needs no code:
/// ```swift
/// enum Order: String, TemplateScalar { case latest, popular }
/// try URITemplate("/photos{?order,page}").expand(["order": Order.latest, "page": 2])
/// ```
public protocol TemplateVariable: Sendable {
    /// The value that is expanded.
    var templateValue: URITemplate.Value { get }
}

/// A ``TemplateVariable`` that is one text, and so may also be a member of a list.
///
/// RFC 6570, section 2.3, has no lists of lists; this protocol makes them a mistake that the compiler finds.
/// ```swift
/// extension PhotoID: TemplateScalar { var templateText: String { text } }
/// ```
public protocol TemplateScalar: TemplateVariable {
    /// The text, not percent-encoded.
    var templateText: String { get }
}

extension TemplateScalar {
    /// The text as a value.
    public var templateValue: URITemplate.Value { .string(templateText) }
}

extension TemplateScalar where Self: RawRepresentable, RawValue: TemplateScalar {
    /// The raw value's text.
    public var templateText: String { rawValue.templateText }
}

extension TemplateScalar where Self: BinaryInteger {
    /// The number in decimal digits.
    public var templateText: String { String(self) }
}

extension TemplateScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The shortest text that reads back as the same number, such as `0.1`, `2.0`, `1e+20`.
    public var templateText: String { description }
}

extension TemplateScalar where Self: StringProtocol {
    /// The text itself.
    public var templateText: String { String(self) }
}

extension String: TemplateScalar {}
extension Substring: TemplateScalar {}
extension Int: TemplateScalar {}
extension Int8: TemplateScalar {}
extension Int16: TemplateScalar {}
extension Int32: TemplateScalar {}
extension Int64: TemplateScalar {}
extension UInt: TemplateScalar {}
extension UInt8: TemplateScalar {}
extension UInt16: TemplateScalar {}
extension UInt32: TemplateScalar {}
extension UInt64: TemplateScalar {}
extension Float: TemplateScalar {}
extension Double: TemplateScalar {}

extension Bool: TemplateScalar {
    /// `true` or `false`.
    public var templateText: String { self ? "true" : "false" }
}

extension UUID: TemplateScalar {
    /// The text in upper case.
    public var templateText: String { uuidString }
}

extension URL: TemplateScalar {
    /// The absolute address.
    public var templateText: String { absoluteString }
}

extension URITemplate.Value: TemplateVariable {
    /// The value itself.
    public var templateValue: URITemplate.Value { self }
}

extension Optional: TemplateVariable where Wrapped: TemplateVariable {
    /// The wrapped value, undefined where there is none.
    public var templateValue: URITemplate.Value { self?.templateValue ?? .undefined }
}

extension Array: TemplateVariable where Element: TemplateScalar {
    /// The elements in their order.
    public var templateValue: URITemplate.Value { .list(map(\.templateText)) }
}

extension Dictionary: TemplateVariable where Key == String, Value: TemplateScalar {
    /// The pairs, sorted by key so that the same values always make the same text; ``URITemplate/Value`` keeps an order.
    public var templateValue: URITemplate.Value {
        .pairs(sorted { $0.key < $1.key }.map { URITemplate.Value.Pair($0.key, $0.value.templateText) })
    }
}
