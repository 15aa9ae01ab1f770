/// What differs between platforms, in one word each.
public enum Platform {
    /// The operating system's name.
    public static var name: String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #else
            "Unknown"
        #endif
    }
}
