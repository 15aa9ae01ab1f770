import ErrandSupport

/// The keys of an object of a ``JSONTape``, for lookup by name.
///
/// Canonically equivalent keys are the same key, as in the dictionary of Foundation's decoder. The first of them
/// counts. A key with more consecutive combining marks than can be compared in linear time is only equal to the same
/// bytes.
struct JSONKeyIndex {
    private var names: [String: Int] = [:]
    /// The keys that cannot be hashed in linear time.
    private var others: [Int] = []

    init(of object: Int, in tape: JSONTape) {
        for index in tape.keys(of: object) {
            if tape.hasTooManyMarks(index) {
                others.append(index)
                continue
            }
            let name = tape.text(index)
            if names[name] == nil { names[name] = index }
        }
    }

    /// The indices of the keys, in the order of the text.
    var indices: [Int] { (names.values + others).sorted() }

    func index(of name: String, in tape: JSONTape) -> Int? {
        guard tape.hasTooManyMarks, name.hasTooManyMarks else { return names[name] }
        return others.first { tape.text($0).utf8.elementsEqual(name.utf8) }
    }
}
