import Errand
import Foundation
import GalleryCore

/// A photo with hostile text.
enum HostilePhoto {
    static func json(id: String = "h", title: String, name: String = "Ada", page: String = "https://x.example/h") throws
        -> String
    {
        let user: [String: Any] = [
            "id": "u", "username": "ada", "name": name,
            "links": ["self": page, "html": page, "photos": page],
        ]
        let picture = "https://x.example/h.png"
        let photo: [String: Any] = [
            "id": id, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "width": 3,
            "height": 2, "likes": 0, "liked_by_user": false, "description": title, "user": user,
            "urls": ["raw": picture, "full": picture, "regular": picture, "small": picture, "thumb": picture],
            "links": ["self": page, "html": page, "download": picture],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: photo), as: UTF8.self)
    }

    static func model(title: String, name: String = "Ada", page: String = "https://x.example/h") throws -> GalleryModel
    {
        try JSONDecoder.errand.decode(GalleryModel.self, from: Data(json(title: title, name: name, page: page).utf8))
    }
}
