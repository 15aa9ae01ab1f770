package import Errand

/// A screen that cancels its request when it is released.
@MainActor package final class TermsScreen {
    package private(set) var text = ""
    private let bag = LoadToken.Bag()  // cancels its loads when it is released

    package init() {}

    package func appear(_ environment: ShopEnvironment, session: some APISession = .platform) {
        APILoader(API.Terms.get(), session: session).load(environment) { [weak self] terms in
            self?.text = terms.text
        } failure: { [weak self] error in
            self?.text = error.localizedDescription
        }.store(in: bag)
    }
}
