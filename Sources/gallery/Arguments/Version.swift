/// The version of this program, which is the version of the package.
package enum Version {
    package static let text: String = "0.1.0"
    /// The release date of this version.
    package static let date: String = "2026-11-21"
}
