/// An upload on a server.
package struct UploadResource: Sendable, Hashable, Codable {
    /// The URL of the upload. It gives access to the upload.
    package var url: URL
    /// Whether the creation request, its response and the URL have the same origin.
    ///
    /// If `false`, another origin has chosen the URL. Requests to it then have only those headers of the handler that a
    /// redirect to another origin keeps.
    package let isSameOrigin: Bool
    /// Whether the last bytes were sent, and no response has shown since then that the upload is incomplete.
    package var mayBeComplete: Bool

    package init(url: URL, isSameOrigin: Bool, mayBeComplete: Bool = false) {
        (self.url, self.isSameOrigin, self.mayBeComplete) = (url, isSameOrigin, mayBeComplete)
    }
}
