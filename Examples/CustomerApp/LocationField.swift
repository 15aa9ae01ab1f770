package import Errand

/// A text field that suggests locations for the latest text. It has no suggestions while loading or after a failure.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor package final class LocationField {
    private static let shortest = 2
    private let model: APIModel<AutocompleteAPI>
    private var text = ""

    package init(_ loader: APILoader<AutocompleteAPI>) {
        model = APIModel(loader)
    }

    package func type(_ text: String) {
        self.text = text
        guard text.count >= Self.shortest else { return model.cancel() }
        model.load(text, debounce: .milliseconds(300))  // replaces a pending or running load
    }

    package var suggestions: [Location] {
        guard text.count >= Self.shortest, case .loaded(let locations) = model.state else { return [] }
        return locations
    }

    package func settled() async { await model.settled() }
}
