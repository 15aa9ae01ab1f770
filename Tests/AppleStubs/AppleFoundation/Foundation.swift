// swift-format-ignore-file
// The part of Apple's Foundation that the package uses. FoundationEssentials is the part that both Foundations share.
// The other types are listed, because Linux's Foundation also exports Glibc and Linux-only types.

// https://developer.apple.com/documentation/foundation
@_exported import Darwin
@_exported import Dispatch

// https://github.com/swiftlang/swift-foundation
@_exported import FoundationEssentials
@_exported import FoundationInternationalization

// The page of each: https://developer.apple.com/documentation/foundation/ and the name in lower case.
@_exported import class Foundation.Bundle
@_exported import class Foundation.FileHandle
@_exported import class Foundation.InputStream
@_exported import class Foundation.JSONSerialization
@_exported import class Foundation.NSCoder
@_exported import class Foundation.NSData
@_exported import class Foundation.NSDecimalNumber
@_exported import class Foundation.NSDictionary
@_exported import class Foundation.NSError
@_exported import class Foundation.NSNull
@_exported import class Foundation.NSNumber
@_exported import class Foundation.NSObject
@_exported import class Foundation.NSString
@_exported import class Foundation.Pipe
@_exported import class Foundation.Process
@_exported import class Foundation.Stream
@_exported import class Foundation.Thread
@_exported import let Foundation.NSLocalizedDescriptionKey
@_exported import struct Foundation.CharacterSet
@_exported import struct Foundation.ObjCBool
@_exported import struct Foundation.POSIXError
@_exported import enum Foundation.POSIXErrorCode
@_exported import struct Foundation.URLError
@_exported import class FoundationNetworking.CachedURLResponse
@_exported import class FoundationNetworking.HTTPURLResponse
@_exported import class FoundationNetworking.URLAuthenticationChallenge
@_exported import class FoundationNetworking.URLCache
@_exported import class FoundationNetworking.URLCredential
@_exported import class FoundationNetworking.URLProtocol
@_exported import class FoundationNetworking.URLResponse
@_exported import class FoundationNetworking.URLSession
@_exported import class FoundationNetworking.URLSessionConfiguration
@_exported import class FoundationNetworking.URLSessionDataTask
@_exported import class FoundationNetworking.URLSessionTask
@_exported import class FoundationNetworking.URLSessionUploadTask
@_exported import protocol FoundationNetworking.URLSessionDataDelegate
@_exported import struct FoundationNetworking.URLRequest
@_exported import var FoundationNetworking.NSURLAuthenticationMethodDefault
@_exported import var FoundationNetworking.NSURLAuthenticationMethodHTTPBasic
@_exported import var FoundationNetworking.NSURLAuthenticationMethodHTTPDigest
