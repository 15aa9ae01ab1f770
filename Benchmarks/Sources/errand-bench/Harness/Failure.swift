/// Why a benchmark ends without its figures, or with worse ones than are allowed.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
