import Errand
import Foundation
import Testing

/// The error codes for the platform's errors. On Linux their messages come from libcurl.
@Suite struct TransportFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The versions of libcurl that use the message.
        let versions: String
        let text: String
        let kind: ServiceError.Code
        var testDescription: String { "\(versions): \(text)" }

        init(_ versions: String, _ text: String, _ kind: ServiceError.Code) {
            self.versions = versions
            self.text = text
            self.kind = kind
        }
    }

    static let rows: [Row] = [
        Row("7.76.0 to 8.8.0", "transfer closed with 6 bytes remaining to read", .connectionLost),
        Row("8.9.0 and later", "end of response with 6 bytes missing", .connectionLost),
        Row("all", "transfer closed with outstanding read data remaining", .connectionLost),
        Row("all", "Recv failure: Connection reset by peer", .connectionLost),
        Row("all", "Empty reply from server", .connectionLost),
        Row("7.76.0 to 8.8.0", "Couldn't connect to server", .connection),
        Row("8.9.0 and later", "Could not connect to server", .connection),
        Row("8.7.1 and later", "client read function EOF fail, only 0/4 of needed bytes read", .connectionLost),
        Row("all", "Could not resolve host: chunk.example", .connection),
        Row("7.76.0 to 8.5.0", "Illegal or missing hexadecimal sequence in chunked-encoding", .badResponse),
        Row("8.6.0 and later", "chunk hex-length char not a hex digit: 0x7a", .badResponse),
        Row("8.13.0 and later", "invalid chunk size: '8000000000000000'", .badResponse),
        Row("7.76.0 to 8.6.0", "Failed writing header", .badResponse),
        Row("8.7.1 and later", "Failure writing output to destination, passed 2 returned 0", .badResponse),
        Row("7.76.0 to 8.5.0", "Out of memory", .badResponse),
        Row("8.3.0 and later", "Too large response headers: 307221 > 307200", .badResponse),
        Row("8.9.1 and later", "A value or data field grew larger than allowed", .badResponse),
        Row("8.17.0 and later", "Multiple Location headers", .badResponse),
        Row("8.21.0 and later", "Carriage return found in header", .badResponse),
        Row("all", "Received HTTP/0.9 when not allowed", .badResponse),
        Row(
            "7.76.0 to 8.6.0", "SSL: no alternative certificate subject name matches target host name 'localhost'", .tls
        ),
        Row(
            "8.7.1 and later", "SSL: no alternative certificate subject name matches target hostname 'localhost'", .tls),
        Row("all", "SSL certificate problem: certificate has expired", .tls),
    ]

    private func failure(_ code: URLError.Code, _ text: String) -> URLError {
        URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    @Test(arguments: rows)
    func `a libcurl message determines the code of an unknown error`(row: Row) {
        let error = TransportFailure.classify(failure(.unknown, row.text)) as? ServiceError
        #expect(error?.code == row.kind)
    }

    @Test func `a truncated body is recognized without a libcurl message`() {
        let error = failure(.unknown, "words of a version to come")
        #expect((TransportFailure.classify(error, isBodyShort: true) as? ServiceError)?.code == .connectionLost)
        #expect((TransportFailure.classify(error) as? ServiceError)?.code == .transport)
    }

    @Test func `a timeout within the body keeps its code`() {
        let error = failure(.timedOut, "Operation timed out after 1000 milliseconds with 4 bytes received")
        #expect((TransportFailure.classify(error, isBodyShort: true) as? ServiceError)?.code == .timeout)
    }
}
