/// Derives body framing and connection persistence from the headers of a request (RFC 9112, sections 3.2, 6 and 9).
struct MessageRules {
    private let version: LoopbackRequest.Version
    private var hosts = 0
    private var contentLength: Int?
    private var codings = 0
    private var isChunked = false
    private var saysClose = false
    private var saysKeepAlive = false
    private(set) var expectsContinue = false

    init(version: LoopbackRequest.Version) {
        self.version = version
    }

    var keepsAlive: Bool {
        version == .http1_0 ? saysKeepAlive && !saysClose : !saysClose
    }

    mutating func note(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) throws(Rejection) {
        switch name.count {
        case 4 where name.isEqualIgnoringCase("host"):
            hosts += 1
        case 6 where name.isEqualIgnoringCase("expect"):
            guard value.isEqualIgnoringCase("100-continue") else { throw .expectationFailed }
            expectsContinue = version != .http1_0
        case 10 where name.isEqualIgnoringCase("connection"):
            noteConnection(value)
        case 14 where name.isEqualIgnoringCase("content-length"):
            guard contentLength == nil else { throw .badRequest }
            contentLength = try Self.length(value)
        case 17 where name.isEqualIgnoringCase("transfer-encoding"):
            codings += 1
            isChunked = value.isEqualIgnoringCase("chunked")
        default:
            break
        }
    }

    func framing() throws(Rejection) -> RequestHead.BodyFraming {
        guard hosts == 1 || hosts == 0 && version == .http1_0 else { throw .badRequest }
        if codings > 0 {
            guard contentLength == nil, version != .http1_0 else { throw .badRequest }
            guard isChunked, codings == 1 else { throw .unknownCoding }
            return .chunked
        }
        return contentLength.map { $0 == 0 ? .none : .fixed($0) } ?? .none
    }

    private mutating func noteConnection(_ value: ArraySlice<UInt8>) {
        for option in value.split(separator: UInt8(ascii: ",")) {
            let trimmed = option.drop(while: \.isBlank).prefix { !$0.isBlank }
            if trimmed.isEqualIgnoringCase("close") { saysClose = true }
            if trimmed.isEqualIgnoringCase("keep-alive") { saysKeepAlive = true }
        }
    }

    /// Parses a length. Accepts only digits: no sign and no list.
    private static func length(_ value: ArraySlice<UInt8>) throws(Rejection) -> Int {
        guard !value.isEmpty else { throw .badRequest }
        var length = 0
        for byte in value {
            guard let digit = byte.decimalDigitValue else { throw .badRequest }
            let (product, productOverflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = product.addingReportingOverflow(digit)
            guard !productOverflow, !sumOverflow else { throw .bodyTooLarge }
            length = sum
        }
        return length
    }
}

extension ArraySlice<UInt8> {
    /// Compares with a lowercase text.
    func isEqualIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            zip(self, expected).allSatisfy { $0.lowercasedASCII == $1 }
        }
    }
}
