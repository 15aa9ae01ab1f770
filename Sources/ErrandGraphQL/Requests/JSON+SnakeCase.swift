public import Errand

extension JSONDecoder {
    /// `errand`, which reads `next_page` into `nextPage`.
    public static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder.errand
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

extension JSONEncoder {
    /// `errand`, which writes `nextPage` as `next_page`.
    public static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder.errand
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}
