extension APILoader {
    /// Makes a loader: the older spelling of ``init(_:session:time:random:)``.
    public init(apiHandler: T, urlSession: some APISession = .platform) {
        self.init(apiHandler, session: urlSession)
    }

    /// What the call gives.
    public typealias Value = T.ResponseDataType

    /// Runs the call for callers that can't wait.
    ///
    /// Exactly one of the two closures runs, once, on the actor that the call was written on; after
    /// ``LoadToken/cancel()`` it is `failure` with ``ServiceError/Code/cancelled``, unless the call had ended already.
    /// - Returns: A token that cancels the call; keeping it is not needed.
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

    /// The older spelling of ``load(_:success:failure:)``: exactly one of the handler's two arguments is not nil.
    ///
    /// Otherwise as ``load(_:success:failure:)``.
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
