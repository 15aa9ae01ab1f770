#if os(Linux)
    import Errand
    import Testing

    /// A text and 128 kB of zeros in each coding, encoded by zlib, brotli and zstd, independently of the decoder.
    struct ContentSample: Sendable, CustomTestStringConvertible {
        let name: String
        /// The value of the `Content-Encoding` header.
        let coding: String
        let plain: Data
        let encoded: Data

        init(_ name: String, _ coding: String, _ plain: Data, _ base64: String) {
            (self.name, self.coding, self.plain) = (name, coding, plain)
            encoded = Data(base64Encoded: base64) ?? Data()
        }

        var testDescription: String { "\(name), \(plain.count) bytes" }

        private static let text = Data(
            "Errand carries requests, and Errand carries answers; errand after errand.\n".utf8)
        /// Twice the maximum output of one call of the decoder.
        private static let zeros = Data(count: 131_072)
        static let texts: [ContentSample] = [
            ContentSample(
                "gzip", "gzip", text,
                "H4sIAAAAAAACA3MtKkrMS1FITiwqykwtVihKLSxNLS4p1lEAibqiSibmFZenFhVbK6RCxBPTSlKLoBw9LgD/cpAkSgAAAA=="),
            ContentSample(
                "zlib", "deflate", text,
                "eNpzLSpKzEtRSE4sKspMLVYoSi0sTS0uKdZRAIm6okom5hWXpxYVWyukQsQT00pSi6AcPS4ABhkbBg=="),
            ContentSample(
                "bare deflate", "deflate", text,
                "cy0qSsxLUUhOLCrKTC1WKEotLE0tLinWUQCJuqJKJuYVl6cWFVsrpELEE9NKUougHD0uAA=="),
            ContentSample(
                "br", "br", text, "G0kAAARqcv5CBxRIHEFbafA5xoHL4zLwoPvtMXYODCVbl903DJdwsf5PgIT5ZLl5UQrAIQ=="),
            ContentSample(
                "zstd", "zstd", text,
                "KLUv/QRopQEA4sIJD8DrIE3CfTGb+7Poh44xFkDc69Qcd7dLpUlluHVmyucZ/S00qT8JAwAws945oECnnJYE3mk="),
        ]

        static let zeroes: [ContentSample] = [
            ContentSample(
                "gzip", "gzip", zeros,
                "H4sIAAAAAAACA+3BMQEAAADCoPVP7WENo" + String(repeating: "A", count: 169) + "Buzc3ofgAAAgA="),
            ContentSample(
                "zlib", "deflate", zeros, "eNrtwTEBAAAAwqD1T+1hDa" + String(repeating: "A", count: 170) + "bgAeAAE="),
            ContentSample(
                "bare deflate", "deflate", zeros, "7cExAQAAAMKg9U/tYQ2g" + String(repeating: "A", count: 169) + "G4="),
            ContentSample("br", "br", zeros, "W///AUACIB4LJPc+AA=="),
            ContentSample("zstd", "zstd", zeros, "KLUv/QRoTQAACAABAPz/ORACc1CVeg=="),
        ]

        static let all: [ContentSample] = texts + zeroes
    }
#endif
