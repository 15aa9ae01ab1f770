import Errand
import GalleryCore
import Testing

@Suite(.enabled(if: Exchange.areThere, "ERRAND_VECTORS is not set"))
struct DocumentedFieldsTests {
    static let user = [
        "id", "updated_at", "username", "name", "first_name", "last_name", "twitter_username", "portfolio_url", "bio",
        "location", "links.self", "links.html", "links.photos", "links.likes", "links.portfolio", "links.following",
        "links.followers", "profile_image.small", "profile_image.medium", "profile_image.large", "instagram_username",
        "total_collections", "total_likes", "total_photos", "accepted_tos", "for_hire", "social.instagram_username",
        "social.portfolio_url", "social.twitter_username", "social.paypal_email",
    ]

    static let collection = [
        "id", "title", "description", "published_at", "last_collected_at", "updated_at", "curated", "featured",
        "total_photos", "private", "share_key", "tags[].title", "cover_photo", "user", "links.self", "links.html",
        "links.photos", "links.related",
    ]

    static let photo =
        [
            "id", "slug", "created_at", "updated_at", "promoted_at", "width", "height", "color", "blur_hash",
            "description",
            "alt_description", "likes", "liked_by_user", "views", "downloads", "public_domain", "urls.raw", "urls.full",
            "urls.regular", "urls.small", "urls.thumb", "urls.small_s3", "links.self", "links.html", "links.download",
            "links.download_location", "exif.make", "exif.model", "exif.name", "exif.exposure_time", "exif.aperture",
            "exif.focal_length", "exif.iso", "location.name", "location.city", "location.country",
            "location.position.latitude", "location.position.longitude", "meta.index", "tags[].type", "tags[].title",
            "topics[].id", "topics[].title", "topics[].slug", "topics[].visibility", "topic_submissions.{}.status",
            "topic_submissions.{}.approved_on", "sponsorship.impression_urls[]", "sponsorship.tagline",
            "sponsorship.tagline_url",
        ] + user.map { "user.\($0)" } + user.map { "sponsorship.sponsor.\($0)" }
        + collection.map { "current_user_collections[].\($0)" }

    /// Decodes a body with the type of its API call and encodes the result.
    private func encodedAgain(_ body: Data, of exchange: Exchange) throws -> Data {
        func again<Value: Codable>(_: Value.Type) throws -> Data {
            try JSONEncoder.errand.encode(try JSONDecoder.errand.decode(Value.self, from: body))
        }
        if exchange.path == "/search/photos" { return try again(GallerySearchResult.self) }
        return body.first == UInt8(ascii: "[") ? try again([GalleryModel].self) : try again(GalleryModel.self)
    }

    /// Returns the key path prefix of the photos in a body.
    private func front(of exchange: Exchange, _ body: JSONValue) -> String {
        if exchange.path == "/search/photos" { return "results[]." }
        if case .list = body { return "[]." } else { return "" }
    }

    @Test func `documented members of recorded photos survive decoding and encoding`() throws {
        let exchanges = try Exchange.all().filter(\.holdsPhotos)
        #expect(exchanges.count == 19)
        var found: Set<String> = []
        for exchange in exchanges {
            let body = Data(Exchange.filled(exchange.body, api: "http://127.0.0.1:80/").utf8)
            let before = try JSONValue(body)
            let after = try JSONValue(try encodedAgain(body, of: exchange))
            let front = front(of: exchange, before)
            for path in Self.photo {
                let wanted = before.values(at: Substring(front + path)).map { $0.comparable(at: path) }
                let kept = after.values(at: Substring(front + path)).map { $0.comparable(at: path) }
                #expect(kept == wanted, "\(path) of \(exchange.target)")
                if !wanted.isEmpty { found.insert(path) }
            }
        }
        #expect(found.count > 80, "expected more than 80 documented members in the recordings, found \(found.count)")
    }

    @Test func `the counts of a search survive decoding and encoding`() throws {
        for exchange in try Exchange.all() where exchange.path == "/search/photos" {
            let body = Data(Exchange.filled(exchange.body, api: "http://127.0.0.1:80/").utf8)
            let (before, after) = (try JSONValue(body), try JSONValue(try encodedAgain(body, of: exchange)))
            for path in ["total", "total_pages"] {
                #expect(after.values(at: Substring(path)) == before.values(at: Substring(path)))
                #expect(before.values(at: Substring(path)).count == 1)
            }
        }
    }
}
