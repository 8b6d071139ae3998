internal import Lockstep
public import LockstepContracts

/// A journey of a person through an app, from the first touch to the end: the same code for every provider.
public struct Journey: Sendable, Identifiable {
    /// The stable name, by which it is chosen: `sign-up`.
    public let id: String
    /// What the person does, in a few words.
    public let title: String
    /// Its actions and observations.
    let walk: @Sendable (JourneyDriver) async throws -> Void

    init(_ id: String, _ title: String, _ walk: @escaping @Sendable (JourneyDriver) async throws -> Void) {
        self.id = id
        self.title = title
        self.walk = walk
    }

    /// All of them, in their order in reports.
    public static let all: [Journey] = [
        .signUp, .signIn, .forgottenPassword, .passwordChange, .emailChange, .accountDeletion, .magicLink, .phone, .appleSignIn,
        .oauth, .passkey, .secondFactor, .guest, .steps, .devices, .token, .idsAndClaims, .server, .screens,
    ]

    /// Runs the journey on a fresh backend of `harness`, in the configuration that its platform begins with, and returns what was
    /// observed.
    ///
    /// A journey that cannot continue says where and why in its run; it never throws.
    public func run(on harness: any Harness) async -> JourneyRun {
        guard let variant = harness.comparedVariants.first else {
            return JourneyRun(observations: [], problem: "this harness has no variant", configuration: "")
        }
        return await run(on: harness, variant)
    }

    /// The same in one of its configurations.
    func run(on harness: any Harness, _ variant: Variant) async -> JourneyRun {
        let record = JourneyRecord()
        do {
            try await harness.withEnvironment(variant) { environment in
                let driver = JourneyDriver(environment: environment, record: record)
                defer { record.end(driver.state, environment.trace?.totals) }
                try await walk(driver)
            }
            return record.run(on: variant.name, problem: nil)
        } catch {
            return record.run(on: variant.name, problem: "\(error)")
        }
    }
}
