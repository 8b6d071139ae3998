import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

/// Sign-up, sign-in, verification of an address, and the steps between them, with the models of their screens.
@Suite("Entry", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct EntryJourneyTests {
    @Test("a sign-up asks for verification and then has a session with the name", arguments: Place.all)
    func signsUp(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            #expect(app.screen == .signedOut)
            let model = SignUpModel(app.auth)
            #expect(!model.canSubmit)
            model.email = " ada@example.com"
            #expect(!model.canSubmit)
            model.password = Backend.password
            model.displayName = "Ada"
            #expect(model.canSubmit)
            await model.submit()
            #expect(model.form.codes.isEmpty)
            #expect(model.password.isEmpty)
            #expect(app.screen == .verify)
            #expect(app.auth.screen.session == nil)
            try await app.prove()
            #expect(app.screen == .signedIn)
            #expect(app.auth.screen.session?.user.displayName == "Ada")
            #expect(app.auth.sheet == nil)
        }
    }

    @Test("an error of the client is shown next to its field, and nothing is sent", arguments: [Place.code, .firebase])
    func showsErrorsNextToTheirFields(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let model = SignUpModel(app.auth)
            let sent = try await backend.requests {
                model.email = "ada@"
                model.password = Backend.password
                #expect(!model.canSubmit)
                await model.submit()
                #expect(model.form.codes == [.email: .invalidEmail])
                #expect(model.form.problem == nil)
                model.email = Backend.email
                #expect(model.form.problem(for: .email) == nil)
                model.password = ""
                await model.submit()
                #expect(model.form.codes == [.password: .invalidInput])
                #expect(model.form.problem(for: .password)?.text() == AuthStrings.english("error.invalidInput.blank"))
            }
            #expect(sent == 0)
        }
    }

    @Test("a password that the backend rejects is reported next to its field", arguments: Place.all)
    func rejectsAWeakPassword(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let model = SignUpModel(app.auth)
            model.email = Backend.email
            model.password = "abc"
            #expect(model.canSubmit)
            await model.submit()
            #expect(model.form.codes == [.password: .weakPassword])
            #expect(model.password == "abc")
            #expect(app.screen == .signedOut)
        }
    }

    @Test("a wrong password is reported next to its field, and the right one signs in", arguments: Place.all)
    func signsIn(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let model = SignInModel(app.auth)
            #expect(model.ways.first == .password)
            model.email = Backend.email
            model.password = "wrong password"
            await model.submit()
            #expect(model.form.codes == [.password: .invalidCredentials])
            #expect(model.email == Backend.email)
            model.password = Backend.password
            #expect(model.form.problems.isEmpty)
            await model.submit()
            #expect(app.screen == .signedIn)
            let account = AccountModel(app.auth)
            await account.signOut()
            guard case .signedOut(.requested) = app.auth.screen else {
                Issue.record("\(app.screen) is due after a sign-out")
                return
            }
            // The forms start with the last address of the user.
            #expect(SignInModel(app.auth).email == Backend.email)
        }
    }

    @Test("two taps send one request", arguments: [Place.code, .firebase, .goTrue, .clerk])
    func sendsOnce(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let model = SignUpModel(app.auth)
            model.email = Backend.email
            model.password = Backend.password
            await twice { await model.submit() }
            #expect(model.form.problems.isEmpty)
            #expect(try await backend.messageCount() == 1)
            #expect(try await backend.environment.administrator?.users().count ?? 1 <= 1)
            let verification = try app.verification()
            try await backend.advance(by: .seconds(61))
            verification.resendCountdown?.update()
            #expect(verification.canResend)
            await twice { await verification.resend() }
            #expect(try await backend.messageCount() == 2)
            #expect(verification.hasResent)
        }
    }

    @Test("a message is sent again only after the countdown", arguments: Place.all)
    func sendsAgain(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            try await Self.begin(app)
            let model = try app.verification()
            let countdown = try #require(model.resendCountdown)
            #expect(!model.canResend)
            let wait = countdown.secondsLeft
            #expect(wait > 0 && wait <= 60)
            await model.resend()
            #expect(model.form.codes == [nil: .tooManyRequests])
            #expect(try await backend.messageCount() == 1)
            // A clock that is wrong by an hour changes nothing.
            for hours in [1, -2, 1] {
                backend.environment.clock.shiftWall(by: .seconds(hours * 3600))
                countdown.update()
                #expect(countdown.secondsLeft == wait)
            }
            try await backend.advance(by: .seconds(wait - 1))
            countdown.update()
            #expect(countdown.secondsLeft == 1 && !model.canResend)
            try await backend.advance(by: .seconds(1))
            countdown.update()
            #expect(model.canResend)
            await model.resend()
            #expect(model.form.problems.isEmpty)
            #expect(try await backend.messageCount() == 2)
            #expect(try app.verification() === model)
            #expect(model.resendCountdown?.secondsLeft == wait)
            try await app.prove()
            #expect(app.screen == .signedIn)
        }
    }

    @Test("after a relaunch a sign-up continues with its step, address and countdown", arguments: Place.all)
    func continuesAfterARelaunch(_ place: Place) async throws {
        try await place.run { backend in
            let store = MemorySessionStore(clock: backend.environment.clock)
            try await Self.begin(await backend.launch(on: store))
            try await backend.advance(by: .seconds(10))
            let app = await backend.launch(on: store)
            #expect(app.screen == .verify)
            let model = try app.verification()
            #expect(app.auth.email == Backend.email)
            #expect(model.challenge.destination.hasSuffix("@example.com"))
            let left = try #require(model.resendCountdown?.secondsLeft)
            #expect(left > 0 && left <= 50)
            try await app.prove()
            #expect(app.screen == .signedIn)
        }
    }

    /// Clerk has no account before the verification.
    ///
    /// It rejects the sign-in, and the user signs up again.
    @Test("an unverified user on another device is asked for verification and not signed in", arguments: Place.all)
    func showsTheVerification(_ place: Place) async throws {
        try await place.run { backend in
            try await Self.begin(await backend.launch())
            try await backend.advance(by: .seconds(61))
            let app = await backend.launch()
            let form = SignInModel(app.auth)
            form.email = Backend.email
            form.password = Backend.password
            await form.submit()
            if form.form.codes == [.email: .userNotFound] { try await Self.begin(app) }
            #expect(app.screen == .verify)
            #expect(app.auth.screen.session == nil)
            let relaunched = await backend.launch(on: app.store)
            #expect(relaunched.screen == .verify)
            try await relaunched.prove()
            #expect(relaunched.screen == .signedIn)
        }
    }

    @Test(
        "a wrong code is reported next to its field, and the right one still works",
        arguments: [Place.code, .open, .goTrue, .clerk])
    func rejectsAWrongCode(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            try await Self.begin(app)
            let model = try app.verification()
            #expect(model.takesCode && !model.canSubmit)
            model.code = " "
            #expect(!model.canSubmit)
            model.code = "000000"
            await model.submit()
            let code = try #require(model.form.problem(for: .code)?.error.code)
            // No response of GoTrue distinguishes a wrong code from an old one.
            #expect([.invalidCode, .codeExpired].contains(code))
            #expect(try app.verification() === model)
            try await app.prove()
            #expect(app.screen == .signedIn)
        }
    }

    @Test(
        "a verification on another device is found when the app returns, with one request in five seconds",
        arguments: [Place.limited, .firebase])
    func findsAVerificationOnAnotherDevice(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            try await Self.begin(app)
            let model = try app.verification()
            #expect(model.canCheck)
            let first = try await backend.requests { await app.auth.becameActive() }
            #expect(first > 0)
            let second = try await backend.requests {
                for _ in 0..<5 { await app.auth.becameActive() }
            }
            #expect(second == 0)
            #expect(app.auth.problem == nil && model.form.problems.isEmpty)
            await model.check()
            #expect(model.form.codes == [nil: .notConfirmedYet])
            try await backend.environment.browser?.confirm(try #require(try await backend.message().link))
            try await backend.advance(by: AuthModel.checkInterval)
            await app.auth.becameActive()
            #expect(app.screen == .signedIn)
        }
    }

    @Test("an unverified user is not signed in during another flow", arguments: [Place.limited, .firebase])
    func staysUnverified(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            try await Self.begin(app)
            #expect(app.client.state.session != nil)
            let reset = PasswordResetModel(app.auth)
            #expect(reset.email == Backend.email)
            await reset.submit()
            #expect(reset.form.problems.isEmpty)
            #expect(app.screen == .verify && app.auth.screen.session == nil)
            await #expect(throws: AuthError.self) { try await app.client.session(requiring: .verified) }
            let relaunched = await backend.launch(on: app.store)
            #expect(relaunched.screen == .verify)
            try await app.verification().cancel()
            #expect(app.screen == .verify)
        }
    }

    @Test("cancelling the verification returns to the form, with the address filled in", arguments: Place.all)
    func cancelsTheVerification(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            try await Self.begin(app)
            try await app.verification().cancel()
            if app.client.state.session == nil {
                #expect(app.screen == .signedOut)
            } else {
                // There is an account and a session before the verification. Unverified does not mean signed in.
                #expect(app.screen == .verify)
            }
            #expect(SignInModel(app.auth).email == Backend.email)
        }
    }

    @Test(
        "after the password a new device asks for a code on the next screen",
        arguments: [Place.cautious, .clerkNewDevice])
    func verifiesANewDevice(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            try await app.signIn()
            #expect(app.screen == .verify)
            #expect(try app.verification().takesCode)
            try await app.prove()
            #expect(app.screen == .signedIn)
            await AccountModel(app.auth).signOut()
            // The device is known now.
            try await app.signIn()
            #expect(app.screen == .signedIn)
        }
    }

    /// Signs up as a new user.
    static func begin(_ app: App) async throws {
        let model = SignUpModel(app.auth)
        model.email = Backend.email
        model.password = Backend.password
        model.displayName = "Ada"
        await model.submit()
        #expect(model.form.codes.isEmpty)
        #expect(app.screen == .verify)
    }
}
