#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The clock of this machine.
///
/// This file is the one place that reads the real clock, waits, or asks the system for randomness.
public struct SystemClock: DeviceClock {
    /// The kernel's name of the current start of the machine.
    public let bootID: String

    /// A clock of this machine.
    public init() {
        if let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8) {
            bootID = String(id.prefix { !$0.isNewline })
        } else {
            // Apple systems name no start; the minute in which it must have happened serves as one.
            let start = Date().timeIntervalSince1970 - Self.uptime.seconds
            bootID = "minute-\(Int64(start / 60))"
        }
    }

    /// The wall clock of the machine.
    public var now: Instant {
        Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Time since the machine started, time asleep included.
    public var uptime: Duration { Self.uptime }

    private static var uptime: Duration {
        let clock = ContinuousClock()
        return clock.systemEpoch.duration(to: clock.now)
    }

    /// Waits in real time.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Randomness of the system's generator.
public struct SystemRandomness: Randomness {
    /// A source without state.
    public init() {}

    /// `count` bytes of the system's generator.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = generator.next()
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        }
        return Array(bytes.prefix(count))
    }
}
