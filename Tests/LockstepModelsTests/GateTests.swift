import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Features that need a user: the steps before them, and one action afterwards.
@Suite("Gates", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct GateTests {
    /// Counts the admitted actions.
    @MainActor
    private final class Feature {
        var users: [String] = []
        func use(_ session: Session) { users.append(session.user.id) }
    }

    @Test("a user who meets the requirements is admitted immediately", arguments: Place.all)
    func admitsAUserWhoMeetsTheRequirements(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            for gate in [
                FeatureGate(app.auth, requiring: .session), FeatureGate(app.auth, requiring: .signedIn, .verified),
                FeatureGate(app.auth, requiring: .recent(.seconds(300))),
            ] {
                let id = await gate.enter { $0.user.id }
                #expect(id == app.client.state.session?.user.id)
                #expect(gate.obstacle == nil)
            }
        }
    }

    @Test("a signed-out user continues once, after sign-up and verification", arguments: Place.all)
    func actionRunsOnceAfterSignUp(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .verified), Feature())
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            guard case .signIn? = gate.obstacle else {
                Issue.record("something else than the sign-in stands before the feature")
                return
            }
            #expect(gate.obstacle.map { AuthStrings.english.sentence(for: $0) } == AuthStrings.english("gate.signIn"))
            // A second tap changes nothing.
            await gate.enter { feature.use($0) }
            #expect(feature.users.isEmpty)
            try await EntryJourneyTests.begin(app)
            await until { if case .step? = gate.obstacle { true } else { false } }
            #expect(feature.users.isEmpty)
            try await app.prove()
            await entry.value
            #expect(feature.users == [app.auth.screen.session?.user.id])
            #expect(gate.obstacle == nil)
            await AccountModel(app.auth).signOut()
            try await app.signIn()
            await app.auth.becameActive()
            #expect(feature.users.count == 1)
        }
    }

    @Test("a user who has left the gate is not admitted later")
    func leavingTheGateEndsTheWait() async throws {
        try await Place.code.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .verified), Feature())
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            await gate.cancel()
            #expect(await entry.value == nil)
            #expect(gate.obstacle == nil)
            try await app.signIn()
            #expect(feature.users.isEmpty)
            // So does a cancelled caller.
            await AccountModel(app.auth).signOut()
            let cancelled = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            cancelled.cancel()
            #expect(await cancelled.value == nil)
            // And the gate can be entered again.
            let third = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            try await app.signIn()
            #expect(await third.value != nil)
            #expect(feature.users.count == 1)
        }
    }

    @Test("an old sign-in is renewed, by the token's sign-in time if it has one", arguments: Place.all)
    func asksForARecentSignIn(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .recent(.seconds(300))), Feature())
            try await backend.advance(by: .seconds(240))
            await gate.enter { feature.use($0) }
            #expect(feature.users.count == 1)
            try await backend.advance(by: .seconds(120))
            // A clock that was set back does not make a sign-in recent.
            backend.environment.clock.shiftWall(by: .seconds(-3600))
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            guard case .reauthenticate(let model)? = gate.obstacle else {
                Issue.record("no sign-in is asked for")
                return
            }
            backend.environment.clock.shiftWall(by: .seconds(3600))
            model.password = "wrong"
            await model.submit()
            #expect(model.form.codes == [.password: .invalidCredentials] && feature.users.count == 1)
            model.password = Backend.password
            await model.submit()
            #expect(model.form.problems.isEmpty)
            await entry.value
            #expect(feature.users.count == 2 && gate.obstacle == nil)
        }
    }

    @Test("a missing second factor is asked for by another sign-in", arguments: [Place.goTrue, .firebase])
    func asksForASecondFactor(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let id = try #require(app.client.state.session?.user.id)
            let (gate, feature) = (FeatureGate(app.auth, requiring: .secondFactor), Feature())
            let factor = try #require(try await backend.environment.administrator?.addFactor(to: id))
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            guard case .secondFactor(let model)? = gate.obstacle else {
                Issue.record("no second factor is asked for")
                return
            }
            model.password = Backend.password
            await model.submit()
            #expect(model.form.problems.isEmpty && model.progress == .underWay)
            guard case .secondFactor(let step)? = app.auth.sheet else {
                Issue.record("\(app.auth.sheet?.name.rawValue ?? "nothing") is due")
                return
            }
            if !step.takesCode { await step.choose(try #require(step.choices.first { $0.kind == factor.kind })) }
            step.code = try await backend.code(of: factor)
            await step.submit()
            #expect(step.form.problems.isEmpty)
            await entry.value
            #expect(feature.users == [id])
        }
    }

    @Test("a guest is asked to create an account, and after a network error to try again")
    func namesOtherObstacles() async throws {
        try await Place.automatic.run { backend in
            let app = await backend.launch()
            await SignInModel(app.auth).signInAnonymously()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .signedIn), Feature())
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { if case .linkAnonymousUser? = gate.obstacle { true } else { false } }
            let signUp = AnonymousUserModel(app.auth).signUp
            signUp.email = Backend.email
            signUp.password = Backend.password
            await signUp.submit()
            await entry.value
            #expect(feature.users.count == 1)
            // The token has expired, and there is no network.
            try await backend.advance(by: .seconds(4000))
            try await backend.environment.faults?.inject(.offline, on: .any, skipping: 0, times: nil)
            let second = Task { await gate.enter { feature.use($0) } }
            await until { if case .problem? = gate.obstacle { true } else { false } }
            try await backend.environment.faults?.clear()
            gate.retry()
            await second.value
            #expect(feature.users.count == 2)
        }
    }

    @Test("a user who leaves during the check is not admitted by its result", arguments: [Place.code, .goTrue])
    func leavingDuringTheCheckIgnoresItsResult(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            for isCancelled in [false, true] {
                let (gate, feature) = (FeatureGate(app.auth, requiring: .session), Feature())
                try await backend.advance(by: .seconds(4000))
                try await faults.inject(.hang, on: .refresh, skipping: 0, times: 1)
                let entry = Task { await gate.enter { feature.use($0) } }
                try await faults.untilHanging(1)
                if isCancelled { entry.cancel() } else { await gate.cancel() }
                try await faults.release()
                #expect(await entry.value == nil)
                #expect(feature.users.isEmpty && gate.obstacle == nil && !gate.isInside)
                // The session is as valid as before.
                #expect(try await app.client.accessToken().isEmpty == false)
            }
        }
    }

    @Test("the action of one user does not run for another", arguments: [Place.code, .firebase, .goTrue, .clerk])
    func actionIsNotRunForAnotherUser(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.enrol("grace@example.com")
            let (gate, feature) = (FeatureGate(app.auth, requiring: .recent(.seconds(300))), Feature())
            try await backend.advance(by: .seconds(600))
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            await AccountModel(app.auth).signOut()
            try await app.signIn("grace@example.com")
            #expect(await entry.value == nil)
            #expect(feature.users.isEmpty && gate.obstacle == nil)
            // The other user can enter with another tap.
            await gate.enter { feature.use($0) }
            #expect(feature.users == [app.auth.screen.session?.user.id])
        }
    }

    @Test("the gate cannot be entered again while the action runs")
    func runsOneActionAtATime() async throws {
        try await Place.code.run { backend in
            let app = try await backend.member()
            let gate = FeatureGate(app.auth, requiring: .session)
            let (turns, go) = AsyncStream<Void>.makeStream()
            var begun = 0
            let first = Task {
                await gate.enter { _ in
                    begun += 1
                    for await _ in turns { return }
                }
            }
            await until { begun == 1 }
            #expect(gate.isInside && !gate.isWaiting)
            let second: Void? = await gate.enter { _ in begun += 1 }
            #expect(second == nil && begun == 1)
            go.yield()
            await first.value
            #expect(!gate.isInside)
        }
    }

    @Test("cancelling the sign-in leaves the gate", arguments: [Place.code, .goTrue])
    func leavingTheSignInLeavesTheGate(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .recent(.seconds(300))), Feature())
            try await backend.advance(by: .seconds(600))
            for isForgotten in [false, true] {
                let entry = Task { await gate.enter { feature.use($0) } }
                await until { gate.isWaiting }
                guard case .reauthenticate(let again)? = gate.obstacle else {
                    Issue.record("no sign-in is asked for")
                    return
                }
                if isForgotten { await again.forgotPassword() } else { await again.cancel() }
                #expect(await entry.value == nil)
                #expect(gate.obstacle == nil && again.progress == .left)
            }
            // The reset signs in again, and admits nobody who has left.
            try await app.prove()
            guard case .newPassword(let password)? = app.auth.step else {
                Issue.record("\(app.auth.step?.name.rawValue ?? "nothing") is due after the proof")
                return
            }
            password.password = "Better-Horse-2"
            await password.submit()
            #expect(app.screen == .signedIn && feature.users.isEmpty)
        }
    }

    @Test(
        "an account without a second factor is asked for one only once", arguments: [Place.code, .firebase, .goTrue, .clerk])
    func namesAMissingSecondFactor(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .secondFactor), Feature())
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { gate.isWaiting }
            guard case .secondFactor(let again)? = gate.obstacle else {
                Issue.record("no second factor is asked for")
                return
            }
            again.password = Backend.password
            await again.submit()
            #expect(again.form.problems.isEmpty && again.progress == .done)
            await until { if case .secondFactor? = gate.obstacle { false } else { true } }
            guard case .noSecondFactor? = gate.obstacle else {
                Issue.record("something else is said")
                return
            }
            #expect(gate.obstacle.map { AuthStrings.english.sentence(for: $0) }?.isEmpty == false)
            gate.retry()
            await until { if case .secondFactor? = gate.obstacle { true } else { false } }
            await gate.cancel()
            #expect(await entry.value == nil)
        }
    }

    @Test("a guest with a pending verification is sent to it", arguments: [Place.code, .limited, .firebase, .goTrue])
    func sendsAGuestToTheVerification(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            await SignInModel(app.auth).signInAnonymously()
            let (gate, feature) = (FeatureGate(app.auth, requiring: .verified), Feature())
            let entry = Task { await gate.enter { feature.use($0) } }
            await until { if case .linkAnonymousUser? = gate.obstacle { true } else { false } }
            let signUp = AnonymousUserModel(app.auth).signUp
            signUp.email = Backend.email
            signUp.password = Backend.password
            await signUp.submit()
            await until { if case .step? = gate.obstacle { true } else { false } }
            try await app.prove()
            await entry.value
            #expect(feature.users.count == 1)
        }
    }
}
