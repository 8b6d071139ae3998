import LockstepContracts
import LockstepContractsTesting
import LockstepInMemoryHarness
import LockstepPrimitives
import Testing

/// A run that checks nothing fails, and so does a run that could not start.
@Suite("Runs without a valid result")
struct RunTests {
    private static func contract(_ needs: Set<Need> = [], _ body: @escaping @Sendable (World) async throws -> Void) -> Contract<
        World
    > {
        Contract("test.contract", "A contract of this test.", needs: needs, body: body)
    }

    private static func outcome(_ contract: Contract<World>, on harness: AlteredHarness) async -> Outcome {
        await contract.check(on: harness, harness.variants[0])
    }

    private static func troubles(_ contract: Contract<World>, on harness: AlteredHarness) async -> [String] {
        ContractCase.troubles(of: contract, on: harness, [await outcome(contract, on: harness)])
    }

    @Test("an unchecked contract fails, unless the harness lists it with a reason")
    func uncheckedContractFailsUnlessTheHarnessListsIt() async {
        let contract = Self.contract([.faults]) { _ in }
        #expect(await Self.troubles(contract, on: AlteredHarness { $0.faults = nil }).count == 1)
        let listed = AlteredHarness(cannotCheck: ["test.contract": "there are no faults"]) { $0.faults = nil }
        #expect(await Self.troubles(contract, on: listed).isEmpty)
    }

    @Test("a contract that is listed as impossible but can be checked fails")
    func checkableContractThatIsListedFails() async {
        let harness = AlteredHarness(cannotCheck: ["test.contract": "there are no faults"]) { _ in }
        #expect(await Self.troubles(Self.contract { _ in }, on: harness).count == 1)
    }

    @Test("a contract that is listed as impossible and does not apply does not fail")
    func inapplicableContractThatIsListedDoesNotFail() async {
        let harness = AlteredHarness(cannotCheck: ["test.contract": "there are no faults"]) { $0.faults = nil }
        let contract = Contract<World>(
            "test.contract", "A contract of this test.", appliesTo: .notClaiming(.password), needs: [.faults]
        ) {
            _ in
        }
        #expect(await Self.troubles(contract, on: harness).isEmpty)
    }

    @Test("an operation that the backend lacks fails")
    func operationThatTheBackendLacksFails() async {
        let contract = Self.contract([.administrator]) { _ = try await $0.administrator().users() }
        let harness = AlteredHarness {
            $0.administrator = FailingAdministrator { EnvironmentError("this backend lists no users") }
        }
        #expect(await Self.outcome(contract, on: harness).verdict.name == "notChecked")
        #expect(await Self.troubles(contract, on: harness).count == 1)
    }

    @Test("a failed set-up or tear-down fails the run")
    func failedSetUpOrTearDownFailsTheRun() async {
        let contract = Self.contract { _ in }
        #expect(await Self.outcome(contract, on: AlteredHarness(fails: .before) { _ in }).verdict.name == "failed")
        #expect(await Self.outcome(contract, on: AlteredHarness(fails: .after) { _ in }).verdict.name == "failed")
        #expect(await Self.outcome(contract, on: AlteredHarness(fails: .instead) { _ in }).verdict.name == "failed")
        let broken = Self.contract { $0.expect(false, "broken") }
        #expect(await Self.outcome(broken, on: AlteredHarness(fails: .after) { _ in }).verdict.name == "broken")
        #expect(await Self.troubles(contract, on: AlteredHarness(fails: .before) { _ in }).count == 1)
    }

    @Test("an error of an administrator's call fails the run and is not the adapter's")
    func administratorErrorFailsTheRun() async {
        let contract = Self.contract([.administrator]) { _ = try await $0.administrator().users() }
        for error in [HarnessFailure("answers 500") as any Error, Oops()] {
            let harness = AlteredHarness { $0.administrator = FailingAdministrator { error } }
            #expect(await Self.outcome(contract, on: harness).verdict.name == "failed")
        }
    }

    @Test("a check that throws another error is not kept")
    func checkThatThrowsIsNotKept() async {
        let contract = Self.contract { _ in throw Unmet() }
        #expect(await Self.outcome(contract, on: AlteredHarness { _ in }).verdict.name == "failed")
    }

    @Test("a failing control in an invariant fails the run, and a missing one skips the invariant")
    func failingControlInAnInvariantFailsTheRun() async {
        let contract = Self.contract { w in _ = try await w.signedIn() }
        for (error, verdict) in [(Oops() as any Error, "failed"), (EnvironmentError("no token can be shown"), "kept")] {
            let harness = AlteredHarness { environment in
                environment.administrator = environment.administrator.map { TokenlessAdministrator(base: $0, error: error) }
            }
            #expect(await Self.outcome(contract, on: harness).verdict.name == verdict)
        }
    }

