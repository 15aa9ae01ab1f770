import Errand

/// What the C library does with memory that is given back to it.
enum Memory {
    private static let trimThreshold: (option: Int32, bytes: Int32) = (-1, 32 << 20)
    private static let mappingThreshold: (option: Int32, bytes: Int32) = (-3, 16 << 20)

    /// Has it keep for what comes next up to 32 MB in each of its arenas (of which threads that ask for memory at once have
    /// one each), and map only what is larger than 16 MB on its own.
    ///
    /// Of itself, glibc returns to the system what a picture took as soon as it is on disk, and the next one's first touch of
    /// each page is a fault: 5 to 26 per cent of the time that 1,000 pictures take. What the user's own
    /// variables say of it counts for more. Where there is no `mallopt`, or it knows other options, nothing changes.
    static func keepFreed(_ environment: [String: String]) {
        let variables = ["GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"]
        guard variables.allSatisfy({ environment[$0] == nil }), let program = dlopen(nil, RTLD_NOW),
            let symbol = dlsym(program, "mallopt")
        else { return }
        typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        let setOption = unsafeBitCast(symbol, to: SetOption.self)
        for (option, bytes) in [trimThreshold, mappingThreshold] { _ = setOption(option, bytes) }
    }
}
