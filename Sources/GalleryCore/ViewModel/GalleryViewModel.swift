public import Errand
import ErrandSupport
public import Observation

/// The gallery for a view: the editors' list page by page, or what a search finds.
///
/// ```swift
/// @State private var gallery = GalleryViewModel(environment: .production, accessKey: key)
///
/// List(gallery.photos) { photo in PhotoRow(photo) }
///     .searchable(text: $gallery.searchText)
///     .overlay { Text(gallery.message ?? "") }
///     .task { gallery.load() }
///     .refreshable {
///         await gallery.reload()
///         await gallery.settled()
///     }
/// ```
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class GalleryViewModel {
    /// How long typing must pause before a search is sent: 300 ms.
    public static let searchPause: Duration = .milliseconds(300)

    private typealias List<Call: GalleryHandler> = APIModel<PhotoPages<Call>>
    where Call.ResponseDataType: PhotoList

    private let list: List<GalleryAPI>
    /// Made anew when a search begins, so that it never shows what an older one found.
    private var search: List<SearchAPI>?
    private var text = ""
    @ObservationIgnored private let makeSearch: @MainActor () -> List<SearchAPI>

    /// Makes a view model; ``load()`` asks for the first page.
    /// - Parameters:
    ///   - environment: Where the API lives.
    ///   - session: What requests go through.
    ///   - accessKey: What the server knows the program by.
    ///   - time: What the pause of typing is measured on.
    public init(
        environment: GalleryEnvironment, session: some APISession = .platform, accessKey: Secret? = nil,
        time: some TimeSource = .system
    ) {
        let photos = GalleryAPI(environment: environment, accessKey: accessKey)
        list = APIModel(pagesOf: APILoader(PhotoPages(wrapped: photos), session: session, time: time))
        makeSearch = {
            let search = SearchAPI(environment: environment, accessKey: accessKey)
            let loader = APILoader(PhotoPages(wrapped: search), session: session, time: time)
            return APIModel(pagesOf: loader) { shown, answer in
                var joined = answer
                joined.results = shown.results + answer.results
                return joined
            }
        }
    }

    /// The photos of the list, or of the search while there is a text to search for.
    public var photos: [GalleryModel] { search.map { $0.state.value?.photos ?? [] } ?? list.state.value ?? [] }

    /// Whether photos are on the way.
    public var isLoading: Bool { search?.state.isLoading ?? list.state.isLoading }

    /// Whether ``loadMore()`` would load something.
    public var hasMore: Bool { search?.canLoadMore ?? list.canLoadMore }

    /// What to tell a person when loading failed: the server's own sentence where it sent one.
    public var message: String? {
        (search.map(\.state.error) ?? list.state.error)?.errorDescription
    }

    /// What to search for. Setting it searches after a pause of ``searchPause``; a blank text goes back to the list.
    public var searchText: String {
        get { text }
        set {
            let isNew = newValue.trimmed() != text.trimmed()
            text = newValue
            if isNew { find(newValue.trimmed()) }
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension GalleryViewModel {
    /// Loads the first page, or the search at once.
    public func load() {
        if let search { search.load(SearchQuery(text.trimmed())) } else { list.load(GalleryQuery()) }
    }

    /// Loads the next page; does nothing unless ``hasMore``.
    public func loadMore() {
        if let search { search.loadMore() } else { list.loadMore() }
    }

    /// Loads the first page again, and shows what there is meanwhile.
    public func reload() {
        load()
    }

    /// Ends what is on the way.
    public func cancel() {
        if let search { search.cancel() } else { list.cancel() }
    }

    /// Waits until nothing is on the way; ends at once when the waiting task is cancelled.
    public func settled() async {
        if let search { await search.settled() } else { await list.settled() }
    }

    private func find(_ text: String) {
        guard !text.isEmpty else {
            search = nil
            return
        }
        let model = search ?? makeSearch()
        search = model
        model.load(SearchQuery(text), debounce: Self.searchPause)
    }
}
