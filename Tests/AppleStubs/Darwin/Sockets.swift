// swift-format-ignore-file

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/_types/_socklen_t.h
public typealias socklen_t = UInt32

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/_types/_sa_family_t.h
public typealias sa_family_t = UInt8

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/netinet/in.h
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32
public let IPPROTO_TCP: Int32 = 6
public struct in_addr {
    public var s_addr: in_addr_t = 0
    public init() {}
    public init(s_addr: in_addr_t) {}
}
public struct sockaddr_in {
    public var sin_len: UInt8 = 0
    public var sin_family: sa_family_t = 0
    public var sin_port: in_port_t = 0
    public var sin_addr: in_addr = in_addr()
    public var sin_zero: (CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar) = (0, 0, 0, 0, 0, 0, 0, 0)
    public init() {}
}

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/netinet/tcp.h
public let TCP_NODELAY: Int32 = 0x01

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/socket.h
public struct sockaddr {
    public var sa_len: UInt8 = 0
    public var sa_family: sa_family_t = 0
    public init() {}
}
public struct linger {
    public var l_onoff: Int32 = 0
    public var l_linger: Int32 = 0
    public init() {}
    public init(l_onoff: Int32, l_linger: Int32) {}
}
public let AF_INET: Int32 = 2
public let AF_INET6: Int32 = 30
public let SOCK_STREAM: Int32 = 1
public let SOL_SOCKET: Int32 = 0xffff
public let SO_REUSEADDR: Int32 = 0x0004
public let SO_LINGER: Int32 = 0x0080
public let SO_SNDBUF: Int32 = 0x1001
public let SO_RCVBUF: Int32 = 0x1002
public let SO_SNDTIMEO: Int32 = 0x1005
public let SO_RCVTIMEO: Int32 = 0x1006
public let SO_NOSIGPIPE: Int32 = 0x1022
public let SOMAXCONN: Int32 = 128
public let SHUT_RD: Int32 = 0
public let SHUT_WR: Int32 = 1
public let SHUT_RDWR: Int32 = 2

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/accept.2.html
@discardableResult public func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/bind.2.html
@discardableResult public func bind(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/connect.2.html
@discardableResult public func connect(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getsockname.2.html
@discardableResult public func getsockname(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/listen.2.html
@discardableResult public func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/recv.2.html
@discardableResult public func recv(
    _ socket: Int32, _ buffer: UnsafeMutableRawPointer?, _ length: Int, _ flags: Int32
) -> Int { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/send.2.html
@discardableResult public func send(
    _ socket: Int32, _ buffer: UnsafeRawPointer?, _ length: Int, _ flags: Int32
) -> Int { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/setsockopt.2.html
@discardableResult public func setsockopt(
    _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeRawPointer?, _ length: socklen_t
) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/shutdown.2.html
@discardableResult public func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { -1 }

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/socket.2.html
@discardableResult public func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { -1 }

// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/poll.h
public typealias nfds_t = UInt32
public let POLLIN: Int32 = 0x0001
public let POLLOUT: Int32 = 0x0004
public let POLLERR: Int32 = 0x0008
public let POLLHUP: Int32 = 0x0010
public let POLLNVAL: Int32 = 0x0020
public struct pollfd {
    public var fd: Int32 = 0
    public var events: Int16 = 0
    public var revents: Int16 = 0
    public init() {}
    public init(fd: Int32, events: Int16, revents: Int16) {}
}

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/poll.2.html
@discardableResult public func poll(
    _ descriptors: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ timeout: Int32
) -> Int32 { -1 }
