package import Foundation

extension Data {
    /// This JSON text in UTF-8. Foundation also accepts UTF-16 and UTF-32, which it recognizes by a byte order mark or
    /// by NUL bytes.
    package var jsonInUTF8: Data {
        let first = Array(prefix(4))
        let encoding: String.Encoding
        if first.starts(with: [0, 0]) {
            encoding = .utf32BigEndian
        } else if first.count == 4, first[2...] == [0, 0] {
            encoding = .utf32LittleEndian
        } else if first.starts(with: [0xFE, 0xFF]) || first.first == 0 {
            encoding = .utf16BigEndian
        } else if first.starts(with: [0xFF, 0xFE]) || first.dropFirst().first == 0 {
            encoding = .utf16LittleEndian
        } else {
            return self
        }
        return String(data: self, encoding: encoding).map { Data($0.utf8) } ?? self
    }
}
