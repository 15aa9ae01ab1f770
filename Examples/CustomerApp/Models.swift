package import Errand

package struct Customer: Codable, Equatable, Sendable {
    package let firstName: String
    package let lastName: String
    @StringID package var avatarID: String?
}

package struct Offer: Codable, Equatable, Sendable {
    package let title: String
}

package struct Location: Codable, Equatable, Sendable {
    package let name: String
}

package struct UploadedImage: Codable, Sendable {
    @StringID package var id: String
}

package struct Terms: Codable, Equatable, Sendable {
    package let text: String
}
