/// The version of this program, which is the package's.
package enum Version {
    package static let text: String = "0.1.0"
}
