internal import CGalleryCore
internal import Errand

/// The bundled pictures. Their bytes are part of the binary.
struct Catalogue: Sendable {
    /// The bytes of a picture, their media type and their entity tag.
    struct Picture: Sendable {
        let data: Data
        let contentType: String
        let entityTag: String
    }

    /// The photos, newest first.
    let photos: [CataloguePhoto]
    /// The pictures, keyed by file name.
    let pictures: [String: Picture]

    /// Loads the catalogue.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the bundled catalogue is
    ///   invalid.
    static func bundled() throws(ServiceError) -> Catalogue {
        var files: [String: Data] = [:]
        for index in 0..<gallery_catalogue_count() {
            let entry = gallery_catalogue_entry_at(index)
            guard let name = entry.name, let bytes = entry.bytes else { continue }
            files[String(cString: name)] = constant(bytes, entry.count)
        }
        guard let list = files.removeValue(forKey: "catalogue.json") else {
            throw ServiceError(.configuration, "the bundled catalogue does not contain catalogue.json")
        }
        do {
            let photos = try JSONDecoder.errand.decode([CataloguePhoto].self, from: list)
            return Catalogue(
                photos: photos.sorted { $0.createdAt > $1.createdAt }, pictures: files.mapValues(Picture.init))
        } catch {
            throw ServiceError(.configuration, "can't decode the bundled catalogue.json", underlying: error)
        }
    }

    /// Wraps constant bytes of the binary without a copy. They are never deallocated or modified.
    private static func constant(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Data {
        Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: count, deallocator: .none)
    }
}

extension Catalogue {
    /// Returns a strong entity tag. FNV-1a is sufficient to distinguish two versions of a bundled file or of a page.
    static func entityTag(of data: Data) -> String {
        let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}

extension Catalogue.Picture {
    fileprivate init(_ data: Data) {
        self.init(data: data, contentType: "image/png", entityTag: Catalogue.entityTag(of: data))
    }
}
