// swift-format-ignore-file

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/stat.h
@_exported public import DarwinTypes

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/_types.h
public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias pid_t = Int32

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/fcntl.h
public let O_RDONLY: Int32 = 0x0000
public let O_WRONLY: Int32 = 0x0001
public let O_RDWR: Int32 = 0x0002
public let O_NONBLOCK: Int32 = 0x0004
public let O_APPEND: Int32 = 0x0008
public let O_NOFOLLOW: Int32 = 0x0100
public let O_CREAT: Int32 = 0x0200
public let O_TRUNC: Int32 = 0x0400
public let O_EXCL: Int32 = 0x0800
public let O_DIRECTORY: Int32 = 0x0010_0000
public let O_CLOEXEC: Int32 = 0x0100_0000
public let F_GETFD: Int32 = 1
public let F_SETFD: Int32 = 2
public let F_GETFL: Int32 = 3
public let F_SETFL: Int32 = 4
public let FD_CLOEXEC: Int32 = 1
public let LOCK_SH: Int32 = 0x01
public let LOCK_EX: Int32 = 0x02
public let LOCK_NB: Int32 = 0x04
public let LOCK_UN: Int32 = 0x08

// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IRGRP: mode_t { 0o000040 }
public var S_IROTH: mode_t { 0o000004 }
@discardableResult public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
@discardableResult public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
@discardableResult public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { -1 }
@discardableResult public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { -1 }
@discardableResult public func ioctl(_ fd: Int32, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> Int32 { -1 }

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/stat.h
@discardableResult public func chmod(_ path: UnsafePointer<CChar>?, _ mode: mode_t) -> Int32 { -1 }
@discardableResult public func fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 { -1 }
@discardableResult public func fstat(_ descriptor: Int32, _ facts: UnsafeMutablePointer<DarwinTypes.stat>?) -> Int32 { -1 }
@discardableResult public func lstat(
    _ path: UnsafePointer<CChar>?, _ facts: UnsafeMutablePointer<DarwinTypes.stat>?
) -> Int32 { -1 }
@discardableResult public func stat(
    _ path: UnsafePointer<CChar>?, _ facts: UnsafeMutablePointer<DarwinTypes.stat>?
) -> Int32 { -1 }
@discardableResult public func mkdir(_ path: UnsafePointer<CChar>?, _ mode: mode_t) -> Int32 { -1 }
@discardableResult public func mkfifo(_ path: UnsafePointer<CChar>?, _ mode: mode_t) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
@discardableResult public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { -1 }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/unistd.h
@discardableResult public func close(_ descriptor: Int32) -> Int32 { -1 }
@discardableResult public func pipe(_ ends: UnsafeMutablePointer<Int32>?) -> Int32 { -1 }
@discardableResult public func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int { -1 }
@discardableResult public func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int { -1 }
@discardableResult public func fsync(_ descriptor: Int32) -> Int32 { -1 }
@discardableResult public func ftruncate(_ descriptor: Int32, _ length: off_t) -> Int32 { -1 }
@discardableResult public func pread(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: off_t
) -> Int { -1 }
@discardableResult public func pwrite(
    _ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int, _ offset: off_t
) -> Int { -1 }
@discardableResult public func geteuid() -> UInt32 { 0 }
@discardableResult public func isatty(_ descriptor: Int32) -> Int32 { 0 }
@discardableResult public func link(_ path: UnsafePointer<CChar>?, _ other: UnsafePointer<CChar>?) -> Int32 { -1 }
@discardableResult public func unlink(_ path: UnsafePointer<CChar>?) -> Int32 { -1 }
@discardableResult public func access(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> Int32 { -1 }

// https://github.com/apple-oss-distributions/Libc/blob/Libc-1725.0.11/include/_stdio.h
@discardableResult public func rename(_ old: UnsafePointer<CChar>?, _ new: UnsafePointer<CChar>?) -> Int32 { -1 }
