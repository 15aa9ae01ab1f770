import Errand
import ErrandJSON

/// An answer that holds photos, read so that one odd photo does not cost the others.
///
/// It reads both a list and a search's page; only an answer that is neither fails.
public struct LossyPhotoList: PhotoList, Decodable {
    /// The photos that could be read, in the server's order.
    public let photos: [GalleryModel]
    /// Why each of the others could not be read.
    public let unreadable: [any Error]
    /// How many there are on all pages, where the answer's body says so.
    public let totalInBody: Int?

    private enum CodingKeys: String, CodingKey {
        case results, total
    }

    /// Decodes what can be decoded.
    public init(from decoder: any Decoder) throws {
        let list: LossyArray<GalleryModel>
        if decoder.mayHold(.object), let page = try? decoder.container(keyedBy: CodingKeys.self) {
            list = try page.decode(LossyArray<GalleryModel>.self, forKey: .results)
            totalInBody = try? page.decode(Int.self, forKey: .total)
        } else {
            list = try LossyArray(from: decoder)
            totalInBody = nil
        }
        photos = list.wrappedValue
        unreadable = list.projectedValue
    }
}
