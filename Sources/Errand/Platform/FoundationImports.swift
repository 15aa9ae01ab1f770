// The only file that imports Foundation. It exports Foundation to the other files of the module and to every client of
// Errand. On Linux it also exports FoundationNetworking, the separate module of the networking types.

@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
