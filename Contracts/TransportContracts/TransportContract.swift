@_exported public import LockstepPrimitives

/// A promise that applies to every transport, and the code that checks it.
public struct TransportContract: Sendable, Identifiable {
    /// The stable name, dotted.
    public let id: String
    /// The promise, in a sentence.
    public let promise: String
    /// The promises without which this one says nothing, by id.
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

    /// Checks the promise on a transport of the harness, in a world of its own: servers that decide over every byte.
    ///
    /// It takes two seconds at most where the promise is kept. What the harness declares it cannot promise is not checked.
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

/// Thrown where a tool that the check needs is not on this machine.
struct MissingTool: Error {
    let reason: String
}
