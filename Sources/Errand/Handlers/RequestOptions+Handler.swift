extension RequestOptions {
    /// The handler of the call. `nil` for a request that no loader made.
    var handler: (any APIHandler)? { caller as? any APIHandler }
}
