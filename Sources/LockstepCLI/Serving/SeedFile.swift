import LockstepEmulation

/// A seed that the command line names.
struct SeedFile: Sendable {
    let path: String
    let seed: Seed

    /// The limit for about 200,000 users; a longer file is not a seed.
    private static let use = NamedFile.Use(
        "seed file", limit: 128, remedy: "Create the file. docs/emulators.md has an example.")

    /// Reads the file, or the pipe.
    ///
    /// - Throws: ``UsageError`` with the path and the remedy.
    init(_ path: String) throws(UsageError) {
        let file = try NamedFile(path, as: Self.use)
        self.path = path
        seed = try Self.named(path) { () throws(SeedProblem) in try Seed(file.bytes) }
    }

    /// Loads the seed into emulators.
    ///
    /// After a failure, all emulators are empty again.
    ///
    /// - Parameter emulators: Emulators without users.
    /// - Returns: The number of users of each emulator.
    /// - Throws: ``UsageError`` for a value that a provider cannot keep.
    @discardableResult
    func plant(in emulators: [any RunningEmulator]) async throws -> [Int] {
        var counts: [Int] = []
        do {
            for emulator in emulators { counts.append(try await emulator.panel.seeds?.plant(seed) ?? 0) }
            return counts
        } catch {
            for emulator in emulators.prefix(counts.count) { try emulator.panel.reset(replayingSeed: false) }
            guard let problem = error as? SeedProblem else { throw error }
            throw UsageError("\(path): \(problem)")
        }
    }

    private static func named<Value>(
        _ path: String, _ body: () throws(SeedProblem) -> Value
    ) throws(UsageError) -> Value {
        do throws(SeedProblem) { return try body() } catch { throw UsageError("\(path): \(error)") }
    }
}
