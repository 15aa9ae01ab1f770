/// One place of the tree that an encoder fills; a class, as nested containers outlive the call that made them.
///
/// What Foundation's encoders trap on (two kinds of container for one value) is kept as a refusal and thrown by
/// ``resolved()``, as the calls that meet it can't throw.
final class QueryNode {
    enum Kind { case empty, text, members, elements }

    private(set) var kind = Kind.empty
    private(set) var children: [QueryNode] = []
    private var text = ""
    private var names: [String] = []
    private var places: [String: Int] = [:]
    private var refusal: EncodingError?

    /// Whether nothing has been written here, not even an empty container.
    var isUntouched: Bool { kind == .empty && refusal == nil }

    /// Makes this the place of a list or of a keyed value; false where it is something else already.
    func become(_ wanted: Kind) -> Bool {
        if kind == .empty { kind = wanted }
        return kind == wanted
    }

    /// Puts a single value here.
    func set(_ text: String) {
        kind = .text
        self.text = text
    }

    /// Puts a member here, in the place of one that has its name.
    func set(_ child: QueryNode, named name: String) {
        guard kind == .members, refusal == nil else { return }
        if let place = places[name] {
            children[place] = child
        } else {
            places[name] = children.count
            names.append(name)
            children.append(child)
        }
    }

    /// Puts an element here, after those that are here.
    func append(_ child: QueryNode) {
        guard kind == .elements, refusal == nil else { return }
        children.append(child)
    }

    /// The member of a name.
    func child(named name: String) -> QueryNode? {
        places[name].map { children[$0] }
    }

    /// Keeps the first error that could not be thrown where it was met. From then on nothing is added here, so that no
    /// chain of nested containers grows without end.
    func refuse(_ error: EncodingError) {
        refusal = refusal ?? error
    }

    /// Takes everything that was written elsewhere.
    func takeOver(_ other: QueryNode) {
        (kind, children, text) = (other.kind, other.children, other.text)
        (names, places, refusal) = (other.names, other.places, other.refusal)
    }

    /// What was written here, without `nil` and empty branches; nil where nothing is left.
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
    /// Orders the members by name.
    func sortMembers() {
        guard kind == .members else { return }
        let sorted = zip(names, children).sorted { $0.0 < $1.0 }
        names = sorted.map(\.0)
        children = sorted.map(\.1)
        places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// Orders the elements by their text, where all are single values.
    func sortElements() {
        guard kind == .elements, children.allSatisfy({ $0.kind == .text }) else { return }
        children.sort { $0.text < $1.text }
    }
}
