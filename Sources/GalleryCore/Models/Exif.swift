/// How a photo was taken, as the camera wrote it down.
public struct Exif: Sendable, Hashable {
    /// Who made the camera.
    public var make: String?
    /// The camera's model.
    public var model: String?
    /// Maker and model together.
    public var name: String?
    /// Seconds, as a fraction: `1/80`.
    public var exposureTime: String?
    /// The f-number, such as `4.0`.
    public var aperture: String?
    /// Millimetres, such as `23.0`.
    public var focalLength: String?
    /// The sensitivity.
    public var iso: Int?
}

extension Exif: Codable {
    private enum CodingKeys: String, CodingKey {
        case make, model, name, aperture, iso
        case exposureTime = "exposure_time"
        case focalLength = "focal_length"
    }
}
