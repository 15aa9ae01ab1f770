/// The differences between platforms.
package enum Platform {
    /// The name of the operating system, such as "Linux" or "iOS".
    package static var name: String {
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
