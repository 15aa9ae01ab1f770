/// What a run of downloads does next: pictures first, and after each one that was fetched what is to be done afterwards,
/// which takes no picture's slot. At the end the time for what is left of that is limited.
///
/// Pictures come in batches, and the next one is asked for before the last one is used up.
struct DownloadQueue: Sendable {
    enum Action: Sendable {
        case fetch(DownloadPlan.Entry)
        case follow(Picture)
        case list
        case limitTime
    }

    /// The next batch is asked for as soon as no more pictures wait than so many times those that are fetched at a time.
    private static let backlog = 4

    private let limit: Int
    private var waiting: ArraySlice<DownloadPlan.Entry> = []
    private var isListing = false
    private var isListed = false
    private var fetching = 0
    private var fetched: ArraySlice<Picture> = []
    private var following = 0
    private var isTimeLimited = false

    /// The limit is of those that are fetched at a time, and of those for which something is done afterwards.
    init(limit: Int) {
        self.limit = min(max(1, limit), 1 << 20)
    }

    /// How many pictures still need what is done afterwards.
    var unfollowed: Int { fetched.count + following }

    private var isFetched: Bool { isListed && waiting.isEmpty && fetching == 0 }

    var isDone: Bool { isFetched && unfollowed == 0 }

    /// What to start now; nil when the next thing has to end first.
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

    /// A batch has come; nil where there are no more.
    mutating func listed(_ entries: [DownloadPlan.Entry]?) {
        isListing = false
        isListed = entries == nil
        waiting += entries ?? []
    }

    /// A picture ended; one that is given needs what is done afterwards.
    mutating func ended(toFollow picture: Picture?) {
        fetching -= 1
        if let picture { fetched.append(picture) }
    }

    mutating func followed() {
        following -= 1
    }
}
