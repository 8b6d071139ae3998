import Foundation
import LockstepPrimitives
import Testing

@Suite struct InstantTests {
    @Test(arguments: [(0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (1_767_225_600_123, 1_767_225_600)])
    func roundsSecondsDown(milliseconds: Int64, seconds: Int64) {
        #expect(Instant(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func calculates() {
        let start = Instant(seconds: 100)
        #expect(start + .milliseconds(1500) == Instant(milliseconds: 101_500))
        #expect(start - .seconds(200) == Instant(seconds: -100))
        #expect(start + .seconds(3) - start == .seconds(3))
        #expect(start - (start + .seconds(3)) == .seconds(-3))
        #expect(start < start + .milliseconds(1))
        #expect(Duration.microseconds(1999).milliseconds == 1)
        #expect(Duration.microseconds(-1999).milliseconds == -1)
    }

    @Test func isABareNumberWhenEncoded() throws {
        let instant = Instant(milliseconds: 1_767_225_600_123)
        #expect(String(decoding: try JSONEncoder().encode([instant]), as: UTF8.self) == "[1767225600123]")
        #expect(try JSONDecoder().decode([Instant].self, from: Data("[1767225600123]".utf8)) == [instant])
    }
}
