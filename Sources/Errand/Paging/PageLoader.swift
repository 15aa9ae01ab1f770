/// A loader of the pages of a sequence.
struct PageLoader<T: PagedHandler>: Sendable {
    let loader: APILoader<PageCall<T>>

    /// Loads a page. Runs off the caller's actor, because the request and the next position are computed here.
    @concurrent
    func page(at position: PagePosition<T.RequestDataType>) async throws(ServiceError) -> Pages<T>.Page {
        let (loaded, next) = try await loader.page(at: position)
        return Pages<T>.Page(
            loaded, number: position.number, items: loader.handler.wrapped.items(of: loaded.value), following: next)
    }
}

/// A page that is prefetched while the previous page is used.
final class PageAhead<T: PagedHandler>: Sendable {
    private let task: Task<Result<Pages<T>.Page, ServiceError>, Never>

    /// Starts an unstructured task, because it runs between two calls of the iterator. Releasing this object cancels
    /// it.
    init(_ walk: PageLoader<T>, _ position: PagePosition<T.RequestDataType>) {
        task = Task {
            do throws(ServiceError) {
                return .success(try await walk.page(at: position))
            } catch {
                return .failure(error)
            }
        }
    }

    deinit { task.cancel() }

    func page() async throws(ServiceError) -> Pages<T>.Page {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}
