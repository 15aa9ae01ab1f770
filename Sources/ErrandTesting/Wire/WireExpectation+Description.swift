import Errand

extension WireExpectation: CustomStringConvertible {
    /// What a client may do, in words.
    public var description: String {
        if let flaw { return "it must fail: \(flaw)" }
        let bodies = answers.map { "\($0.status) with \($0.body.count) bytes" }.joined(separator: ", or ")
        if mustSucceed { return "it must succeed: \(bodies)" }
        let reasons = freedoms.map(\.description).sorted().map { " (\($0))" }.joined()
        return "it may succeed: \(bodies)\(reasons)"
    }
}
