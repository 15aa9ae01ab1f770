internal import Errand
internal import ErrandLoopback

/// An uploaded picture.
struct UploadedPicture: Sendable {
    let photo: CataloguePhoto
    let picture: Catalogue.Picture
}

extension CatalogueService {
    /// The uploaded photos, and then those of the catalogue. Each are sorted by time, newest first.
    var allPhotos: [CataloguePhoto] {
        let uploads = uploads
        return uploads.map { upload in
            var photo = upload.photo
            photo.user.totalPhotos = uploads.count
            return photo
        } + catalogue.photos
    }

    func uploadedPicture(_ file: String) -> Catalogue.Picture? {
        uploads.first { $0.photo.file == file }?.picture
    }

    /// Stores a picture and returns its photo.
    func upload(_ request: LoopbackRequest, _ base: CatalogueBase) throws(Refusal) -> LoopbackReply {
        // A web page of another site can send a form without permission.
        guard !["cross-site", "same-site"].contains(request["Sec-Fetch-Site"]) else {
            throw Refusal(403, "uploads from web pages of other sites are not allowed")
        }
        // The form has less than 64 kB besides the picture.
        guard request.bodyByteCount <= PictureUpload.sizeLimit + 65_536 else {
            throw Refusal(413, "the picture is larger than \(PictureUpload.sizeLimit) bytes")
        }
        let form = try UploadForm(request)
        let id = makeIdentifier()
        let photo = CataloguePhoto(form, id: id, date: time.date)
        // A stored picture never changes, so its identifier is sufficient as its entity tag.
        let picture = Catalogue.Picture(
            data: form.picture, contentType: form.format.contentType, entityTag: "\"\(id)\"")
        add(UploadedPicture(photo: photo, picture: picture))
        let model = full(photo, base.links)
        return Self.json(model, status: 201).header("Location", model.links.resource.absoluteString)
    }
}

extension CataloguePhoto {
    /// Creates the photo of an uploaded picture. All of them belong to one user.
    fileprivate init(_ form: UploadForm, id: String, date: Date) {
        let title = form.fileName.withoutExtension
        let words = FileName.words(Substring(title), limit: 80)
        let size = PictureSize(of: form.picture, form.format)
        self.init(
            file: "\(id).\(form.format.fileExtension)", id: id, slug: words.isEmpty ? id : "\(words)-\(id)",
            createdAt: date, updatedAt: date, width: size?.width ?? 0, height: size?.height ?? 0, color: nil,
            blurHash: nil, description: form.description, altDescription: title, likes: 0, views: 0,
            downloads: 0, tags: ["upload"], exif: Exif(), location: PhotoLocation(),
            user: Photographer(
                id: "guest", updatedAt: date, username: "guest", name: "Guest", firstName: "Guest", lastName: nil,
                portfolioURL: nil, bio: "The user of all uploaded pictures.", location: nil, totalLikes: 0,
                totalPhotos: 1, totalCollections: 0))
    }
}

extension String {
    /// The file name without its extension. A name that begins with its only dot has none.
    fileprivate var withoutExtension: String {
        guard let dot = lastIndex(of: "."), dot > startIndex else { return self }
        return String(self[..<dot])
    }
}