    @Test("leaked secrets are reported even if the check ends early")
    func leaksAreReportedWhenTheCheckEndsEarly() async {
        let mutation = Mutation(client: { client, context in
            context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "Canary-Password-1"]))
            return client
        })
        let ends: [(any Error, String)] = [
            (EnvironmentError("lacking"), "notChecked"), (HarnessFailure("failed"), "failed"),
        ]
        for (end, name) in ends {
            let contract = Self.contract { w in
                _ = try? await w.client().signIn(with: .password(email: "ada@example.com", password: "Canary-Password-1"))
                throw end
            }
            let harness = AlteredHarness { _ in }
            let outcome = await contract.check(on: harness, harness.variants[0], mutation: mutation)
            #expect(outcome.verdict.name == name)
            #expect(outcome.others.map(\.contract.id) == ["always.secrets-stay-inside"])
        }
    }

    @Test("a contract that builds on a broken one fails, even if the harness lists it")
    func contractThatBuildsOnABrokenOneFails() async throws {
        let ground = "sign-in.password.completes"
        let contract = Contract<World>("test.contract", "A contract of this test.", buildsOn: [ground]) {
            $0.expect(false, "broken")
        }
        let mutation = Mutation(adapter: { adapter, _ in
            AlteredAdapter(adapter) { changes in
                changes.instead = { call, _ throws(AuthError) in
                    if call == .flow { throw AuthError(.unknown, "Broken.") }
                    return nil
                }
            }
        })
        let listed = AlteredHarness(cannotCheck: ["test.contract": "there is no such thing"]) { _ in }
        let outcome = await contract.check(on: listed, listed.variants[0], mutation: mutation)
        #expect(outcome.brokenGround == ground)
        #expect(ContractCase.troubles(of: contract, on: listed, [outcome]).count == 2)
    }

    @Test("a contract of several capabilities applies to adapters that claim one of them")
    func contractOfSeveralCapabilitiesAppliesToAnyOfThem() {
        let some = Applicability.claimingAny([.emailLinkSignIn, .confirmationLink])
        #expect(some.excuse(for: [.confirmationLink]) == nil)
        #expect(some.excuse(for: [.password]) == "claims none of confirmationLink, emailLinkSignIn")
    }

    @Test("a run without a harness, contract or variant fails")
    func runWithoutHarnessContractOrVariantFails() async {
        let empty: [[ContractCase]] = [.init(ContractCase.all(on: [])), ContractCase.all(on: InMemoryHarness(), contracts: [])]
        for cases in empty {
            #expect(cases.count == 1)
            await withKnownIssue { await cases.first?.verify() }
        }
        let without = ContractCase.all(on: AlteredHarness(hasVariants: false) { _ in }, contracts: [Self.contract { _ in }])
        await withKnownIssue { await without.first?.verify() }
    }

    @Test("a broken invariant is reported under its own contract")
    func invariantIsReportedUnderItsOwnContract() async throws {
        let mutation = Mutation(client: { client, context in
            context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "Canary-Password-1"]))
            return client
        })
        let contract = Self.contract { w in
            _ = try? await w.client().signIn(with: .password(email: "ada@example.com", password: "Canary-Password-1"))
        }
        let harness = AlteredHarness { _ in }
        let outcome = await contract.check(on: harness, harness.variants[0], mutation: mutation)
        #expect(outcome.verdict == .kept)
        let other = try #require(outcome.others.first)
        #expect(other.contract.id == "always.secrets-stay-inside" && other.verdict.name == "broken")
        let exempt = Contract<World>(
            "test.contract", "A contract of this test.", unwatched: [.secretsStayInside: "this test shows one"],
            body: { w in
                _ = try? await w.client().signIn(with: .password(email: "ada@example.com", password: "Canary-Password-1"))
            })
        #expect(await exempt.check(on: harness, harness.variants[0], mutation: mutation).others.isEmpty)
    }
}

private struct Oops: Error {}

/// The adapter in memory, on a harness that lacks or fails something.
private struct AlteredHarness: Harness {
    enum Failure: Error { case before, after, instead }

    var hasVariants = true
    var cannotCheck: [String: String] = [:]
    var fails: Failure?
    let change: @Sendable (inout TestEnvironment) -> Void
    private let base = InMemoryHarness()

    init(
        hasVariants: Bool = true, cannotCheck: [String: String] = [:], fails: Failure? = nil,
        _ change: @escaping @Sendable (inout TestEnvironment) -> Void
    ) {
        self.hasVariants = hasVariants
        self.cannotCheck = cannotCheck
        self.fails = fails
        self.change = change
    }

    var name: String { "altered" }
    var variants: [Variant] { hasVariants ? Array(base.variants.prefix(1)) : [] }

    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        if case .before = fails { throw Failure.before }
        if case .instead = fails { return }
        try await base.withEnvironment(variant) { environment in
            var environment = environment
            change(&environment)
            try await body(environment)
        }
        if case .after = fails { throw Failure.after }
    }
}

private struct FailingAdministrator: BackendAdministrator {
    let error: @Sendable () -> any Error

    func users() async throws -> [StoredUser] { throw error() }
    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        throw error()
    }
    func rename(_ userID: String, to displayName: String) async throws { throw error() }
    func disable(_ userID: String) async throws { throw error() }
    func delete(_ userID: String) async throws { throw error() }
    func endSessions(of userID: String) async throws { throw error() }
    func setPassword(_ password: String, of userID: String) async throws { throw error() }
    func switchOff(_ capability: Capability) async throws { throw error() }
    func accepts(accessToken: Secret) async throws -> Bool { throw error() }
    func accepts(refreshToken: Secret) async throws -> Bool { throw error() }
}

/// Shows no token to the backend.
private struct TokenlessAdministrator: BackendAdministrator {
    let base: any BackendAdministrator
    let error: any Error

    func users() async throws -> [StoredUser] { try await base.users() }
    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        try await base.create(email: email, password: password, isEmailVerified: isEmailVerified, displayName: displayName)
    }
    func rename(_ userID: String, to displayName: String) async throws { try await base.rename(userID, to: displayName) }
    func disable(_ userID: String) async throws { try await base.disable(userID) }
    func delete(_ userID: String) async throws { try await base.delete(userID) }
    func endSessions(of userID: String) async throws { try await base.endSessions(of: userID) }
    func setPassword(_ password: String, of userID: String) async throws { try await base.setPassword(password, of: userID) }
    func switchOff(_ capability: Capability) async throws { try await base.switchOff(capability) }
    func accepts(accessToken: Secret) async throws -> Bool { throw error }
    func accepts(refreshToken: Secret) async throws -> Bool { try await base.accepts(refreshToken: refreshToken) }
}
