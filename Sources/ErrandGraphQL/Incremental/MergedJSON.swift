import Errand

/// A mutable JSON value. The parts that no path has reached are kept as text.
indirect enum MergedJSON: Sendable {
    /// A change of the value at a path.
    enum Edit {
        /// Adds the members of an object to an object.
        case merge(MergedJSON)
        /// Adds elements at the end of a list. The index, if it is known, must be the number of its elements.
        case append([MergedJSON], at: Int?)

        /// Whether the edit adds nothing.
        var isEmpty: Bool {
            switch self {
            case .merge(let value): value.isEmptyObject
            case .append(let items, _): items.isEmpty
            }
        }
    }

    /// The members of an object. Names are compared as bytes, because comparing strings can take quadratic time.
    struct Members: Sendable {
        fileprivate var indexes: [[UInt8]: Int] = [:]
        fileprivate var entries: [(name: String, value: MergedJSON)] = []

        /// Adds a member. If a name is repeated, the first value is used, as by the decoder.
        fileprivate mutating func add(_ name: String, _ value: MergedJSON) {
            guard indexes[Array(name.utf8)] == nil else { return }
            indexes[Array(name.utf8)] = entries.count
            entries.append((name, value))
        }
    }

    /// The maximum number of levels that are merged, as for ``GraphQLValue``.
    static let depthLimit = 128

    case text(Data)
    case object(Members)
    case list([MergedJSON])

    /// Applies an edit to the value at a path.
    /// - Throws: ``/Errand/ServiceError`` if the path does not exist or the value has another type.
    mutating func apply(
        _ edit: Edit, at path: ArraySlice<GraphQLError.PathElement>, depth: Int = 0
    ) throws(ServiceError) {
        guard let element = path.first else { return try apply(edit, depth) }
        expand()
        switch element {
        case .field(let name):
            guard case .object(var members) = self, let index = members.indexes[Array(name.utf8)] else { break }
            // Releases the storage, so that the change does not copy it.
            self = .list([])
            defer { self = .object(members) }
            return try members.entries[index].value.apply(edit, at: path.dropFirst(), depth: depth + 1)
        case .index(let index):
            guard case .list(var elements) = self, elements.indices.contains(index) else { break }
            self = .list([])
            defer { self = .list(elements) }
            return try elements[index].apply(edit, at: path.dropFirst(), depth: depth + 1)
        }
        throw ServiceError(
            .badResponse, "expected the path of a value of the response, found \([element].text) in \(kind)")
    }

    private mutating func apply(_ edit: Edit, _ depth: Int) throws(ServiceError) {
        switch edit {
        case .merge(let value):
            guard kind == .object else {
                throw ServiceError(.badResponse, "expected the path of an object for the deferred data, found \(kind)")
            }
            try merge(value, depth)
        case .append(let items, let index):
            expand()
            guard case .list(var elements) = self else {
                throw ServiceError(.badResponse, "expected the path of a list for the streamed items, found \(kind)")
            }
            guard index == nil || index == elements.count else {
                throw ServiceError(
                    .badResponse, "expected streamed items at index \(elements.count), found index \(index ?? 0)")
            }
            self = .list([])
            elements += items
            self = .list(elements)
        }
    }

    /// Merges objects member by member and lists element by element. Replaces all other values.
    private mutating func merge(_ other: MergedJSON, _ depth: Int) throws(ServiceError) {
        guard depth <= Self.depthLimit else {
            throw ServiceError(.badResponse, "expected at most \(Self.depthLimit) levels in a payload, found more")
        }
        var other = other
        guard kind == other.kind, kind != .value else {
            self = other
            return
        }
        expand()
        other.expand()
        switch (self, other) {
        case (.object(var members), .object(let added)):
            self = .list([])
            defer { self = .object(members) }
            for (name, value) in added.entries {
                if let index = members.indexes[Array(name.utf8)] {
                    try members.entries[index].value.merge(value, depth + 1)
                } else {
                    members.add(name, value)
                }
            }
        case (.list(var elements), .list(let added)):
            self = .list([])
            defer { self = .list(elements) }
            for (index, value) in added.enumerated() {
                if elements.indices.contains(index) {
                    try elements[index].merge(value, depth + 1)
                } else {
                    elements.append(value)
                }
            }
        default: self = other
        }
    }
}

extension MergedJSON {
    /// The type of a value.
    enum Kind: String, CustomStringConvertible {
        case object, list, value

        var description: String { self == .object ? "an object" : self == .list ? "a list" : "another value" }
    }

    var kind: Kind {
        switch self {
        case .object: return .object
        case .list: return .list
        case .text(let data):
            switch data.first(where: { !" \t\r\n".utf8.contains($0) }) {
            case UInt8(ascii: "{"): return .object
            case UInt8(ascii: "["): return .list
            default: return .value
            }
        }
    }

    private var isEmptyObject: Bool {
        switch self {
        case .object(let members): members.entries.isEmpty
        case .list: false
        case .text(let data): data.elementsEqual("{}".utf8)
        }
    }

    /// Parses one level of a text.
    private mutating func expand() {
        guard case .text(let data) = self else { return }
        if let found = RawJSON.members(of: data) {
            var members = Members()
            for (name, value) in found { members.add(name, .text(value)) }
            self = .object(members)
        } else if let found = RawJSON.elements(of: data, upTo: .max) {
            self = .list(found.map { .text($0) })
        }
    }

    /// Adds the text of the value to a buffer.
    func write(to output: inout Data) {
        switch self {
        case .text(let data): output += data
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.entries.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output += RawJSON.string(member.name)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        case .list(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        }
    }
}
