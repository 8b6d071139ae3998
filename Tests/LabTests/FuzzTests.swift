import LockstepTestConcurrency
import Testing

@testable import lockstep_lab

/// The short form of `make fuzz`: the response to any request has the provider's format.
@Suite(.limitedConcurrency)
struct FuzzTests {
    /// Seven seeds, one for each configuration.
    @Test(arguments: 1...7 as ClosedRange<UInt64>)
    func goTrueAnswersRandomRequests(_ seed: UInt64) async throws {
        try await hold(FuzzRun("gotrue", seed: seed, responseTimeout: .seconds(60)).send(500))
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func firebaseAnswersRandomRequests(_ seed: UInt64) async throws {
        try await hold(FuzzRun("firebase", seed: seed, responseTimeout: .seconds(60)).send(500))
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func clerkAnswersRandomRequests(_ seed: UInt64) async throws {
        try await hold(FuzzRun("clerk", seed: seed, responseTimeout: .seconds(60)).send(500))
    }

    /// Adapters read responses that no backend sends.
    ///
    /// Each call ends with a value or an `AuthError`, and reveals no secret.
    ///
    /// A trap would end the process. A call that never ends fails at the time limit.
    @Test(.timeLimit(.minutes(10)), arguments: FuzzRun.providers)
    func adaptersReadRandomResponses(_ provider: String) async throws {
        let findings = try await ReaderRun(provider, responseTimeout: .seconds(60)).call(1500, seed: 1)
        #expect(findings.all.isEmpty, "\(findings.all.map(\.description).joined(separator: "\n"))")
        // Some calls succeed, so that there is a user to lose. Most do not.
        #expect(findings.answers[2, default: 0] >= 200)
        #expect(findings.answers[4, default: 0] >= 200)
    }

    /// Directories read random responses.
    ///
    /// Each call ends with a value about the requested user, or with an `AuthError`.
    ///
    /// A trap would end the process. A call that never ends fails at the time limit.
    @Test(.timeLimit(.minutes(10)), arguments: FuzzRun.providers)
    func directoriesReadRandomResponses(_ provider: String) async throws {
        let findings = try await DirectoryRun(provider, responseTimeout: .seconds(60)).call(1500, seed: 1)
        #expect(findings.all.isEmpty, "\(findings.all.map(\.description).joined(separator: "\n"))")
        #expect(findings.answers[2, default: 0] >= 100)
        #expect(findings.answers[4, default: 0] >= 100)
    }

    /// Verifiers read signed tokens with random claims, and random responses about keys and sessions.
    @Test(.timeLimit(.minutes(10)), arguments: FuzzRun.providers)
    func verifiersReadRandomTokensAndResponses(_ provider: String) async throws {
        let findings = try await VerifierRun(provider, responseTimeout: .seconds(60)).call(1000, seed: 1)
        #expect(findings.all.isEmpty, "\(findings.all.map(\.description).joined(separator: "\n"))")
        #expect(findings.answers[2, default: 0] >= 100)
        #expect(findings.answers[4, default: 0] >= 100)
    }

    private func hold(_ findings: FuzzFindings) {
        #expect(findings.all.isEmpty, "\(findings.all.map(\.description).joined(separator: "\n"))")
        // Most requests are rejected and some are not, so that there is a user to harm.
        #expect(findings.answers[2, default: 0] >= 10)
        #expect(findings.answers[4, default: 0] >= 100)
    }
}
