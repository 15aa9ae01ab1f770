extension LoopbackServer {
    /// Runs a server while the closure runs, and stops it when the closure returns or throws.
    ///
    /// - Parameters:
    ///   - port: The port to listen on. If 0, the system chooses a free port.
    ///   - configuration: Limits, recording and header options.
    ///   - handler: Returns the response to a request.
    ///   - body: Uses the server.
    /// - Returns: The result of `body`.
    /// - Throws: ``LoopbackError`` if the server cannot be started, and any error that `body` throws.
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
