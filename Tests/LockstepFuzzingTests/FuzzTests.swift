import LockstepFuzzing
import Testing

/// The short form of `make fuzz`: whatever is sent, the answer is one of the provider's kind.
struct FuzzTests {
    /// Seven seeds, one for each configuration.
    @Test(arguments: 1...7 as ClosedRange<UInt64>)
    func goTrueAnswersWhateverIsSent(_ seed: UInt64) async throws {
        try await hold(FuzzRun("gotrue", seed: seed, patience: .seconds(60)).send(500))
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func firebaseAnswersWhateverIsSent(_ seed: UInt64) async throws {
        try await hold(FuzzRun("firebase", seed: seed, patience: .seconds(60)).send(500))
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func clerkAnswersWhateverIsSent(_ seed: UInt64) async throws {
        try await hold(FuzzRun("clerk", seed: seed, patience: .seconds(60)).send(500))
    }

    private func hold(_ findings: FuzzFindings) {
        #expect(findings.all.isEmpty, "\(findings.all.map(\.description).joined(separator: "\n"))")
        // Most is refused, and some is not: there is somebody to do wrong to.
        #expect(findings.answers[2, default: 0] >= 10)
        #expect(findings.answers[4, default: 0] >= 100)
    }
}
