public import Lockstep
internal import LockstepPrimitives

/// The task of another process that works on a place.
///
/// A check can wait for the process, let several run at the same time, and kill them.
public enum StoreTask: Sendable, Hashable {
    /// Adds 1 to the number under the key, this many times, and then prints `done`.
    case add(Int)
    /// Replaces the value by the next ``StoreSample`` again and again, until it is killed.
    ///
    /// It prints the number of each sample after it is stored.
    case overwrite
    /// Takes the exclusive lock, prints `inside`, and keeps the lock until it is killed.
    case hold
    /// Replaces the value by larger and larger samples until that fails.
    ///
    /// Then it prints the code of the error, and the number of the sample in the store.
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
    /// - Parameter words: The arguments.
    /// - Returns: The task and the remaining arguments; `nil` if the arguments describe no task.
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
    ///   - store: The store.
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
                // Until it is killed: nothing ends this stream.
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
                try await tell(left.map(String.init) ?? "nothing whole")
                return
            }
        }
        try await tell("the disk is not full")
    }

    /// Sends a line; a failure to send becomes `unwritable`.
    private static func told(_ tell: @Sendable (String) async throws -> Void, _ line: String) async throws(StoreError) {
        do { try await tell(line) } catch { throw StoreError(.unwritable, "\(error)") }
    }
}
