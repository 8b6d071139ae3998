@_exported public import LockstepPrimitives

/// A contract that applies to every transport, with the code that checks it.
public struct TransportContract: Sendable, Identifiable {
    /// The stable dotted name.
    public let id: String
    /// The contract in one sentence.
    public let promise: String
    /// The ids of the contracts on which this one builds.
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

    /// Checks the contract on a transport of the harness, with its own servers, which control every byte.
    ///
    /// It takes at most two seconds if the contract is kept. Contracts in ``TransportHarness/cannotPromise`` are not checked.
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
    /// The name.
    public var description: String { id }
}

/// Thrown if a tool that the check needs is not on this machine.
struct MissingTool: Error {
    let reason: String
}
