@_exported public import LockstepContracts
@_exported public import LockstepPrimitives

/// A contract of transports.
public typealias TransportContract = Contract<TransportWorld>

/// The contracts of transports.
public enum TransportCatalog {
    /// All contracts of transports.
    public static let all: [TransportContract] = [
        exactBytes, noRedirects, deadline, cancelCloses, reuse, sizeLimit, truncated, phase, headerInjection, longAddress, tls,
        changedCertificate, keyLog, leavesNothing, proxy, concurrent, noReplay, loopbackOnly,
    ]
}

extension TransportContract {
    /// Checks the contract on a transport of the harness.
    ///
    /// The check starts its own servers, which control every byte. If the contract is kept, the check takes at most two seconds.
    /// A contract in ``TransportHarness/cannotPromise`` is not checked.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures time limits.
    /// - Returns: The result.
    public func check(on harness: TransportHarness, clock: any DeviceClock = SystemClock()) async -> Verdict {
        await judge(in: TransportWorld.Setting(harness: harness, clock: clock)).verdict
    }
}
