internal import Errand

extension CataloguePhoto {
    /// Returns the photo with the members that lists contain.
    func summary(at base: URL) -> GalleryModel {
        let picture = base.appending(path: "pictures/\(file)")
        let resource = base.appending(path: "photos/\(id)")
        return GalleryModel(
            id: id, slug: slug, createdAt: createdAt, updatedAt: updatedAt, width: width, height: height, color: color,
            blurHash: blurHash, description: description, altDescription: altDescription, likes: likes,
            likedByUser: false, urls: PhotoURLs(picture),
            links: PhotoLinks(
                resource: resource, html: base.appending(path: "web/photos/\(slug)"), download: picture,
                downloadLocation: resource.appending(path: "download")),
            user: user.model(at: base), currentUserCollections: [])
    }

    /// Returns the photo with all members, as in a response for its identifier.
    func full(at base: URL, extraDownloads: Int) -> GalleryModel {
        var photo = summary(at: base)
        photo.views = views
        photo.downloads = downloads + extraDownloads
        photo.publicDomain = true
        photo.exif = exif
        photo.location = location
        photo.meta = PhotoMeta(index: false)
        photo.tags = tags.map { PhotoTag(type: "search", title: $0) }
        photo.topics = []
        return photo
    }
}

extension CataloguePhoto.Photographer {
    func model(at base: URL) -> GalleryUser {
        let resource = base.appending(path: "users/\(username)")
        return GalleryUser(
            id: id, updatedAt: updatedAt, username: username, name: name, firstName: firstName, lastName: lastName,
            portfolioURL: portfolioURL, bio: bio, location: location,
            links: UserLinks(
                resource: resource, html: base.appending(path: "web/@\(username)"),
                photos: resource.appending(path: "photos")),
            totalCollections: totalCollections, totalLikes: totalLikes, totalPhotos: totalPhotos, acceptedTerms: true,
            forHire: false)
    }
}

extension PhotoURLs {
    /// Creates URLs to the same file for all sizes, because the bundled pictures are small.
    fileprivate init(_ picture: URL) {
        func sized(_ size: PhotoSize) -> URL {
            picture.appending(queryItems: [URLQueryItem(name: "size", value: size.rawValue)])
        }
        self.init(
            raw: sized(.raw), full: sized(.full), regular: sized(.regular), small: sized(.small), thumb: sized(.thumb))
    }
}
