public import Errand
import ErrandSupport
public import Observation

/// The view model of a gallery: the editorial list page by page, or the results of a search.
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
    /// The pause in typing after which a search is sent: 300 ms.
    public static let searchPause: Duration = .milliseconds(300)

    private typealias List<Call: GalleryHandler> = APIModel<PhotoPages<Call>>
    where Call.ResponseDataType: PhotoList

    private let list: List<GalleryAPI>
    /// Created anew when a search begins, so that it never shows the results of an earlier search.
    private var search: List<SearchAPI>?
    private var text = ""
    @ObservationIgnored private let makeSearch: @MainActor () -> List<SearchAPI>

    /// Creates a view model. ``load()`` loads the first page.
    /// - Parameters:
    ///   - environment: The environment of the API.
    ///   - session: The session that sends the requests.
    ///   - accessKey: The access key of the API.
    ///   - time: The time source of ``searchPause``.
    public init(
        environment: GalleryEnvironment, session: some APISession = .platform, accessKey: Secret? = nil,
        time: some TimeSource = .system
    ) {
        let photos = GalleryAPI(environment: environment, accessKey: accessKey)
        list = APIModel(pagesOf: APILoader(PhotoPages(wrapped: photos), session: session, time: time))
        makeSearch = {
            let search = SearchAPI(environment: environment, accessKey: accessKey)
            let loader = APILoader(PhotoPages(wrapped: search), session: session, time: time)
            return APIModel(pagesOf: loader) { shown, page in
                var joined = page
                joined.results = shown.results + page.results
                return joined
            }
        }
    }

    /// The photos of the list, or the results of the search if ``searchText`` is not blank.
    public var photos: [GalleryModel] { search.map { $0.state.value?.photos ?? [] } ?? list.state.value ?? [] }

    /// Whether photos are being loaded.
    public var isLoading: Bool { search?.state.isLoading ?? list.state.isLoading }

    /// Whether ``loadMore()`` can load another page.
    public var hasMore: Bool { search?.canLoadMore ?? list.canLoadMore }

    /// The message to show when loading failed. It is the server's message if it sent one.
    public var message: String? {
        (search.map(\.state.error) ?? list.state.error)?.errorDescription
    }

    /// The search text. Setting it starts a search after ``searchPause``. A blank text returns to the list.
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
    /// Loads the first page of the list or of the search, without a pause.
    public func load() {
        if let search { search.load(SearchQuery(text.trimmed())) } else { list.load(GalleryQuery()) }
    }

    /// Loads the next page. Does nothing unless ``hasMore`` is `true`.
    public func loadMore() {
        if let search { search.loadMore() } else { list.loadMore() }
    }

    /// Reloads the first page and shows the current photos in the meantime.
    public func reload() {
        load()
    }

    /// Cancels the current load.
    public func cancel() {
        if let search { search.cancel() } else { list.cancel() }
    }

    /// Waits until no load is in progress. Returns immediately when the waiting task is cancelled.
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
