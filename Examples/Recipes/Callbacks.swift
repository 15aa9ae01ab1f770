import Errand

@MainActor final class GalleryController {
    private let bag = LoadToken.Bag()  // dropping it cancels what it holds
    private(set) var photos: [Photo] = []

    func reload(_ loader: APILoader<GalleryAPI>) {
        loader.load(GalleryQuery()) { [weak self] photos in
            self?.photos = photos  // on the main actor, like the code around it
        } failure: { error in
            print(error.localizedDescription)
        }.store(in: bag)
    }
}
