/// How the pages of a walk are asked for.
struct PageWalk<T: PagedHandler>: Sendable {
    let loader: APILoader<PageCall<T>>

    /// Asks for a page; off its caller's actor, as its call and the next place are made here.
    @concurrent
    func page(at place: PagePlace<T.RequestDataType>) async throws(ServiceError) -> Pages<T>.Page {
        let (loaded, next) = try await loader.page(at: place)
        return Pages<T>.Page(
            loaded, number: place.number, items: loader.handler.wrapped.items(of: loaded.value), following: next)
    }
}

/// A page that is asked for while the one before it is read.
final class PageAhead<T: PagedHandler>: Sendable {
    private let task: Task<Result<Pages<T>.Page, ServiceError>, Never>

    /// Unstructured, as it runs between two calls of its reader; whoever lets go of this ends it.
    init(_ walk: PageWalk<T>, _ place: PagePlace<T.RequestDataType>) {
        task = Task {
            do throws(ServiceError) {
                return .success(try await walk.page(at: place))
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
