internal import Errand
internal import ErrandLoopback

extension CatalogueService {
    func full(_ photo: CataloguePhoto, _ base: URL) -> GalleryModel {
        photo.full(at: base, extraDownloads: downloads[photo.id] ?? 0)
    }

    func photo(_ id: String) throws(Refusal) -> CataloguePhoto {
        guard let photo = allPhotos.first(where: { $0.id == id }) else {
            throw Refusal(404, "Couldn't find Photo")
        }
        return photo
    }

    func photos(of username: String) throws(Refusal) -> [CataloguePhoto] {
        let photos = allPhotos.filter { $0.user.username == username }
        guard !photos.isEmpty else { throw Refusal(404, "Couldn't find User") }
        return photos
    }

    func photographer(_ username: String) throws(Refusal) -> CataloguePhoto.Photographer {
        guard let photo = try photos(of: username).first else { throw Refusal(404, "Couldn't find User") }
        return photo.user
    }

    /// Returns a page of photos in the requested order.
    func list(_ all: [CataloguePhoto], _ request: LoopbackRequest, _ base: CatalogueBase) throws(Refusal)
        -> LoopbackReply
    {
        let paging = try CataloguePaging(request)
        let photos = try ordered(oriented(all, request), by: request.item("order_by") ?? "latest")
        return cacheable(
            paging.items(of: photos).map { $0.summary(at: base.links) },
            paging.headers(total: photos.count, of: request, at: base.api), for: request, lifetime: paging.lifetime)
    }

    func search(_ request: LoopbackRequest, _ base: CatalogueBase) throws(Refusal) -> LoopbackReply {
        guard let query = request.item("query") else { throw Refusal(400, "query is missing") }
        let paging = try CataloguePaging(request)
        let order = request.item("order_by") ?? "relevant"
        guard ["relevant", "latest"].contains(order) else { throw Refusal(400, "order_by does not have a valid value") }
        let hits = try oriented(allPhotos, request).filter { $0.matches(query) }
        let results = paging.items(of: hits).map { $0.summary(at: base.links) }
        let page = GallerySearchResult(
            total: hits.count, totalPages: paging.pageCount(of: hits.count), results: results)
        return cacheable(
            page, paging.headers(total: hits.count, of: request, at: base.api), for: request, lifetime: paging.lifetime)
    }

    /// Returns one photo, or a list if the query has `count`.
    func random(_ request: LoopbackRequest, _ base: CatalogueBase) throws(Refusal) -> LoopbackReply {
        var photos = try request.item("username").map(photos(of:)) ?? allPhotos
        if let query = request.item("query") { photos = photos.filter { $0.matches(query) } }
        photos = try oriented(photos, request)
        guard !photos.isEmpty else { throw Refusal(404, "No photos found.") }
        let count = try request.count("count")
        var chosen: [GalleryModel] = []
        while chosen.count < min(count ?? 1, 30), !photos.isEmpty {
            let index = min(max(chooseIndex(0..<photos.count), 0), photos.count - 1)
            chosen.append(full(photos.remove(at: index), base.links))
        }
        return count == nil ? Self.json(chosen.first) : Self.json(chosen)
    }

    /// Counts a download and returns the URL of the picture.
    func download(_ id: String, _ base: URL) throws(Refusal) -> LoopbackReply {
        let photo = try photo(id)
        countDownload(of: photo.id)
        return Self.json(DownloadLocation(url: photo.summary(at: base).urls.full))
    }

    /// Returns a picture. Requests with credentials are rejected, so that a client that leaks its key is noticed.
    func picture(_ file: String, _ request: LoopbackRequest) throws(Refusal) -> LoopbackReply {
        guard request["Authorization"] == nil else {
            throw Refusal(400, "unexpected Authorization header: pictures require no credentials")
        }
        guard let picture = catalogue.pictures[file] ?? uploadedPicture(file) else {
            throw Refusal(404, "Couldn't find this picture")
        }
        return
            (request.has(picture.entityTag)
            ? LoopbackReply.status(304) : .data(picture.data, type: picture.contentType))
            .header("ETag", picture.entityTag).header("Cache-Control", "public, max-age=31536000, immutable")
            .header("X-Content-Type-Options", "nosniff")
    }

    private func ordered(_ photos: [CataloguePhoto], by order: String) throws(Refusal) -> [CataloguePhoto] {
        switch order {
        case "latest": photos
        case "oldest": photos.reversed()
        case "popular": photos.sorted { $0.likes > $1.likes }
        default: throw Refusal(400, "order_by does not have a valid value")
        }
    }

    private func oriented(_ photos: [CataloguePhoto], _ request: LoopbackRequest) throws(Refusal) -> [CataloguePhoto] {
        guard let orientation = request.item("orientation").map(PhotoOrientation.init) else { return photos }
        guard [.landscape, .portrait, .squarish].contains(orientation) else {
            throw Refusal(400, "orientation does not have a valid value")
        }
        return photos.filter { $0.orientation == orientation }
    }
}
