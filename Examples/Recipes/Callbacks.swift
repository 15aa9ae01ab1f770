import Errand

@MainActor final class GalleryController {
    private let bag = LoadToken.Bag()  // cancels its loads when it is released
    private(set) var photos: [Photo] = []

    func reload(_ loader: APILoader<GalleryAPI>) {
        loader.load(GalleryQuery()) { [weak self] photos in
            self?.photos = photos  // runs on the main actor, like the caller
        } failure: { error in
            print(error.localizedDescription)
        }.store(in: bag)
    }
}
