import Foundation
import Lockstep
import Testing

struct InstantDateTests {
    @Test(arguments: [0, 1, -1, 1_800_000_000_123, -62_135_596_800_000] as [Int64])
    func aDateKeepsTheMillisecond(_ milliseconds: Int64) {
        #expect(Instant(Date(Instant(milliseconds: milliseconds))).milliseconds == milliseconds)
    }

    @Test func datesOutOfRangeAreClamped() {
        #expect(Instant(Date(timeIntervalSince1970: 1e300)) == .distantFuture)
        #expect(Instant(Date(timeIntervalSince1970: -1e300)) == .distantPast)
        #expect(Instant(Date(timeIntervalSince1970: .nan)) == .distantPast)
        #expect(Instant(Date(.distantFuture)) == .distantFuture)
    }
}
