import ErrandJSON
import Foundation

func photos(in data: Data) throws -> [Photo] {
    try FastJSONDecoder().decode([Photo].self, from: data)
}
