public import Errand

extension JSONDecoder {
    /// A decoder like `errand` that converts `next_page` to `nextPage`.
    public static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder.errand
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

extension JSONEncoder {
    /// An encoder like `errand` that converts `nextPage` to `next_page`.
    public static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder.errand
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}
