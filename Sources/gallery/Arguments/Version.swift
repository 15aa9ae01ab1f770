/// The version of this program, which is the package's.
package enum Version {
    package static let text: String = "0.1.0"
    /// The day of this version.
    package static let date: String = "2026-11-21"
}
