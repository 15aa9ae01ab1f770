import GalleryCore
import Testing

@Suite struct HourlyQuotaTests {
    @Test func `calls beyond the limit are rejected until the hour ends`() {
        var quota = HourlyQuota(limit: 2, start: .seconds(100))
        #expect([100, 200, 300, 3_699].map { quota.take(at: .seconds($0)) } == [1, 0, nil, nil])
        #expect([3_700, 3_701, 3_702, 7_300].map { quota.take(at: .seconds($0)) } == [1, 0, nil, 1])
    }

    @Test(arguments: [0, -1])
    func `a limit of zero or less rejects every call`(limit: Int) {
        var quota = HourlyQuota(limit: limit, start: .zero)
        #expect(quota.take(at: .zero) == nil && quota.limit == 0)
    }
}
