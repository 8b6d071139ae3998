/// Something that reads responses of a backend, and is called while these are what no backend gives.
protocol FuzzedReader: Sendable {
    /// What is called, as the summary of a run names it.
    var kind: String { get }

    /// Makes so many calls, all of which follow from the seed.
    func call(_ count: Int, seed: UInt64) async throws -> FuzzFindings
}

extension ReaderRun: FuzzedReader {
    var kind: String { "adapter" }
}

/// Makes the readers of a provider: its adapter, its directory, its verifier.
func fuzzedReaders(of provider: String) async throws -> [any FuzzedReader] {
    [try await ReaderRun(provider), try await DirectoryRun(provider), try await VerifierRun(provider)]
}
