/// The state machine of a download run: it decides the next action.
///
/// Fetches have priority. The follow-up work of fetched pictures has separate slots, and its time is limited at the end
/// of the run. Pictures arrive in batches. The next batch is requested before the previous one is exhausted.
struct DownloadQueue: Sendable {
    enum Action: Sendable {
        case fetch(DownloadPlan.Entry)
        case follow(Picture)
        case list
        case limitTime
    }

    /// The next batch is requested when at most `backlog * limit` pictures are waiting.
    private static let backlog = 4

    private let limit: Int
    private var waiting: ArraySlice<DownloadPlan.Entry> = []
    private var isListing = false
    private var isListed = false
    private var fetching = 0
    private var fetched: ArraySlice<Picture> = []
    private var following = 0
    private var isTimeLimited = false

    /// Creates a queue.
    ///
    /// - Parameter limit: The maximum number of concurrent fetches, and of concurrent follow-ups.
    init(limit: Int) {
        self.limit = min(max(1, limit), 1 << 20)
    }

    /// The number of pictures with unfinished follow-up work.
    var unfollowed: Int { fetched.count + following }

    private var isFetched: Bool { isListed && waiting.isEmpty && fetching == 0 }

    var isDone: Bool { isFetched && unfollowed == 0 }

    /// Returns the next action to start, or `nil` if a running action must finish first.
    mutating func next() -> Action? {
        if fetching < limit, let entry = waiting.popFirst() {
            fetching += 1
            return .fetch(entry)
        }
        if following < limit, let picture = fetched.popFirst() {
            following += 1
            return .follow(picture)
        }
        if !isListed, !isListing, waiting.count <= Self.backlog * limit {
            isListing = true
            return .list
        }
        guard isFetched, following > 0, !isTimeLimited else { return nil }
        isTimeLimited = true
        return .limitTime
    }

    /// Adds a batch. `nil` ends the list.
    mutating func listed(_ entries: [DownloadPlan.Entry]?) {
        isListing = false
        isListed = entries == nil
        waiting += entries ?? []
    }

    /// Ends a fetch. A non-`nil` picture requires follow-up work.
    mutating func ended(toFollow picture: Picture?) {
        fetching -= 1
        if let picture { fetched.append(picture) }
    }

    mutating func followed() {
        following -= 1
    }
}
