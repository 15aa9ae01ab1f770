// swift-format-ignore-file
// The part of UIKit that the samples use, for type-checking only. Each class exists on the platforms that its page
// lists. watchOS does not have them.

// https://developer.apple.com/documentation/uikit
@_exported import AppleFoundation

#if !STUB_WATCHOS
    // https://developer.apple.com/documentation/uikit/uitableviewcontroller
    @MainActor open class UITableViewController: NSObject {
        public init(style: UITableView.Style) {}
        public required init?(coder: NSCoder) { nil }
        open var title: String?
        open func viewDidLoad() {}
        open var tableView: UITableView! = UITableView()
        open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
        open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            UITableViewCell()
        }
        #if !STUB_TVOS
            // https://developer.apple.com/documentation/uikit/uitableviewcontroller/refreshcontrol
            open var refreshControl: UIRefreshControl?
        #endif
    }

    // https://developer.apple.com/documentation/uikit/uitableview
    @MainActor open class UITableView: NSObject {
        public enum Style: Int { case plain, grouped, insetGrouped }
        open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
        open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
            UITableViewCell()
        }
        open func reloadData() {}
    }

    // https://developer.apple.com/documentation/uikit/uicontentconfiguration
    @MainActor @preconcurrency public protocol UIContentConfiguration {}

    // https://developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct
    public struct UIListContentConfiguration: UIContentConfiguration {
        public var text: String?
    }

    // https://developer.apple.com/documentation/uikit/uitableviewcell
    @MainActor open class UITableViewCell: NSObject {
        public var contentConfiguration: (any UIContentConfiguration)?
        public func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
    }

    // https://developer.apple.com/documentation/uikit/uiaction
    @MainActor open class UIAction: NSObject {
        public convenience init(title: String = "", handler: @escaping (UIAction) -> Void) { self.init() }
    }

    // https://developer.apple.com/documentation/uikit/uicontrol
    @MainActor open class UIControl: NSObject {
        // https://developer.apple.com/documentation/uikit/uicontrol/event
        public struct Event: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static let valueChanged = Event(rawValue: 1 << 12)
        }
        open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {}
    }

    #if !STUB_TVOS
        // https://developer.apple.com/documentation/uikit/uirefreshcontrol
        @MainActor open class UIRefreshControl: UIControl {
            open func endRefreshing() {}
        }
    #endif

    // https://developer.apple.com/documentation/foundation/indexpath
    extension IndexPath {
        public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
        public var row: Int { self[1] }
        public var section: Int { self[0] }
    }
#endif
