internal import Lockstep
package import LockstepContracts

/// A journey of a person through an app, such as a sign-up.
///
/// The code is the same for every provider.
package struct Journey: Sendable, Identifiable {
    /// The name with which the command selects the journey, such as `sign-up`.
    ///
    /// It never changes.
    package let id: String
    /// A short description of the person's actions.
    package let title: String
    /// Its actions and observations.
    let walk: @Sendable (JourneyDriver) async throws -> Void

    init(_ id: String, _ title: String, _ walk: @escaping @Sendable (JourneyDriver) async throws -> Void) {
        self.id = id
        self.title = title
        self.walk = walk
    }

    /// All journeys, in the order in which reports show them.
    package static let all: [Journey] = [
        .signUp, .signIn, .forgottenPassword, .passwordChange, .emailChange, .accountDeletion, .magicLink, .phone, .appleSignIn,
        .oauth, .passkey, .secondFactor, .guest, .steps, .devices, .token, .idsAndClaims, .server, .screens,
    ]

    /// Runs the journey on a new backend, in the platform's default configuration of a new project.
    ///
    /// The function never throws. If the journey cannot continue, the result contains the failed step and the
    /// reason.
    ///
    /// - Parameter harness: The harness, which sets up the backend.
    /// - Returns: The observations.
    package func run(on harness: any Harness) async -> JourneyRun {
        guard let variant = harness.comparedVariants.first else {
            return JourneyRun(observations: [], problem: "this harness has no variant", configuration: "")
        }
        return await run(on: harness, variant)
    }

    /// Runs the journey in one of the harness's configurations.
    func run(on harness: any Harness, _ variant: Variant) async -> JourneyRun {
        let record = JourneyRecord()
        do {
            try await harness.withEnvironment(variant) { environment in
                let driver = JourneyDriver(environment: environment, title: harness.title, record: record)
                defer { record.end(driver.state, environment.trace?.totals) }
                try await walk(driver)
            }
            return record.run(on: variant.name, problem: nil)
        } catch {
            return record.run(on: variant.name, problem: "\(error)")
        }
    }
}
