/// The camera settings of a photo, as recorded by the camera.
public struct Exif: Sendable, Hashable {
    /// The camera's manufacturer.
    public var make: String?
    /// The camera's model.
    public var model: String?
    /// The manufacturer and the model.
    public var name: String?
    /// The exposure time in seconds, as a fraction such as `1/80`.
    public var exposureTime: String?
    /// The f-number, such as `4.0`.
    public var aperture: String?
    /// The focal length in millimetres, such as `23.0`.
    public var focalLength: String?
    /// The ISO sensitivity.
    public var iso: Int?
}

extension Exif: Codable {
    private enum CodingKeys: String, CodingKey {
        case make, model, name, aperture, iso
        case exposureTime = "exposure_time"
        case focalLength = "focal_length"
    }
}
