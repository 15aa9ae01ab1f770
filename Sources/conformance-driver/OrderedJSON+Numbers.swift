import Errand

extension OrderedJSON {
    /// The maximum number in a request. A `Double` represents each integer up to it exactly.
    private static let largest: Double = 1e15

    /// Returns a member that is a number, or `nil` if it is absent or null.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the member is not a number within the
    ///   range.
    func number(_ key: String, in range: ClosedRange<Double> = 0...largest) throws(ServiceError) -> Double? {
        switch self[key] {
        case nil, .null: return nil
        case .number(let text):
            if let number = Double(text), range.contains(number) { return number }
            throw Self.refusal(of: key, "a number from \(range.lowerBound) to \(range.upperBound)", found: text)
        case let other?:
            throw Self.refusal(of: key, "a number", found: other.text)
        }
    }

    /// Returns a member that is an integer, or `nil` if it is absent or null.
    /// - Throws: Like ``number(_:in:)``, and if the number has a fraction.
    func integer(_ key: String, in range: ClosedRange<Int> = 0...Int(largest)) throws(ServiceError) -> Int? {
        guard let number = try number(key, in: Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
        guard let integer = Int(exactly: number) else {
            throw Self.refusal(of: key, "an integer", found: self[key]?.text ?? "")
        }
        return integer
    }

    private static func refusal(of key: String, _ expected: String, found: String) -> ServiceError {
        ServiceError(.configuration, "invalid \(key) \(found.prefix(40)): expected \(expected)")
    }
}
