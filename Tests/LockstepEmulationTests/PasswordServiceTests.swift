import LockstepEmulation
import LockstepPasswords
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Passwords between the runs of a request: real hashes on real workers.
@Suite(.limitedConcurrency)
struct PasswordServiceTests {
    private func service(_ context: RequestContext<ServiceState>) -> PasswordService<ServiceState> {
        PasswordService(context, .bcrypt(.least, randomness: context.randomness))
    }

    @Test func comparesAPasswordWithItsHash() async throws {
        let state = try ServiceState()
        let hash = try await state.run { try service($0).hash("correct horse") }.get()
        #expect(try await state.run { try service($0).matches("correct horse", [hash]) })
        #expect(try await !state.run { try service($0).matches("battery staple", [hash]) })
        #expect(state.environment.passwordWork.count == 3)
    }

    @Test func passwordMatchesAnyOfTheHashes() async throws {
        let state = try ServiceState()
        let hashes = try await state.run { try service($0).hashes(of: ["one", "two"]) }.get()
        #expect(hashes.count == 2 && state.environment.passwordWork.count == 2)
        #expect(try await state.run { try service($0).matches("two", hashes) })
        // One comparison, so that the time does not reveal the number of hashes.
        #expect(state.environment.passwordWork.count == 3)
    }

    @Test func missingHashMatchesNothingAndCostsAComparison() async throws {
        let state = try ServiceState()
        #expect(try await !state.run { try service($0).matches("one", []) })
        #expect(state.environment.passwordWork.count == 1)
    }

    @Test func unknownUserCostsAComparison() async throws {
        let state = try ServiceState()
        try await state.run { try service($0).spend() }
        #expect(state.environment.passwordWork.count == 1)
    }

    @Test func passwordThatTheAlgorithmWouldCutIsAnError() async throws {
        let state = try ServiceState()
        let long = String(repeating: "x", count: 73)
        let result = try await state.run { try service($0).hashes(of: ["short", long]) }
        guard case .failure(let error) = result else {
            Issue.record("bcrypt hashed 73 bytes")
            return
        }
        #expect(error.code == .passwordTooLong)
        #expect(throws: PasswordError.self) {
            try state.environment.hash(Secret(long), by: .bcrypt(.least, randomness: SystemRandomness()))
        }
    }

    @Test func hashesOnceForARequestThatRunsAgain() async throws {
        let state = try ServiceState()
        let hash = try await state.run { context in
            let hash = try service(context).hash("one").get()
            // The handler runs a second time for this comparison.
            #expect(try service(context).matches("one", [hash]))
            return hash
        }
        #expect(state.environment.passwordWork.count == 2)
        #expect(try hash.verify("one"))
    }

    @Test func emptyPasswordListCostsNothing() async throws {
        let state = try ServiceState()
        #expect(try await state.run { try service($0).hashes(of: []) }.get().isEmpty)
        #expect(state.environment.passwordWork.count == 0)
    }
}
