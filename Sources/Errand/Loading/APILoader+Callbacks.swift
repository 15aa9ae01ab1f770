extension APILoader {
    /// Creates a loader. An older spelling of ``init(_:session:time:random:)``.
    public init(apiHandler: T, urlSession: some APISession = .platform) {
        self.init(apiHandler, session: urlSession)
    }

    /// The value of the API call.
    public typealias Value = T.ResponseDataType

    /// Runs the API call from code that is not asynchronous.
    ///
    /// Exactly one of the two closures runs, once, on the actor of the calling code. After ``LoadToken/cancel()``, it
    /// is `failure` with ``ServiceError/Code/cancelled``, unless the API call had already ended.
    /// - Returns: A token that cancels the API call. You can discard it.
    @discardableResult
    public func load(
        _ data: T.RequestDataType,
        @_inheritActorContext success: @escaping @isolated(any) @Sendable (T.ResponseDataType) -> Void,
        @_inheritActorContext failure: @escaping @isolated(any) @Sendable (ServiceError) -> Void
    ) -> LoadToken {
        LoadToken {
            do throws(ServiceError) {
                await success(try await load(data))
            } catch {
                await failure(error)
            }
        }
    }

    /// Runs the API call with one completion handler. An older spelling of ``load(_:success:failure:)``.
    ///
    /// Exactly one of the two arguments of the completion handler is not `nil`.
    @discardableResult
    public func loadAPIRequest(
        requestData: T.RequestDataType,
        @_inheritActorContext completionHandler: @escaping @isolated(any) @Sendable (Value?, ServiceError?) -> Void
    ) -> LoadToken {
        LoadToken {
            do throws(ServiceError) {
                await completionHandler(try await load(requestData), nil)
            } catch {
                await completionHandler(nil, error)
            }
        }
    }
}
