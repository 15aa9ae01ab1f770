// swift-format-ignore-file
// A C function that returns a pointer of unstated nullability is imported with an implicitly unwrapped result:
// https://developer.apple.com/documentation/swift/designating-nullability-in-objective-c-apis

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/errno.h
public var errno: Int32 {
    get { 0 }
    set {}
}
public let EPERM: Int32 = 1
public let ENOENT: Int32 = 2
public let EINTR: Int32 = 4
public let EIO: Int32 = 5
public let EBADF: Int32 = 9
public let EACCES: Int32 = 13
public let EEXIST: Int32 = 17
public let ENOTDIR: Int32 = 20
public let EISDIR: Int32 = 21
public let EINVAL: Int32 = 22
public let ENFILE: Int32 = 23
public let EMFILE: Int32 = 24
public let EFBIG: Int32 = 27
public let ENOSPC: Int32 = 28
public let EROFS: Int32 = 30
public let EPIPE: Int32 = 32
public let EAGAIN: Int32 = 35
public let EWOULDBLOCK: Int32 = 35
public let ENOTSUP: Int32 = 45
public let EADDRINUSE: Int32 = 48
public let ECONNABORTED: Int32 = 53
public let ECONNRESET: Int32 = 54
public let ECONNREFUSED: Int32 = 61
public let ELOOP: Int32 = 62
public let ENAMETOOLONG: Int32 = 63
public let ENOTEMPTY: Int32 = 66
public let EDQUOT: Int32 = 69
public let ENOLCK: Int32 = 77
public let ENOSYS: Int32 = 78
public let EOPNOTSUPP: Int32 = 102

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/signal.h
public let SIGHUP: Int32 = 1
public let SIGINT: Int32 = 2
public let SIGKILL: Int32 = 9
public let SIGPIPE: Int32 = 13
public let SIGTERM: Int32 = 15
public typealias sig_t = @convention(c) (Int32) -> Void
@discardableResult public func kill(_ pid: Int32, _ signal: Int32) -> Int32 { 0 }

// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { { _ in } }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/signal.h
@discardableResult public func signal(_ number: Int32, _ handler: sig_t!) -> sig_t! { nil }
@discardableResult public func raise(_ number: Int32) -> Int32 { -1 }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/unistd.h
public let STDIN_FILENO: Int32 = 0
public let STDOUT_FILENO: Int32 = 1
public let STDERR_FILENO: Int32 = 2
public let X_OK: Int32 = 1
public let W_OK: Int32 = 2
@discardableResult public func dup(_ descriptor: Int32) -> Int32 { -1 }
public func _exit(_ status: Int32) -> Never { exit(status) }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/_stdlib.h
public func exit(_ status: Int32) -> Never { while true {} }
public func getenv(_ name: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>! { nil }
public func free(_ pointer: UnsafeMutableRawPointer?) {}
@discardableResult public func realpath(
    _ path: UnsafePointer<CChar>?, _ resolved: UnsafeMutablePointer<CChar>?
) -> UnsafeMutablePointer<CChar>! { nil }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/_string.h
public func memchr(_ bytes: UnsafeRawPointer?, _ byte: Int32, _ count: Int) -> UnsafeMutableRawPointer! { nil }
@discardableResult public func memcmp(_ one: UnsafeRawPointer?, _ other: UnsafeRawPointer?, _ count: Int) -> Int32 { 0 }
@discardableResult public func memcpy(
    _ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer! { nil }
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { nil }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/_time.h
public struct clockid_t: RawRepresentable, Equatable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public var CLOCK_MONOTONIC: clockid_t { clockid_t(rawValue: 6) }
public var CLOCK_PROCESS_CPUTIME_ID: clockid_t { clockid_t(rawValue: 12) }
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { clockid_t(rawValue: 16) }
@discardableResult public func clock_gettime(
    _ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>?
) -> Int32 { -1 }

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/ttycom.h
public struct winsize {
    public var ws_row: UInt16 = 0
    public var ws_col: UInt16 = 0
    public var ws_xpixel: UInt16 = 0
    public var ws_ypixel: UInt16 = 0
    public init() {}
}

// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/TiocConstants.swift
public var TIOCGWINSZ: UInt { 0x4008_7468 }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/math.h
public func pow(_ base: Double, _ exponent: Double) -> Double { 0 }

// https://github.com/apple-oss-distributions/libpthread/blob/libpthread-539/include/sys/_pthread/_pthread_types.h
public struct _opaque_pthread_t {}
public struct _opaque_pthread_attr_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public typealias pthread_attr_t = _opaque_pthread_attr_t

// https://github.com/apple-oss-distributions/libpthread/blob/libpthread-539/include/pthread/pthread.h
@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }
@discardableResult public func pthread_join(
    _ thread: pthread_t, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { -1 }
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { -1 }
