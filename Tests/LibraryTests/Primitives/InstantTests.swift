import Foundation
import LockstepPrimitives
import Testing

@Suite struct InstantTests {
    /// A text never names a shorter wait than the real one.
    @Test(arguments: [
        (Duration.seconds(0), "0 seconds"), (.seconds(1), "1 second"), (.milliseconds(1), "1 second"),
        (.nanoseconds(59_947_577_033), "60 seconds"), (.seconds(60), "60 seconds"), (.nanoseconds(60_000_000_001), "61 seconds"),
        (.seconds(-5), "0 seconds"),
    ])
    func durationTextIsRoundedUp(_ duration: Duration, _ words: String) {
        #expect(duration.inWholeSeconds == words)
    }

    @Test(arguments: [(0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (1_767_225_600_123, 1_767_225_600)])
    func roundsSecondsDown(milliseconds: Int64, seconds: Int64) {
        #expect(Instant(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func addsAndSubtractsDurations() {
        let start = Instant(seconds: 100)
        #expect(start + .milliseconds(1500) == Instant(milliseconds: 101_500))
        #expect(start - .seconds(200) == Instant(seconds: -100))
        #expect(start + .seconds(3) - start == .seconds(3))
        #expect(start - (start + .seconds(3)) == .seconds(-3))
        #expect(start < start + .milliseconds(1))
        #expect(Duration.microseconds(1999).milliseconds == 1)
        #expect(Duration.microseconds(-1999).milliseconds == -1)
    }

    /// A server can send any number, and none may stop the process.
    @Test(arguments: [Int64.min, .min + 1, -100_000_000_000_000_000, -1, 0, 1, 100_000_000_000_000_000, .max - 1, .max])
    func neverOverflows(_ number: Int64) {
        let instants = [Instant(seconds: number), Instant(milliseconds: number)]
        let durations: [Duration] = [
            .seconds(number), .milliseconds(number), .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.min), .zero,
        ]
        for instant in instants {
            _ = instant.seconds
            for duration in durations {
                let (later, earlier) = (instant + duration, instant - duration)
                #expect(duration < .zero ? later <= instant && earlier >= instant : later >= instant && earlier <= instant)
            }
            for other in instants + [.distantPast, .distantFuture, Instant(milliseconds: 0)] {
                #expect((instant - other > .zero) == (instant > other))
                #expect((instant - other < .zero) == (instant < other))
            }
        }
        #expect(Instant(seconds: .max) == .distantFuture)
        #expect(Instant(seconds: .min) == .distantPast)
        #expect(Instant.distantPast.seconds == -9_223_372_036_854_776)
    }

    @Test func durationBeyondMillisecondsIsClamped() {
        #expect(Duration.seconds(Int64.max).milliseconds == .max)
        #expect(Duration.seconds(Int64.min).milliseconds == .min)
        #expect((Duration.seconds(Int64.max) + .seconds(Int64.max)).milliseconds == .max)
        #expect(Duration.milliseconds(Int64.max - 1).milliseconds == .max - 1)
        #expect(Duration.seconds(5).clamped(to: .zero ... .seconds(3)) == .seconds(3))
        #expect(Duration.seconds(-5).clamped(to: .zero ... .seconds(3)) == .zero)
        #expect(Duration.seconds(2).clamped(to: .zero ... .seconds(3)) == .seconds(2))
    }

    @Test func encodesAsAPlainNumber() throws {
        let instant = Instant(milliseconds: 1_767_225_600_123)
        #expect(String(decoding: try JSONEncoder().encode([instant]), as: UTF8.self) == "[1767225600123]")
        #expect(try JSONDecoder().decode([Instant].self, from: Data("[1767225600123]".utf8)) == [instant])
    }
}
