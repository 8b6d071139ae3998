public import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// What stands in for a store on a place.
public typealias StoreSabotage = @Sendable (any SessionStore, any StorePlace) -> any SessionStore

/// One promise of session stores, with the code that checks it.
public struct StoreContract: Sendable, Identifiable, CustomStringConvertible {
    /// The stable dotted name.
    public let id: String
    /// The promise, one sentence in the present tense.
    public let promise: String
    /// The promises without which this one cannot be judged.
    public let buildsOn: [String]
    /// Where the promise stands.
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

    /// The id.
    public var description: String { id }

    /// Checks the promise on a fresh place.
    ///
    /// - Parameter sabotage: what stands in for the store, to see whether the check notices.
    public func check(
        on bench: any StoreBench, sabotage: @escaping StoreSabotage = { store, _ in store }
    ) async -> Verdict {
        let verdict = await judged(on: bench, sabotage)
        guard case .broken = verdict else { return verdict }
        for ground in StoreCatalog.all where buildsOn.contains(ground.id) {
            if case .broken = await ground.judged(on: bench, sabotage) {
                return .notChecked("builds on \(ground.id), which is broken")
            }
        }
        return verdict
    }

    private func judged(
        on bench: any StoreBench, _ sabotage: @escaping StoreSabotage
    ) async -> Verdict {
        let slot = Slot<Verdict>()
        let limit = Duration.seconds(30)
        let done = await Race.first(limit: limit) { () -> String? in
            do {
                try await bench.withPlace { place in slot.fill(await run(StoreWorld(place: place, sabotage: sabotage))) }
                return nil
            } catch { return "the place could not be set up: \(error)" }
        }
        if let verdict = slot.value { return verdict }
        guard let done else { return .broken([Finding(sentence: "the check did not end within \(limit)", line: site.line)]) }
        return .notChecked(done ?? "the bench did not run the check")
    }

    private func run(_ world: StoreWorld) async -> Verdict {
        do {
            try await body(world)
        } catch let error as StageError {
            return .notChecked(error.reason)
        } catch {
            world.found("threw \(error)", line: site.line)
        }
        return world.findings.isEmpty ? .kept : .broken(world.findings)
    }
}

/// What the check of a promise of stores sees.
final class StoreWorld: Sendable {
    let place: any StorePlace
    private let sabotage: StoreSabotage
    private let list = Mutex<[Finding]>([])

    init(place: any StorePlace, sabotage: @escaping StoreSabotage) {
        self.place = place
        self.sabotage = sabotage
    }

    let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    var findings: [Finding] { list.withLock { $0 } }

    func open() async throws -> any SessionStore { sabotage(try await place.open(), place) }

    func found(_ sentence: String, line: Int) { list.withLock { $0.append(Finding(sentence: sentence, line: line)) } }

    func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String, line: Int = #line) {
        if !holds { found(otherwise(), line: line) }
    }

    /// Says that a removal must fail because the value has changed.
    func expectConflict(_ what: String, line: Int = #line, by removal: () async throws(StoreError) -> Void) async {
        do throws(StoreError) {
            try await removal()
            found("a removal \(what) was done", line: line)
        } catch {
            expect(error.code == .conflict, "a removal \(what) failed as \(error)", line: line)
        }
    }
}
