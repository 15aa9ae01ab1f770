import Errand
import ErrandSupport
import GalleryCore

/// The details of a picture as lines. Missing details have no line.
struct PhotoSheet {
    private let photo: GalleryModel
    private let mask: KeyMask

    init(_ photo: GalleryModel, _ mask: KeyMask) {
        self.photo = photo
        self.mask = mask
    }

    func lines(_ console: Console) -> [String] {
        let width = facts.map(\.name.count).max() ?? 0
        let title = console.emphasised(mask.hide(photo.title).singleLine(limit: 400), .bold, on: console.output)
        return [title]
            + facts.map { fact in
                let space = String(repeating: " ", count: width - fact.name.count)
                return "\(fact.name)\(space)  \(mask.hide(fact.text).singleLine(limit: 600))"
            }
    }

    private struct Fact {
        let name: String
        let text: String

        init?(_ name: String, _ text: String?) {
            guard let text, !text.isEmpty else { return nil }
            self.name = name
            self.text = text
        }
    }

    private var facts: [Fact] {
        [picture, people, camera, place, links].joined().compactMap(\.self)
    }

    private var picture: [Fact?] {
        [
            Fact("Identifier", photo.id), Fact("Size", "\(photo.width) x \(photo.height) pixels"),
            Fact("Seen", photo.altDescription), Fact("Uploaded", day(photo.createdAt)), Fact("Colour", photo.color),
            Fact("Likes", "\(photo.likes)"), Fact("Views", photo.views.map { "\($0)" }),
            Fact("Downloads", photo.downloads.map { "\($0)" }), Fact("Tags", tags),
        ]
    }

    private var people: [Fact?] {
        let user = photo.user
        return [
            Fact("Photographer", "\(user.name) (@\(user.username))"), Fact("Lives in", user.location),
            Fact("About", user.bio),
            Fact("Profile", user.links.html.absoluteString), Fact("Sponsor", photo.sponsorship?.sponsor?.name),
        ]
    }

    private var camera: [Fact?] {
        guard let exif = photo.exif else { return [] }
        let name = exif.name ?? [exif.make, exif.model].compactMap(\.self).joined(separator: " ")
        return [
            Fact("Camera", name), Fact("Exposure", exif.exposureTime.map { "\($0) s" }),
            Fact("Aperture", exif.aperture.map { "f/\($0)" }),
            Fact("Focal length", exif.focalLength.map { "\($0) mm" }),
            Fact("ISO", exif.iso.map { "\($0)" }),
        ]
    }

    private var place: [Fact?] {
        guard let location = photo.location else { return [] }
        let name = location.name ?? [location.city, location.country].compactMap(\.self).joined(separator: ", ")
        var point: String?
        if let latitude = location.position?.latitude, let longitude = location.position?.longitude,
            latitude != 0 || longitude != 0
        {
            point = "\(latitude), \(longitude)"
        }
        return [Fact("Place", name), Fact("Position", point)]
    }

    private var links: [Fact?] {
        [
            Fact("Page", photo.links.html.absoluteString), Fact("Picture", photo.urls.regular.absoluteString),
            Fact("Licence", licence),
        ]
    }

    private var licence: String {
        if photo.publicDomain == true { return "public domain" }
        let isUnsplash = photo.links.html.host() == "unsplash.com"
        return isUnsplash ? "Unsplash License, https://unsplash.com/license" : "the API does not say; see the page"
    }

    private var tags: String? { photo.tags.map { $0.map(\.title).joined(separator: ", ") } }

    /// Returns the day in UTC, such as `2026-11-21`.
    private func day(_ date: Date) -> String { String(date.ISO8601Format().prefix(10)) }
}
