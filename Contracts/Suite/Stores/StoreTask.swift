public import Lockstep
internal import LockstepPrimitives

/// The task of another process that uses the same store place.
///
/// A check can wait for such a process, run several processes at the same time, and kill them.
public enum StoreTask: Sendable, Hashable {
    /// Adds 1 to the number under the key, this many times. Then prints `done`.
    case add(Int)
    /// Replaces the value with the next ``StoreSample`` repeatedly, until the process is killed.
    ///
    /// It prints the number of each sample that it has stored.
    case overwrite
    /// Takes the exclusive lock, prints `inside`, and keeps the lock until the process is killed.
    case hold
    /// Replaces the value with larger and larger samples until a replace fails.
    ///
    /// Then it prints the code of the error, and the number of the sample that is still in the store.
    case outgrow

    /// The task as arguments for a process.
    public var words: [String] {
        switch self {
        case .add(let times): ["add", String(times)]
        case .overwrite: ["overwrite"]
        case .hold: ["hold"]
        case .outgrow: ["outgrow"]
        }
    }

    /// Returns the task that the arguments of a process describe.
    ///
    /// - Returns: The task and the remaining arguments; `nil` if the arguments are invalid.
    public static func parse(_ words: [String]) -> (task: StoreTask, rest: [String])? {
        switch words.first {
        case "add": words.dropFirst().first.flatMap(Int.init).map { (.add($0), Array(words.dropFirst(2))) }
        case "overwrite": (.overwrite, Array(words.dropFirst()))
        case "hold": (.hold, Array(words.dropFirst()))
        case "outgrow": (.outgrow, Array(words.dropFirst()))
        default: nil
        }
    }

    /// Runs the task.
    ///
    /// - Parameters:
    ///   - tell: Prints a line.
    /// - Throws: A ``StoreError``, or the error that `tell` throws.
    public func run(on store: any SessionStore, tell: @Sendable (String) async throws -> Void) async throws {
        let key = StoreCatalog.key
        switch self {
        case .add(let times):
            for _ in 0..<times { try await StoreCounter(store: store).addOne() }
            try await tell("done")
        case .overwrite:
            var stored = try await store.load(key)
            var number = stored.flatMap { StoreSample(bytes: $0.bytes)?.number } ?? 0
            while true {
                number += 1
                let revision = try await store.replace(key, with: StoreSample(number).bytes, unlessChangedSince: stored?.revision)
                stored = StoredValue(bytes: [], revision: revision)
                try await tell(String(number))
            }
        case .hold:
            _ = try await store.exclusively(key, lockTimeout: .seconds(60)) {
                try? await tell("inside")
                // This stream never ends, so the process waits until it is killed.
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
        case .outgrow:
            try await outgrow(store, tell)
        }
    }

    private func outgrow(_ store: any SessionStore, _ tell: @Sendable (String) async throws -> Void) async throws {
        let key = StoreCatalog.key
        var stored = try await store.load(key)?.revision
        for number in 1...17 {
            do throws(StoreError) {
                let sample = StoreSample(number, count: 1 << (number + 5))
                stored = try await store.replace(key, with: sample.bytes, unlessChangedSince: stored)
                try await Self.told(tell, String(number))
            } catch {
                try await tell(error.code.rawValue)
                let left = try await store.load(key).flatMap { StoreSample(bytes: $0.bytes)?.number }
                try await tell(left.map(String.init) ?? "no complete value")
                return
            }
        }
        try await tell("the disk is not full")
    }

    /// Prints a line.
    ///
    /// If that fails, throws `unwritable`.
    private static func told(_ tell: @Sendable (String) async throws -> Void, _ line: String) async throws(StoreError) {
        do { try await tell(line) } catch { throw StoreError(.unwritable, "\(error)") }
    }
}
