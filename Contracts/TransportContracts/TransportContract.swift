@_exported public import LockstepPrimitives

/// A contract for transports, with the code that checks it.
///
/// Every transport must keep this contract.
public struct TransportContract: Sendable, Identifiable {
    /// The id, with dots between its parts.
    ///
    /// It never changes.
    public let id: String
    /// One sentence that says what every transport must do.
    public let promise: String
    /// The ids of the contracts that must be kept before this contract can be checked.
    public let buildsOn: [String]
    private let body: @Sendable (TransportWorld) async throws -> Void

    init(
        _ id: String, _ promise: String, buildsOn: [String] = [],
        _ body: @escaping @Sendable (TransportWorld) async throws -> Void
    ) {
        self.id = id
        self.promise = promise
        self.buildsOn = buildsOn
        self.body = body
    }

    /// Checks the contract on a transport of the harness.
    ///
    /// The check starts its own servers, which control every byte. If the contract is kept, the check takes at most two seconds.
    /// A contract in ``TransportHarness/cannotPromise`` is not checked.
    ///
    /// - Parameters:
    ///   - harness: The harness of the transport.
    ///   - clock: The clock that measures time limits.
    /// - Returns: The result of the check.
    public func check(_ harness: TransportHarness, clock: any DeviceClock = SystemClock()) async -> TransportVerdict {
        if let reason = harness.cannotPromise[id] { return .notChecked(reason: reason) }
        let world = TransportWorld(harness, clock: clock)
        do {
            try await body(world)
        } catch let missing as MissingTool {
            return .notChecked(reason: missing.reason)
        } catch {
            world.report("the check ended early: \(error)")
        }
        world.close()
        return world.findings.isEmpty ? .kept : .broken(world.findings)
    }
}

extension TransportContract: CustomStringConvertible {
    /// The id of the contract.
    public var description: String { id }
}

/// The error for a tool that is missing on this machine.
struct MissingTool: Error {
    let reason: String
}
