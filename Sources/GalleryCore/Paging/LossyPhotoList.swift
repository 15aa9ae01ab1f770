import Errand
import ErrandJSON

/// A leniently decoded response with photos. Invalid photos are skipped.
///
/// It decodes both a list and a page of search results. Other responses fail.
public struct LossyPhotoList: PhotoList, Decodable {
    /// The valid photos, in the server's order.
    public let photos: [GalleryModel]
    /// The decoding errors of the skipped photos.
    public let unreadable: [any Error]
    /// The number of photos on all pages, or `nil` if the response body does not contain it.
    public let totalInBody: Int?

    private enum CodingKeys: String, CodingKey {
        case results, total
    }

    /// Decodes the valid photos and collects the errors of the others.
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
