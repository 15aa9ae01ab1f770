/// A node of the tree that an encoder fills. It is a class, because nested containers outlive the call that created
/// them.
///
/// Foundation's encoders trap if one value requests two kinds of container. This node stores such an error until
/// ``resolved()`` throws it, because the calls that cause it cannot throw.
final class QueryNode {
    enum Kind { case empty, text, members, elements }

    private(set) var kind = Kind.empty
    private(set) var children: [QueryNode] = []
    private var text = ""
    private var names: [String] = []
    private var indices: [String: Int] = [:]
    private var refusal: EncodingError?

    /// Whether nothing has been written here, not even an empty container.
    var isUntouched: Bool { kind == .empty && refusal == nil }

    /// Sets the kind of this node. Returns `false` if it already has another kind.
    func become(_ wanted: Kind) -> Bool {
        if kind == .empty { kind = wanted }
        return kind == wanted
    }

    /// Sets a single value.
    func set(_ text: String) {
        kind = .text
        self.text = text
    }

    /// Sets a member. It replaces a member that has the same name.
    func set(_ child: QueryNode, named name: String) {
        guard kind == .members, refusal == nil else { return }
        if let index = indices[name] {
            children[index] = child
        } else {
            indices[name] = children.count
            names.append(name)
            children.append(child)
        }
    }

    /// Appends an element.
    func append(_ child: QueryNode) {
        guard kind == .elements, refusal == nil else { return }
        children.append(child)
    }

    /// Returns the member that has the given name.
    func child(named name: String) -> QueryNode? {
        indices[name].map { children[$0] }
    }

    /// Stores the first error that could not be thrown at its origin. From then on, the node ignores members and
    /// elements, so that a chain of nested containers cannot grow without limit.
    func refuse(_ error: EncodingError) {
        refusal = refusal ?? error
    }

    /// Replaces the content of this node with that of another one.
    func takeOver(_ other: QueryNode) {
        (kind, children, text) = (other.kind, other.children, other.text)
        (names, indices, refusal) = (other.names, other.indices, other.refusal)
    }

    /// Returns the value without `nil` and empty branches, or `nil` if it is empty.
    func resolved() throws -> QueryValue? {
        if let refusal { throw refusal }
        switch kind {
        case .empty: return nil
        case .text: return .text(text)
        case .elements: return .list(try children.compactMap { try $0.resolved() })
        case .members:
            let members = try zip(names, children).compactMap { name, child in
                try child.resolved().map { QueryValue.Member(name: name, value: $0) }
            }
            return .object(members)
        }
    }
}

extension QueryNode {
    /// Sorts the members by name.
    func sortMembers() {
        guard kind == .members else { return }
        let sorted = zip(names, children).sorted { $0.0 < $1.0 }
        names = sorted.map(\.0)
        children = sorted.map(\.1)
        indices = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// Sorts the elements by their text if all are single values.
    func sortElements() {
        guard kind == .elements, children.allSatisfy({ $0.kind == .text }) else { return }
        children.sort { $0.text < $1.text }
    }
}
