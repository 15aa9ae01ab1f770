// swift-format-ignore-file
// Apple's Foundation re-exports CoreFoundation. Its types are toll-free bridged to Foundation's:
// https://developer.apple.com/documentation/corefoundation

// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject

// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = NSDictionary

// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = NSString

// https://developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32
