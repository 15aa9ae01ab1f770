import Errand
import ErrandSupport

/// The path of a variable, such as `input.pictures.0`.
struct VariablePath: CustomStringConvertible {
    /// The maximum number of elements of a path.
    private static let elementLimit = 32
    private static let null = Data("null".utf8)

    private let elements: [String]

    /// Parses a path.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if an element is empty, or if there are too many.
    init(_ text: String) throws(ServiceError) {
        elements = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard elements.count <= Self.elementLimit, !elements.contains("") else {
            throw ServiceError(
                .encoding,
                "expected the path of a variable such as input.pictures.0 as the name of a file, found "
                    + "“\(text.singleLine(limit: 64))”")
        }
    }

    /// The name of the variable.
    var variable: String { elements.first ?? "" }

    var description: String { "invalid variable path “\(elements.joined(separator: ".").singleLine(limit: 64))”" }

    /// Returns JSON with `null` at the path. Objects and lists that are missing are created.
    func settingNull(in value: Data?) throws(ServiceError) -> Data {
        try settingNull(in: value, at: elements[...])
    }

    private func settingNull(in value: Data?, at path: ArraySlice<String>) throws(ServiceError) -> Data {
        let value = value.flatMap { Self.isNull($0) ? nil : $0 }
        guard let name = path.first else {
            guard value == nil else {
                throw ServiceError(.encoding, "\(self): expected null or no value, found another value")
            }
            return Self.null
        }
        let rest = path.dropFirst()
        if let members = value.flatMap(RawJSON.members) ?? (value == nil && Self.index(name) == nil ? [] : nil) {
            return try settingMember(name, of: members, at: rest)
        }
        guard let elements = value == nil ? [] : value.flatMap({ RawJSON.elements(of: $0, upTo: .max) }) else {
            throw ServiceError(
                .encoding,
                "\(self): expected an object or a list at “\(name.singleLine(limit: 64))”, found another value")
        }
        return try settingElement(name, of: elements, at: rest)
    }

    /// Returns the index in a list that an element of a path names, or `nil` if it is not an index.
    private static func index(_ element: String) -> Int? {
        Int(element).flatMap { "\($0)" == element ? $0 : nil }
    }

    /// Whether JSON is `null`. An encoder may add a line break.
    private static func isNull(_ value: Data) -> Bool {
        value.starts(with: null) && value.dropFirst(null.count).allSatisfy { " \t\r\n".utf8.contains($0) }
    }

    private func settingMember(
        _ name: String, of members: [(name: String, value: Data)], at rest: ArraySlice<String>
    ) throws(ServiceError) -> Data {
        var members = members
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = try settingNull(in: members[index].value, at: rest)
        } else {
            members.append((name, try settingNull(in: nil, at: rest)))
        }
        do {
            return try RawJSON.object(members)
        } catch {
            throw ServiceError(wrapping: error, as: .encoding, "the variables can't be encoded")
        }
    }

    private func settingElement(
        _ name: String, of elements: [Data], at rest: ArraySlice<String>
    ) throws(ServiceError) -> Data {
        var elements = elements
        guard let index = Self.index(name), (0...elements.count).contains(index) else {
            throw ServiceError(
                .encoding,
                "\(self): expected an index of at most \(elements.count), found “\(name.singleLine(limit: 20))”")
        }
        let value = try settingNull(in: index < elements.count ? elements[index] : nil, at: rest)
        if index < elements.count { elements[index] = value } else { elements.append(value) }
        return RawJSON.array(elements)
    }
}
