import LockstepComparison
import LockstepContracts
import LockstepInMemoryHarness
import LockstepTestConcurrency
import Testing

@Suite("Journeys", .limitedConcurrency)
struct JourneyTests {
    @Test(arguments: Journey.all.map(\.id))
    func everyJourneyCompletesInMemory(_ id: String) async throws {
        let journey = try #require(Journey.all.first { $0.id == id })
        let run = await journey.run(on: InMemoryHarness())
        #expect(run.problem == nil, "\(run.observations)")
        #expect(run.observations.count >= 1)
        #expect(run.configuration == InMemoryHarness().variants[0].name)
        #expect(run.state != nil)
    }

    @Test func observationsMatchTheBehavior() async throws {
        let signUp = try #require(Journey.all.first { $0.id == "sign-up" })
        let run = await signUp.run(on: InMemoryHarness())
        #expect(run["state before verification"] == "unverified")
        #expect(run["a token before the verification"] == "refused: verificationRequired")
        #expect(run["resend immediately"] == "refused: tooManyRequests")
        #expect(run["resend after a minute"] == "sent")
        #expect(run["display name afterwards"] == "kept")
    }

    /// A passkey is added while signed in, and signs its user in.
    @Test func passkeyIsCreatedAndUsed() async throws {
        let passkey = try #require(Journey.all.first { $0.id == "passkey" })
        let run = await passkey.run(on: OneVariant("code", variant: "code"))
        #expect(
            run["add a passkey to the account"] == "complete" && run["sign in with the passkey"] == "the same user",
            "\(run.observations)")
    }

    /// The messages of an address change are only those of the change, not earlier ones.
    @Test func onlyMessagesOfTheChangeAreReported() async throws {
        let change = try #require(Journey.all.first { $0.id == "change-email" })
        for variant in InMemoryHarness().variants {
            let run = await change.run(on: OneVariant(variant.name, variant: variant.name))
            #expect(run["messages"]?.contains("the old address") != true, "\(variant): \(run.observations)")
        }
    }

    /// The backend's steps decide which screens an app needs and what each screen shows.
    @Test func everyScreenIsNamedWithItsModel() async throws {
        let screens = try #require(Journey.all.first { $0.id == "screens" })
        var runs: [String: JourneyRun] = [:]
        for variant in InMemoryHarness().variants {
            let run = await screens.run(on: OneVariant(variant.name, variant: variant.name))
            #expect(run.problem == nil, "\(variant.name)")
            runs[variant.name] = run
        }
        #expect(runs["code"]?["verify the address (VerificationModel)"] == "code, send again")
        #expect(runs["link"]?["verify the address (VerificationModel)"] == "link, send again")
        #expect(runs["automatic"]?["verify the address (VerificationModel)"] == "not offered")
        #expect(runs["code"]?["anonymous user (AnonymousUserModel)"]?.contains("sign-up") == true)
        #expect(runs["code"]?["deletion (DeletionModel)"] == "confirmation")
        // Each row names its consequence for an app that moves.
        let (one, other) = (OneVariant("a", variant: "code"), OneVariant("b", variant: "automatic"))
        let comparison = await Comparison.run([screens], on: [one, other], isMove: true)
        let changes = comparison.changes(from: "a", to: "b").filter { $0.journey == "screens" && $0.kind == .journey }
        #expect(changes.map(\.observation).contains("verify the address (VerificationModel)"))
        for change in changes { #expect(change.weight == "screen", "\(change)") }
    }

    @Test func interruptedJourneyReportsItsCause() async throws {
        let apple = try #require(Journey.all.first { $0.id == "apple" })
        let run = await apple.run(on: OneVariant("bare") { $0.issuer = nil })
        #expect(run.problem == "this harness lacks an identity provider")
    }
}

/// The in-memory harness in one of its configurations, with an environment that a test can change.
struct OneVariant: Harness {
    let name: String
    private let chosen: String?
    private let change: @Sendable (inout TestEnvironment) -> Void

    init(
        _ name: String, variant: String? = nil,
        change: @escaping @Sendable (inout TestEnvironment) -> Void = { _ in }
    ) {
        self.name = name
        chosen = variant
        self.change = change
    }

    var variants: [Variant] { InMemoryHarness().variants.filter { chosen == nil || $0.name == chosen } }

    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        try await InMemoryHarness().withEnvironment(variant) { environment in
            var environment = environment
            change(&environment)
            try await body(environment)
        }
    }
}
