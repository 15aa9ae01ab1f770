/// The location at which a photo was taken.
public struct PhotoLocation: Sendable, Hashable, Codable {
    /// A geographic position.
    public struct Position: Sendable, Hashable, Codable {
        /// The latitude in degrees north.
        public var latitude: Double?
        /// The longitude in degrees east.
        public var longitude: Double?
    }

    /// The name of the location.
    public var name: String?
    /// The city.
    public var city: String?
    /// The country.
    public var country: String?
    /// The position. The server sends 0, 0 if it is unknown.
    public var position: Position?
}
