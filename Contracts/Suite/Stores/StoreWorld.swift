internal import Lockstep
internal import LockstepPrimitives

/// A contract of session stores.
public typealias StoreContract = Contract<StoreWorld>

/// The environment in which one contract of stores is checked.
public final class StoreWorld: ContractWorld {
    let place: any StorePlace
    let effort: StoreEffort
    /// The findings of the run.
    public let findings = FindingLog()
    private let mutation: StoreMutation
    private let site: SourceSite

    private init(_ place: any StorePlace, _ setting: Setting, _ site: SourceSite) {
        self.place = place
        self.site = site
        mutation = setting.mutation
        effort = setting.effort
    }

    /// The store of one run.
    public struct Setting: Sendable {
        let harness: any StoreHarness
        let mutation: StoreMutation
        let effort: StoreEffort
    }

    /// A fault in a store.
    public typealias Mutation = StoreMutation

    /// The contracts of stores.
    public static var contracts: [StoreContract] { StoreCatalog.all }

    /// Sets up one run.
    ///
    /// - Parameters:
    ///   - judge: Checks the contract.
    /// - Throws: An error of the harness.
    public static func open(
        _ setting: Setting, for contract: StoreContract, judging judge: @Sendable (StoreWorld) async -> Verdict
    ) async throws {
        try await setting.harness.withPlace { place in _ = await judge(StoreWorld(place, setting, contract.site)) }
    }

    var key: StoreKey { StoreCatalog.key }

    func open() async throws -> any SessionStore { mutation(try await place.open(), on: place) }

    func open(for owner: String) async throws -> any SessionStore { mutation(try await place.open(for: owner), on: place) }

    /// Opens a store in the folder that a text names.
    func open(directory: String) async throws -> any SessionStore {
        mutation(try await place.open(directory: mutation.directory(directory)), on: place)
    }

    /// Starts another process in this place, with the same kind of store.
    func start(_ task: StoreTask, room: Int? = nil) async throws -> any StoreProcess {
        try await place.start(task, mutation: mutation.name, room: room)
    }

    func found(_ sentence: String, line: Int) {
        findings.add(Finding(sentence: sentence, site: site.at(line: line)))
    }

    func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String, line: Int = #line) {
        if !holds { found(otherwise(), line: line) }
    }

    /// Records a finding unless `body` fails with the code.
    func expect(
        _ code: StoreError.Code, _ otherwise: String, line: Int = #line, _ body: () async throws(StoreError) -> Void
    ) async {
        do throws(StoreError) {
            try await body()
            found(otherwise, line: line)
        } catch {
            expect(error.code == code, "the call failed with \(error)", line: line)
        }
    }
}

extension StoreContract {
    /// Checks the contract in a new place.
    ///
    /// - Parameters:
    ///   - harness: The harness, which sets up the place.
    ///   - mutation: A fault that the check should find. Default: none.
    ///   - effort: How many kills, processes and writes the check uses.
    /// - Returns: The result.
    public func check(
        on harness: any StoreHarness, mutation: StoreMutation = .none, effort: StoreEffort = .short
    ) async -> Verdict {
        func setting(_ effort: StoreEffort) -> StoreWorld.Setting { .init(harness: harness, mutation: mutation, effort: effort) }
        // A run with the smallest effort can miss the fault that the contracts below must detect.
        return await judge(in: setting(effort), limit: effort.limit, grounds: setting(.short)).verdict
    }
}
