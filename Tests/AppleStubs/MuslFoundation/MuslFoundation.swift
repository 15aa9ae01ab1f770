// swift-format-ignore-file
// Foundation for Linux with musl. It replaces the C names that have another type in musl's headers.

// https://github.com/swiftlang/swift-corelibs-foundation
@_exported import Foundation

// https://git.musl-libc.org/cgit/musl/tree/include/sys/socket.h
public let SOCK_STREAM: Int32 = 1
public let MSG_NOSIGNAL: Int32 = 0x4000
public let SHUT_RD: Int32 = 0
public let SHUT_WR: Int32 = 1
public let SHUT_RDWR: Int32 = 2

// https://git.musl-libc.org/cgit/musl/tree/include/netinet/in.h
public let IPPROTO_TCP: Int32 = 6

// https://git.musl-libc.org/cgit/musl/tree/include/alltypes.h.in
public typealias pthread_t = OpaquePointer

// https://git.musl-libc.org/cgit/musl/tree/include/pthread.h
@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>?, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }
@discardableResult public func pthread_join(
    _ thread: pthread_t?, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { -1 }
@discardableResult public func pthread_detach(_ thread: pthread_t?) -> Int32 { -1 }
