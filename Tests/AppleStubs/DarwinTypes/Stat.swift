// swift-format-ignore-file
// A separate module: C also has a function `stat`, and one Swift module can't declare both.

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/stat.h
public struct stat {
    public var st_dev: Int32 = 0
    public var st_mode: UInt16 = 0
    public var st_nlink: UInt16 = 0
    public var st_ino: UInt64 = 0
    public var st_uid: UInt32 = 0
    public var st_gid: UInt32 = 0
    public var st_mtimespec: timespec = timespec()
    public var st_size: Int64 = 0
    public init() {}
}

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/_types/_timespec.h
public struct timespec {
    public var tv_sec: Int = 0
    public var tv_nsec: Int = 0
    public init() {}
    public init(tv_sec: Int, tv_nsec: Int) {}
}

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/_types/_timeval.h
public struct timeval {
    public var tv_sec: Int = 0
    public var tv_usec: Int32 = 0
    public init() {}
    public init(tv_sec: Int, tv_usec: Int32) {}
}
