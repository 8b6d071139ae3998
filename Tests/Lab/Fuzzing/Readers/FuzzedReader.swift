/// A reader of backend responses that gets responses that no backend sends.
protocol FuzzedReader: Sendable {
    /// The name of the reader in the summary of a run.
    var kind: String { get }

    /// Makes this many calls, all of which depend only on the seed.
    func call(_ count: Int, seed: UInt64) async throws -> FuzzFindings
}

extension ReaderRun: FuzzedReader {
    var kind: String { "adapter" }
}

/// Creates the readers of a provider: its adapter, its directory, its verifier.
func fuzzedReaders(of provider: String) async throws -> [any FuzzedReader] {
    [try await ReaderRun(provider), try await DirectoryRun(provider), try await VerifierRun(provider)]
}
