extension LoopbackServer {
    /// Runs a server for as long as the body runs, and stops it in any case.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 lets the system choose a free one.
    ///   - configuration: Limits, recording and the like.
    ///   - handler: Answers the requests.
    ///   - body: Uses the server.
    /// - Returns: What the body returns.
    /// - Throws: ``LoopbackError`` when the server cannot be started, and whatever the body throws.
    public static func withServer<Result>(
        port: Int = 0, configuration: Configuration = .init(), _ handler: @escaping Handler,
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = try LoopbackServer(port: port, configuration: configuration, handler: handler)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}
