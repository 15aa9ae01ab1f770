/// What a run of downloads does next: pictures first, and after each one that was fetched what is to be done afterwards,
/// which takes no picture's slot. At the end the time for what is left of that is limited.
struct DownloadQueue: Sendable {
    enum Action: Sendable {
        case fetch(DownloadPlan.Entry)
        case follow(Picture)
        case limitTime
    }

    private let limit: Int
    private var waiting: ArraySlice<DownloadPlan.Entry>
    private var fetching = 0
    private var fetched: ArraySlice<Picture> = []
    private var following = 0
    private var isTimeLimited = false

    /// The limit is of those that are fetched at a time, and of those for which something is done afterwards.
    init(_ entries: [DownloadPlan.Entry], limit: Int) {
        waiting = entries[...]
        self.limit = max(1, limit)
    }

    /// How many pictures still need what is done afterwards.
    var unfollowed: Int { fetched.count + following }

    private var isFetched: Bool { waiting.isEmpty && fetching == 0 }

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
        guard isFetched, following > 0, !isTimeLimited else { return nil }
        isTimeLimited = true
        return .limitTime
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
