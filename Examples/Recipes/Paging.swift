import Errand

extension GalleryAPI: PagedHandler {}  // for an array and a `Link` header with the next page

func newest(_ count: Int, with loader: APILoader<GalleryAPI>) async throws -> [Photo] {
    var photos: [Photo] = []
    for try await photo in loader.pages(from: GalleryQuery()).items {
        photos.append(photo)
        if photos.count == count { break }  // no further page is requested
    }
    return photos
}
