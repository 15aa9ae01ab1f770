// Stand-ins for the UIKit types that the sample uses, with the same isolation, for platforms without them. On tvOS,
// UIKit has no `UIRefreshControl`. On watchOS, it has no views.
#if !canImport(UIKit) || os(tvOS) || os(watchOS)
    import Errand

    @MainActor class UITableViewController {
        let tableView = UITableView()
        var refreshControl: UIRefreshControl?
        var title: String?

        init(style: UITableView.Style) {}
        required init?(coder: NSCoder) { nil }

        func viewDidLoad() {}
        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            UITableViewCell()
        }
    }

    @MainActor class UITableView {
        enum Style { case plain }
        private(set) var reloads = 0

        func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
        func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
            UITableViewCell()
        }
        func reloadData() { reloads += 1 }
    }

    protocol UIContentConfiguration {}

    struct UIListContentConfiguration: UIContentConfiguration {
        var text: String?
    }

    @MainActor class UITableViewCell {
        var contentConfiguration: (any UIContentConfiguration)?

        func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
    }

    @MainActor class UIAction {
        let handler: @MainActor (UIAction) -> Void

        init(handler: @escaping @MainActor (UIAction) -> Void) { self.handler = handler }
    }

    @MainActor class UIRefreshControl {
        enum Event { case valueChanged }
        private(set) var actions: [UIAction] = []
        private(set) var endings = 0

        func addAction(_ action: UIAction, for event: Event) { actions.append(action) }
        func endRefreshing() { endings += 1 }
    }

    extension IndexPath {
        init(row: Int, section: Int) { self = [section, row] }
        var row: Int { self[1] }
    }
#endif
