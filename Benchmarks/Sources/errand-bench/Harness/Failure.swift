/// The error of a benchmark that cannot measure, or that exceeds a limit.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
