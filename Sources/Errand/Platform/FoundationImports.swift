// The one file that imports Foundation: every other file of the module, and everybody who imports Errand, sees it from
// here, and with it the networking half that is a module of its own on Linux.

@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
