import Errand
import ErrandValkey

/// The limit of API requests of `--rate` and `--shared`.
struct RequestLimit: Sendable {
    /// The first characters of the limit's key on the server of `--shared`. The API and the access key determine the rest.
    private static let prefix = "errand:gallery:"

    let interceptor: SharedRateLimitInterceptor
    /// The store of `--shared`.
    private let store: ValkeyLimitStore?
    /// The requests per second of this process while the server fails.
    private let share: Double

    /// Creates the limit. Returns `nil` if the options contain none.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` for an invalid URL.
    init?(_ options: GalleryOptions.Limit) throws(ServiceError) {
        guard options.rate != nil || options.server != nil else { return nil }
        let rate = options.rate ?? GalleryOptions.Limit.sharedRate
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(rate, per: .seconds(1), burst: 1))
        policy.workers = options.workers
        // A list is not complete if a request is refused because it would wait for too long.
        policy.maximumWait = .seconds(86_400)
        share = Double(rate) / Double(options.workers)
        guard let server = options.server else {
            (store, interceptor) = (nil, SharedRateLimitInterceptor(policy, in: MemoryLimitStore()))
            return
        }
        let client = ValkeyClient(try ValkeyClient.Configuration(server, password: options.password))
        let store = ValkeyLimitStore(client, prefix: Self.prefix)
        (self.store, interceptor) = (store, SharedRateLimitInterceptor(policy, in: store))
    }

    /// Returns a warning if the server of `--shared` can't be used.
    func warning() async -> String? {
        do {
            try await store?.check()
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            let reason = ServiceError(wrapping: error, as: .connection, "no connection").reason
            let rate = share == share.rounded() ? "\(Int(share))" : "\((share * 1_000).rounded() / 1_000)"
            return
                "the limit is not shared: \(reason). Until the server responds, this process sends \(rate) requests per second"
        }
    }
}
