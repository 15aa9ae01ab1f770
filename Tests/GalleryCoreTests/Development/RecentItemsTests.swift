import GalleryCore
import Testing

@Suite struct RecentItemsTests {
    @Test(
        arguments: [
            ([1, 1, 1], [2, 1, 0]), ([1, 1, 1, 1], [3, 2, 1]), ([4, 4, 4], [2, 1]), ([10], [0]), ([11], []),
            ([1, 11], []), ([1, 11, 2], [2]), ([1, 9, 1], [2, 1]), ([], []),
        ] as [([Int], [Int])])
    func `the newest items are kept within both limits`(sizes: [Int], kept: [Int]) {
        var items = RecentItems<Int>(limit: 3, byteLimit: 10)
        for (index, size) in sizes.enumerated() { items.add(index, bytes: size) }
        #expect(items.items == kept)
    }
}
