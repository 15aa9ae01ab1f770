/// Where a photo was taken.
public struct PhotoLocation: Sendable, Hashable, Codable {
    /// A point on the globe.
    public struct Position: Sendable, Hashable, Codable {
        /// Degrees north.
        public var latitude: Double?
        /// Degrees east.
        public var longitude: Double?
    }

    /// The place in words.
    public var name: String?
    /// The city.
    public var city: String?
    /// The country.
    public var country: String?
    /// The point; 0, 0 where the server knows none.
    public var position: Position?
}
