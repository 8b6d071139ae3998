internal import LockstepSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The clock of this machine.
///
/// ```swift
/// let now = SystemClock().now
/// print(now)  // 2026-11-21T13:32:29.120Z
/// ```
public struct SystemClock: DeviceClock {
    /// The kernel's id for the latest start of the machine.
    ///
    /// If the kernel has no such id, the value is an id of this process.
    public var bootID: String { Self.currentBootID }

    /// A digest of the machine id; `nil` if the machine has no id, as in most containers.
    public var hostID: String? { Self.hostDigest }

    /// Creates a clock of this machine.
    public init() {}

    // Both stay the same while the process runs. Each is read at its first use: the start of an emulator needs neither.
    private static let currentBootID = bootID(of: Machine.bootSession)
    private static let hostDigest = readHostDigest()

    /// Returns the id of a boot.
    ///
    /// If the kernel does not identify the boot, the result is an id of this process. The wall clock gives no reliable
    /// id, because it may have been set since the start. Processes then do not compare their measurements, and a token
    /// from an earlier process is refreshed.
    package static func bootID(of session: String?) -> String { session ?? process }

    private static let process = "process-" + String(UInt64.random(in: .min ... .max), radix: 16)

    private static func readHostDigest() -> String? {
        #if canImport(Darwin)
        // A store on a phone or a Mac is never shared with another machine.
        return "this device"
        #else
        guard let id = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8), id.count >= 32 else { return nil }
        // FNV-1a is sufficient: the id itself must not be revealed (machine-id(5)), and two machines need only have
        // different digests.
        let digest = id.utf8.prefix(32).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
        return String(digest, radix: 16)
        #endif
    }

    /// The current date and time of the machine.
    public var now: Instant {
        Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// The time since the machine started, including the time during which it slept.
    public var uptime: Duration { Self.uptime }

    private static var uptime: Duration {
        let clock = ContinuousClock()
        return clock.systemEpoch.duration(to: clock.now)
    }

    /// Waits in real time.
    ///
    /// - Parameter duration: The time to wait.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}

/// The system's random number generator.
///
/// ```swift
/// let id = SystemRandomness().uuid()
/// let code = SystemRandomness().text(6, of: "0123456789")
/// print(id, code)
/// ```
public struct SystemRandomness: Randomness {
    /// Creates a source of randomness, which has no state.
    public init() {}

    /// Returns random bytes from the system's generator.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The random bytes.
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
