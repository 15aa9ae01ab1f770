import Errand
import Observation

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
    import UIKit
#endif

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class GalleryTable: UITableViewController {
    private let model: APIModel<GalleryAPI>

    init(_ model: APIModel<GalleryAPI>) {
        self.model = model
        super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "photo")
        let pull = UIRefreshControl()
        pull.addAction(UIAction { [weak self] _ in self?.model.reload() }, for: .valueChanged)
        refreshControl = pull
        follow()
        model.load(GalleryQuery())
    }

    /// Updates the table now and after each change of the model.
    private func follow() {
        let state = withObservationTracking {
            model.state
        } onChange: { [weak self] in
            Task { @MainActor [weak self] in self?.follow() }
        }
        if !state.isLoading { refreshControl?.endRefreshing() }
        title = state.error?.localizedDescription ?? "Gallery"
        tableView.reloadData()
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        model.state.value?.count ?? 0
    }

    override func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
        let photos = model.state.value ?? []
        let cell = tableView.dequeueReusableCell(withIdentifier: "photo", for: path)
        var content = cell.defaultContentConfiguration()
        content.text = photos[path.row].description ?? photos[path.row].id
        cell.contentConfiguration = content
        if path.row == photos.count - 1 { model.loadMore() }
        return cell
    }
}
