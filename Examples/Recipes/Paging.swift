import Errand

extension GalleryAPI: PagedHandler {}  // an array, and a `Link` field that names the next page

func newest(_ count: Int, with loader: APILoader<GalleryAPI>) async throws -> [Photo] {
    var photos: [Photo] = []
    for try await photo in loader.pages(from: GalleryQuery()).items {
        photos.append(photo)
        if photos.count == count { break }  // no further page is asked for
    }
    return photos
}
