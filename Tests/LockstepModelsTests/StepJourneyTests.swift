import Lockstep
import LockstepContracts
import LockstepInMemory
import LockstepModels
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Forgotten passwords, second factors, required fields and passwords, pages and sheets.
@Suite("Steps", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct StepJourneyTests {
    @Test("a forgotten password is replaced", arguments: Place.all)
    func replacesAForgottenPassword(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let signIn = SignInModel(app.auth)
            #expect(signIn.offersPasswordReset)
            signIn.email = Backend.email
            app.auth.email = signIn.email
            let model = PasswordResetModel(app.auth)
            #expect(model.email == Backend.email && model.canSubmit)
            await model.submit()
            #expect(model.form.problems.isEmpty)
            #expect(app.screen == .verify)
            let new = "Better-Horse-2"
            try await app.prove()
            guard case .newPassword(let password)? = app.auth.step else {
                Issue.record("\(app.screen) is due after the proof")
                return
            }
            #expect(!password.canSubmit)
            password.password = "abc"
            await password.submit()
            #expect(password.form.codes == [.newPassword: .weakPassword])
            password.password = new
            #expect(password.form.problems.isEmpty && password.canSubmit)
            await password.submit()
            #expect(password.form.problems.isEmpty)
            #expect(app.screen == .signedIn)
            try await (await backend.launch()).signIn(password: new)
        }
    }

    /// As on Firebase if action links do not open the app.
    @Test("a forgotten password is replaced on a web page, and the user returns to the sign-in")
    func replacesAForgottenPasswordOnAPage() async throws {
        try await Place.limited.run { backend in
            var settings = InMemorySettings()
            settings.resetsOnWebPage = true
            var environment = backend.environment
            let provider = InMemoryBackend(settings, clock: environment.clock)
            environment.adapter = InMemoryAdapter(backend: provider, clock: environment.clock)
            let id = await provider.create(email: Backend.email, password: Secret(Backend.password))
            let app = await Backend(environment: environment).launch()
            let model = PasswordResetModel(app.auth)
            model.email = Backend.email
            await model.submit()
            let verification = try app.verification()
            #expect(verification.endsOnWebPage && verification.offersLeaving)
            #expect(!verification.takesCode && !verification.takesLink && !verification.canCheck)
            await provider.setPassword("Better-Horse-2", of: id)
            // Returning to the app changes nothing, because the page sends no result.
            await app.auth.becameActive()
            #expect(app.screen == .verify && app.auth.problem == nil)
            // The address is filled in, also after a relaunch.
            let relaunched = await Backend(environment: environment).launch(on: app.store)
            try await relaunched.verification().cancel()
            #expect(relaunched.screen == .signedOut)
            #expect(SignInModel(relaunched.auth).email == Backend.email)
            try await relaunched.signIn(password: "Better-Horse-2")
            #expect(relaunched.screen == .signedIn)
        }
    }

    @Test(
        "the verification of a user with a session cannot be cancelled, but the user can sign out",
        arguments: [Place.limited, .firebase])
    func signsOutOfTheVerification(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let signUp = SignUpModel(app.auth)
            signUp.email = Backend.email
            signUp.password = Backend.password
            await signUp.submit()
            let model = try app.verification()
            #expect(model.offersSignOut && !model.offersLeaving)
            let challenge = model.challenge
            await model.cancel()
            let left = try app.verification()
            #expect(left.challenge == challenge && !left.canResend)
            let trace = try #require(backend.environment.trace)
            let before = trace.totals.requests
            await twice { await left.signOut() }
            #expect(left.form.problems.isEmpty)
            #expect(app.screen == .signedOut && trace.totals.requests <= before + 1)
        }
    }

    @Test(
        "a reset for an unknown address shows the same screen", arguments: [Place.code, .link, .limited, .firebase, .goTrue])
    func hidesUnknownAddresses(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let model = PasswordResetModel(app.auth)
            model.email = "nobody@"
            #expect(!model.canSubmit)
            model.email = "unknown@example.com"
            await model.submit()
            #expect(app.screen == .verify)
            try await app.verification().cancel()
            #expect(app.screen == .signedOut)
        }
    }

    @Test(
        "a second factor is asked for, and a wrong code is reported next to its field",
        arguments: [Place.code, .firebase, .goTrue, .clerk])
    func asksForASecondFactor(_ place: Place) async throws {
        try await place.run { backend in
            let id = try await backend.enrol()
            let factor = try #require(try await backend.environment.administrator?.addFactor(to: id))
            let app = await backend.launch()
            try await app.signIn()
            #expect(app.screen == .secondFactor)
            #expect(app.auth.screen.session == nil)
            guard case .secondFactor(let model)? = app.auth.step else { return }
            if !model.takesCode {
                #expect(!model.canSubmit)
                await model.choose(try #require(model.choices.first { $0.kind == factor.kind }))
                #expect(model.form.problems.isEmpty)
            }
            #expect(model.takesCode)
            model.code = "000000"
            await model.submit()
            #expect(model.form.problem(for: .code) != nil)
            #expect(app.screen == .secondFactor)
            model.code = try await backend.code(of: factor)
            #expect(model.form.problems.isEmpty)
            await model.submit()
            #expect(model.form.problems.isEmpty)
            #expect(app.screen == .signedIn)
        }
    }

    @Test(
        "an error about the choice of a factor is shown on the form, without a code field",
        arguments: [Place.code, .firebase, .goTrue])
    func rejectsAChoice(_ place: Place) async throws {
        try await place.run { backend in
            _ = try await backend.environment.administrator?.addFactor(to: try await backend.enrol())
            let app = await backend.launch()
            try await app.signIn()
            guard case .secondFactor(let model)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            await model.choose(FactorChoice(id: "none", kind: .passkey))
            #expect(model.form.problem != nil && model.form.problem(for: .code) == nil)
        }
    }

    @Test("cancelling the second factor returns to the sign-in", arguments: [Place.code, .goTrue, .clerk])
    func cancelsTheSecondFactor(_ place: Place) async throws {
        try await place.run { backend in
            _ = try await backend.environment.administrator?.addFactor(to: try await backend.enrol())
            let app = await backend.launch()
            try await app.signIn()
            guard case .secondFactor(let model)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            // The same model during the whole step, so typed input stays.
            model.code = "12"
            app.auth.dismissProblem()
            await app.auth.becameActive()
            guard case .secondFactor(let same)? = app.auth.step else { return }
            #expect(same === model && same.code == "12")
            await model.cancel()
            #expect(app.screen == .signedOut)
        }
    }

    @Test("missing fields that the provider requires are asked for", arguments: [Place.code, .clerk])
    func asksForMissingFields(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.environment.administrator?.demand(.lastName)
            let app = await backend.launch()
            let signUp = SignUpModel(app.auth)
            signUp.email = Backend.email
            signUp.password = Backend.password
            await signUp.submit()
            if app.screen == .verify { try await app.prove() }
            guard case .missingFields(let model)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            #expect(model.fields == [.lastName] && !model.canSubmit)
            model[.lastName] = "Lovelace"
            #expect(model.canSubmit)
            await model.submit()
            #expect(model.form.problems.isEmpty)
            if app.screen == .verify { try await app.prove() }
            #expect(app.screen == .signedIn)
        }
    }

    @Test("a password among the fields is a secret and is cleared after sending")
    func hidesAPasswordAmongTheFields() async throws {
        try await Place.code.run { backend in
            let password = MissingFieldsStep.Field(rawValue: "password")
            try await backend.environment.administrator?.demand(password)
            try await backend.environment.administrator?.demand(.lastName)
            let app = await backend.launch()
            try await EntryJourneyTests.begin(app)
            try await app.prove()
            guard case .missingFields(let model)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            #expect(model.isSecret(password) && !model.isSecret(.lastName))
            model[password] = "CANARY-1"
            #expect(!model.canSubmit, "a field is empty")
            model[.lastName] = "Lovelace"
            var text = ""
            dump(model, to: &text)
            #expect(!text.contains("CANARY") && model[password] == "CANARY-1" && model.canSubmit)
            await model.submit()
            #expect(model.form.problems.isEmpty && model[password].isEmpty)
            #expect(app.screen == .signedIn)
        }
    }

    @Test("a password that must be replaced is asked for")
    func asksForANewPassword() async throws {
        try await Place.code.run { backend in
            try await backend.environment.administrator?.demandNewPassword(of: try await backend.enrol())
            let app = await backend.launch()
            try await app.signIn()
            guard case .newPassword(let model)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            #expect(model.step.reason == .required)
            model.password = "Another-Horse-3"
            await model.submit()
            #expect(app.screen == .signedIn)
        }
    }

    @Test("the platform's sheet gets its own nonce, and its result signs in", arguments: Place.all)
    func signsInByASheet(_ place: Place) async throws {
        try await place.run { backend in
            let issuer = try #require(backend.environment.issuer)
            let app = await backend.launch()
            let model = SignInModel(app.auth, identityProviders: [issuer.provider])
            #expect(model.sheetProviders == [issuer.provider])
            let (old, request) = (model.identityRequest(issuer.provider), model.identityRequest(issuer.provider))
            #expect(old.hashedNonce != request.hashedNonce)
            var subject = IdentitySubject(id: "001", email: Backend.email)
            subject.nonce = request.hashedNonce
            let token = try await issuer.idToken(for: subject, flaw: nil)
            await model.submit(IdentityAnswer(to: request, token: token, name: "Ada Lovelace"))
            #expect(model.form.problems.isEmpty)
            #expect(app.screen == .signedIn)
            #expect(app.auth.screen.session?.user.displayName == "Ada Lovelace")
        }
    }

    @Test("a provider's page is opened, cancelled and returned from", arguments: [Place.code, .firebase, .goTrue, .clerk])
    func signsInOnAPage(_ place: Place) async throws {
        try await place.run { backend in
            let page = try #require(backend.environment.identityPage)
            let app = await backend.launch()
            let model = SignInModel(app.auth, identityProviders: [page.provider])
            #expect(model.pageProviders == [page.provider])
            await model.signIn(with: page.provider)
            guard case .browser(let closed)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            await closed.cancel()
            #expect(app.screen == .signedOut)
            await model.signIn(with: page.provider)
            guard case .browser(let browser)? = app.auth.step else { return }
            let address = try #require(browser.page)
            let subject = IdentitySubject(id: "002", email: Backend.email, name: "Ada Lovelace")
            let back = try #require(try await page.approve(address, as: subject))
            #expect(await app.auth.handle(back))
            #expect(app.auth.problem == nil)
            #expect(app.screen == .signedIn)
        }
    }

    @Test("an error on a provider's page is shown on the sign-in screen", arguments: [Place.code, .firebase, .goTrue])
    func showsTheErrorOfAPage(_ place: Place) async throws {
        try await place.run { backend in
            let page = try #require(backend.environment.identityPage)
            let app = await backend.launch()
            let model = SignInModel(app.auth, identityProviders: [page.provider])
            await model.signIn(with: page.provider)
            guard case .browser(let browser)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            let address = try #require(browser.page)
            let refusal = try #require(try await page.refuse(address))
            #expect(await app.auth.handle(refusal))
            #expect(app.screen == .signedOut)
            #expect(app.auth.problem?.error.code == .providerRefused)
            await model.signIn(with: page.provider)
            #expect(app.screen == .browser && app.auth.problem == nil)
        }
    }

    @Test("a code by e-mail signs in", arguments: [Place.code, .open, .goTrue, .clerk])
    func signsInByCode(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let model = SignInModel(app.auth)
            #expect(model.ways.contains(.emailCodeSignIn))
            model.way = .emailCodeSignIn
            #expect(model.fields == [.email] && !model.canSubmit)
            model.email = Backend.email
            #expect(model.canSubmit)
            await model.submit()
            #expect(app.screen == .verify)
            try await app.prove()
            #expect(app.screen == .signedIn)
        }
    }

    @Test("unsupported methods are not offered")
    func offersOnlySupportedMethods() async throws {
        try await Place.guests.run { backend in
            let app = await backend.launch()
            let model = SignInModel(app.auth, identityProviders: [.apple])
            #expect(model.ways.isEmpty && !model.canSubmit && !model.offersPasskey && !model.offersPasswordReset)
            #expect(model.sheetProviders.isEmpty && model.pageProviders.isEmpty)
            #expect(model.offersAnonymous)
            #expect(!SignUpModel(app.auth).isOffered && !SignUpModel(app.auth).canSubmit)
            #expect(!PasswordResetModel(app.auth).isOffered)
            await model.signInAnonymously()
            #expect(app.screen == .anonymous)
            // A guest sees no button to continue without an account.
            #expect(!model.offersAnonymous)
            let account = AccountModel(app.auth, identityProviders: [.apple])
            #expect(!account.offersName && !account.offersEmailChange && !account.offersPasswordChange && !account.offersDeletion)
            #expect(account.addableSheetProviders.isEmpty && account.removableIdentities.isEmpty)
            #expect(!DeletionModel(app.auth).isOffered)
        }
    }
}
