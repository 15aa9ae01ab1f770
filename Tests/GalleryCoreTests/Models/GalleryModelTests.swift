import Errand
import GalleryCore
import Testing

@Suite struct GalleryModelTests {
    /// A photo with only the members that are always present.
    static let smallest = """
        {"id":1,"created_at":"2020-01-02T03:04:05-05:00","updated_at":"2020-01-02T03:04:05Z","width":4,"height":3,
        "likes":0,"liked_by_user":false,
        "urls":{"raw":"http://p/raw","full":"http://p/full","regular":"http://p/regular","small":"http://p/small",
        "thumb":"http://p/thumb"},
        "links":{"self":"http://a/photos/1","html":"http://w/1","download":"http://w/1/download"},
        "user":{"id":"u","username":"ann","name":"Ann",
        "links":{"self":"http://a/users/ann","html":"http://w/@ann","photos":"http://a/users/ann/photos"}}}
        """

    private func photo(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> GalleryModel {
        var members = try #require(try JSONSerialization.jsonObject(with: Data(Self.smallest.utf8)) as? [String: Any])
        change(&members)
        return try JSONDecoder.errand.decode(
            GalleryModel.self, from: try JSONSerialization.data(withJSONObject: members))
    }

    @Test func `a missing member is nil and has no default`() throws {
        let photo = try photo()
        #expect(photo.id == "1" && photo.user.id == "u")
        #expect(photo.description == nil && photo.tags == nil && photo.exif == nil && photo.views == nil)
        #expect(photo.currentUserCollections == nil && photo.user.totalPhotos == nil && photo.urls.smallS3 == nil)
    }

    @Test func `a null member is nil and is not encoded`() throws {
        let photo = try photo { $0["description"] = NSNull() }
        let encoded = try JSONValue(try JSONEncoder.errand.encode(photo))
        #expect(photo.description == nil)
        guard case .object(let members) = encoded else { return #expect(Bool(false), "expected a JSON object") }
        #expect(
            Set(members.keys) == [
                "id", "created_at", "updated_at", "width", "height", "likes", "liked_by_user", "urls", "links", "user",
            ])
    }

    @Test(arguments: [
        "id", "created_at", "updated_at", "width", "height", "likes", "liked_by_user", "urls", "links", "user",
    ])
    func `decoding fails with the name of a missing required member`(key: String) throws {
        let error = try #require(throws: DecodingError.self) { try photo { $0[key] = nil } }
        #expect("\(error)".contains(key))
    }

    @Test(
        arguments: [
            ("A dog", "brown dog", "A dog"), (" \n", "brown dog", "brown dog"), (nil, "brown dog", "brown dog"),
            (nil, nil, "1"),
        ] as [(String?, String?, String)])
    func `the title is the first text that is not blank`(description: String?, alt: String?, title: String) throws {
        var photo = try photo()
        photo.description = description
        photo.altDescription = alt
        #expect(photo.title == title)
    }

    @Test(arguments: PhotoSize.allCases)
    func `every size has its URL`(size: PhotoSize) throws {
        #expect(try photo().urls[size].absoluteString == "http://p/\(size.rawValue)")
    }

    @Test func `an unknown decision is preserved`() throws {
        let photo = try photo { $0["topic_submissions"] = ["nature": ["status": "postponed"]] }
        #expect(photo.topicSubmissions?["nature"]?.status == .unknown("postponed"))
        #expect(try JSONDecoder.errand.decode(GalleryModel.self, from: try JSONEncoder.errand.encode(photo)) == photo)
    }

    @Test func `an error of the server is printed on one line`() {
        #expect(UnsplashError(errors: ["one\ntwo", "three"]).description == "one\\u{A}two; three")
    }
}
