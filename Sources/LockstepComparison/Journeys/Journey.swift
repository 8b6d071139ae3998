internal import Lockstep
public import LockstepContracts

/// A journey of a person through an app, from the first touch to the end: the same code for every provider.
public struct Journey: Sendable, Identifiable {
    /// The stable name, by which it is chosen: `sign-up`.
    public let id: String
    /// What the person does, in a few words.
    public let title: String
    /// Which of a harness's variants it runs on; `nil` where the provider has none of the kind.
    let variant: @Sendable ([Variant]) -> Variant?
    /// Its actions and observations.
    let walk: @Sendable (JourneyDriver) async throws -> Void

    init(
        _ id: String, _ title: String, on variant: @escaping @Sendable ([Variant]) -> Variant? = { $0.first },
        _ walk: @escaping @Sendable (JourneyDriver) async throws -> Void
    ) {
        self.id = id
        self.title = title
        self.variant = variant
        self.walk = walk
    }

    /// All of them, in their order in reports.
    public static let all: [Journey] = [
        .signUp, .automaticSignUp, .signIn, .forgottenPassword, .accountDeletion, .magicLink, .appleSignIn, .guest, .steps,
        .token,
    ]

    /// Runs the journey on a fresh backend of `harness`, and returns what was observed.
    ///
    /// A journey that cannot go on says where and why in its run; it never throws.
    public func run(on harness: any Harness) async -> JourneyRun {
        guard let variant = variant(harness.variants) else {
            return JourneyRun(observations: [], problem: nil, isOffered: false)
        }
        let record = JourneyRecord()
        do {
            try await harness.withEnvironment(variant) { environment in
                let driver = JourneyDriver(environment: environment, record: record)
                defer { record.end(driver.state, environment.trace?.totals) }
                try await walk(driver)
            }
            return record.run(problem: nil)
        } catch {
            return record.run(problem: "\(error)")
        }
    }
}
