/// Texts that are slow to compare.
package enum HostileText {
    /// Returns combining marks that alternate between five combining classes.
    package static func marks(_ count: Int, _ marks: [Unicode.Scalar] = disordered) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: (0..<count).map { marks[$0 % marks.count] })
        return text
    }

    package static let disordered: [Unicode.Scalar] = ["\u{315}", "\u{300}", "\u{316}", "\u{327}", "\u{334}"]
}
