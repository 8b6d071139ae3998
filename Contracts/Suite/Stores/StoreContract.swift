internal import LockstepPrimitives
internal import Synchronization

/// A contract of session stores, with the code that checks it.
public struct StoreContract: Sendable, Identifiable, CustomStringConvertible {
    /// The id, with dots between its parts.
    ///
    /// It never changes.
    public let id: String
    /// One sentence that says what every store must do.
    public let promise: String
    /// The ids of the contracts that must be kept before this contract can be checked.
    public let buildsOn: [String]
    /// The source location of the contract.
    public let site: SourceSite
    let body: @Sendable (StoreWorld) async throws -> Void

    init(
        _ id: String, _ promise: String, buildsOn: [String] = [], fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column, body: @escaping @Sendable (StoreWorld) async throws -> Void
    ) {
        self.id = id
        self.promise = promise
        self.buildsOn = buildsOn
        site = SourceSite(fileID: fileID, filePath: filePath, line: line, column: column)
        self.body = body
    }

    /// The id of the contract.
    public var description: String { id }

    /// Checks the contract in a new place.
    ///
    /// - Parameters:
    ///   - harness: The harness, which sets up the place.
    ///   - mutation: A fault that the check should find. Default: none.
    ///   - effort: The effort with which the check searches for faults that occur by chance.
    /// - Returns: The result of the check.
    public func check(
        on harness: any StoreHarness, mutation: StoreMutation = .none, effort: StoreEffort = .short
    ) async -> Verdict {
        let verdict = await judged(on: harness, mutation, effort)
        guard case .broken = verdict else { return verdict }
        for ground in StoreCatalog.all where buildsOn.contains(ground.id) {
            // A run with the smallest effort can miss the fault that this check must detect.
            if case .broken = await ground.judged(on: harness, mutation, .short) {
                return .notChecked("builds on \(ground.id), which is broken")
            }
        }
        return verdict
    }

    private func judged(
        on harness: any StoreHarness, _ mutation: StoreMutation, _ effort: StoreEffort
    ) async -> Verdict {
        let slot = Slot<Verdict>()
        let limit = effort.limit
        let done = await Race.first(limit: limit) { () -> String? in
            do {
                try await harness.withPlace { place in
                    slot.fill(await run(StoreWorld(place: place, mutation: mutation, effort: effort)))
                }
                return nil
            } catch let error as EnvironmentError {
                // The machine does not have this place, such as a small disk.
                slot.fill(.notChecked(error.reason))
                return nil
            } catch { return "the place could not be set up or removed: \(error)" }
        }
        if let verdict = slot.value {
            guard let failure = done ?? nil else { return verdict }
            if case .broken = verdict { return verdict }
            return .failed(failure)
        }
        guard let done else { return .broken([Finding(sentence: "the check did not end within \(limit)", line: site.line)]) }
        return .failed(done ?? "the harness did not run the check")
    }

    private func run(_ world: StoreWorld) async -> Verdict {
        do {
            try await body(world)
        } catch let error as EnvironmentError {
            return world.findings.isEmpty ? .notChecked(error.reason) : .broken(world.findings)
        } catch {
            world.found("threw \(error)", line: site.line)
        }
        return world.findings.isEmpty ? .kept : .broken(world.findings)
    }
}
