internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// The environment in which one contract of stores is checked.
final class StoreWorld: Sendable {
    let place: any StorePlace
    let effort: StoreEffort
    private let mutation: StoreMutation
    private let list = Mutex<[Finding]>([])

    init(place: any StorePlace, mutation: StoreMutation, effort: StoreEffort) {
        self.place = place
        self.mutation = mutation
        self.effort = effort
    }

    var key: StoreKey { StoreCatalog.key }

    var findings: [Finding] { list.withLock { $0 } }

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

    func found(_ sentence: String, line: Int) { list.withLock { $0.append(Finding(sentence: sentence, line: line)) } }

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
