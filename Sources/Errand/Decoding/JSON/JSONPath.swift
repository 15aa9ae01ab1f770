/// The keys and indices that lead to a value, the last one first.
final class JSONPath {
    private let parent: JSONPath?
    private let key: any CodingKey

    init(_ parent: JSONPath?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    /// The keys from the top on.
    static func keys(_ path: JSONPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = path
        while let here = step {
            keys.append(here.key)
            step = here.parent
        }
        return keys.reversed()
    }
}
