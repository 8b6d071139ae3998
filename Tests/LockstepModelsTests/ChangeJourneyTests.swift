import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

/// Account changes after another sign-in or a step: made once, and confirmed when they are made.
@Suite("Changes", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct ChangeJourneyTests {
    private static let old = Duration.seconds(3600)

    @Test(
        "a verified new address is used and confirmed", arguments: [Place.code, .link, .limited, .goTrue, .clerk])
    func verifiesAnAddress(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            #expect(model.offersEmailChange)
            model.newEmail = "first@example.com"
            await model.changeEmail()
            #expect(model.form.codes.isEmpty && model.lastChange == .email)
            try await app.verification().cancel()
            #expect(model.lastChange == nil && model.user?.email == Backend.email)
            try await backend.advance(by: .seconds(61))
            model.newEmail = "countess@example.com"
            await model.changeEmail()
            #expect(model.form.codes.isEmpty)
            // If both addresses must be verified, the old one comes first.
            for recipient in [Backend.email, "countess@example.com"] {
                let messages = try await backend.environment.outbox?.messages() ?? []
                guard app.auth.sheet != nil, messages.contains(where: { $0.recipient == recipient }) else { continue }
                try await app.prove(to: recipient)
            }
            #expect(app.auth.sheet == nil && model.user?.email == "countess@example.com")
            #expect(model.lastChange == .emailProven)
        }
    }

    @Test("Firebase verifies a new address on its page and ends the session; the user signs in with the new one")
    func verifiesAnAddressOnFirebase() async throws {
        try await Place.firebase.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            model.newEmail = "countess@example.com"
            await model.changeEmail()
            #expect(model.form.codes.isEmpty && model.lastChange == .email && app.auth.sheet?.name == .verify)
            let link = try #require(try await backend.message(to: "countess@example.com").link)
            // Tokens of the same second would still be valid.
            try await backend.advance(by: .seconds(60))
            try await backend.environment.browser?.confirm(link)
            await app.auth.becameActive()
            #expect(app.screen == .signedOut && model.lastChange == nil)
            try await app.signIn("countess@example.com")
            #expect(app.screen == .signedIn && app.auth.screen.session?.user.email == "countess@example.com")
        }
    }

    @Test("a password change by code is confirmed after the code")
    func changesThePasswordByACode() async throws {
        try await Place.goTrue.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: .seconds(25 * 3600))
            let model = AccountModel(app.auth)
            for isLeft in [true, false] {
                model.newPassword = "Better-Horse-2"
                await model.changePassword()
                #expect(model.form.codes.isEmpty && model.reauthentication == nil)
                #expect(app.auth.sheet?.name == .verify && model.lastChange == nil)
                if isLeft {
                    try await app.verification().cancel()
                    #expect(model.lastChange == nil && model.form.problems.isEmpty)
                    try await backend.advance(by: .seconds(61))
                } else {
                    try await app.prove()
                }
            }
            #expect(model.lastChange == .password && app.auth.sheet == nil)
            try await (await backend.launch()).signIn(password: "Better-Horse-2")
        }
    }

    @Test("a deletion completes after its screen disappears", arguments: [Place.code, .goTrue])
    func deletesAfterTheScreenDisappears(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            await model.submit()
            let again = try #require(model.reauthentication)
            again.way = .emailCodeSignIn
            await again.submit()
            let sheet = try app.verification()
            sheet.code = try #require(try await backend.message().code)
            try await faults.inject(.hang, on: .delete, skipping: 0, times: 1)
            let following = Task { await app.auth.run() }
            let tap = Task { await sheet.submit() }
            try await faults.untilHanging(1)
            // The code was accepted, so the sheet disappears during the deletion.
            await until { app.auth.sheet == nil }
            sheet.form.cancel()
            tap.cancel()
            try await faults.release()
            await tap.value
            following.cancel()
            #expect(model.isDeleted && again.progress == .done)
            #expect(try await backend.environment.administrator?.users().isEmpty == true)
        }
    }

    @Test("a password change completes after its screen disappears")
    func changesThePasswordAfterTheScreenDisappears() async throws {
        try await Place.code.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            try await backend.advance(by: Self.old)
            let model = AccountModel(app.auth)
            model.newPassword = "Better-Horse-2"
            await model.changePassword()
            let again = try #require(model.reauthentication)
            again.password = Backend.password
            try await faults.inject(.hang, on: .change, skipping: 0, times: 1)
            let tap = Task { await again.submit() }
            try await faults.untilHanging(1)
            again.form.cancel()
            try await faults.release()
            await tap.value
            #expect(model.form.problems.isEmpty && model.lastChange == .password && model.reauthentication == nil)
            try await (await backend.launch()).signIn(password: "Better-Horse-2")
        }
    }

    @Test(
        "the name of a guest who has signed up is saved after the screen disappears",
        arguments: [Place.code, .limited, .firebase])
    func changesTheNameAfterTheScreenDisappears(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            let faults = try #require(backend.environment.faults)
            await SignInModel(app.auth).signInAnonymously()
            let form = AnonymousUserModel(app.auth).signUp
            form.email = Backend.email
            form.password = Backend.password
            form.displayName = "Ada"
            try await faults.inject(.hang, on: .change, skipping: 0, times: 1)
            let tap = Task { await form.submit() }
            try await faults.untilHanging(1)
            // The account exists, and its verification is the next screen.
            form.form.cancel()
            try await faults.release()
            await tap.value
            #expect(app.screen == .verify && app.client.state.session?.user.displayName == "Ada")
            #expect(
                try await backend.environment.administrator?.users().first { $0.email == Backend.email }?.displayName == "Ada")
        }
    }

    @Test("a call after a second factor can have its own step")
    func changesTheAddressAfterASecondFactor() async throws {
        try await Place.firebase.run { backend in
            let id = try await backend.enrol()
            let factor = try #require(try await backend.environment.administrator?.addFactor(to: id))
            @MainActor func giveFactor(_ app: App) async throws {
                guard case .secondFactor(let step)? = app.auth.step else { throw Failure("no second factor is due") }
                if !step.takesCode { await step.choose(try #require(step.choices.first { $0.kind == factor.kind })) }
                step.code = try await backend.code(of: factor)
                await step.submit()
                if let problem = step.form.problems.first { throw Failure("\(problem.error)") }
            }
            let app = await backend.launch()
            try await app.signIn()
            try await giveFactor(app)
            try await backend.advance(by: Self.old)
            let model = AccountModel(app.auth)
            model.newEmail = "countess@example.com"
            await model.changeEmail()
            let again = try #require(model.reauthentication)
            again.password = Backend.password
            await again.submit()
            #expect(again.progress == .underWay)
            try await giveFactor(app)
            #expect(again.progress == .done && model.reauthentication == nil)
            #expect(model.lastChange == .email && app.auth.sheet?.name == .verify)
        }
    }

    @Test("a change that cannot be bound to a sign-in is made once, after it")
    func makesAnUnboundChangeOnce() async throws {
        try await Place.clerk.run { backend in
            let issuer = try #require(backend.environment.issuer)
            let app = try await backend.member()
            let model = AccountModel(app.auth, identityProviders: [issuer.provider])
            let request = model.identityRequest(issuer.provider)
            var subject = IdentitySubject(id: "009", email: Backend.email)
            subject.nonce = request.hashedNonce
            await model.add(IdentityAnswer(to: request, token: try await issuer.idToken(for: subject, flaw: nil)))
            let page = try #require(backend.environment.identityPage)
            if model.user?.identities.contains(where: { $0.provider == issuer.provider }) != true {
                await model.add(page.provider)
                guard case .browser(let browser)? = app.auth.step else { throw Failure("no page is due") }
                let address = try #require(browser.page)
                let back = try #require(try await page.approve(address, as: subject))
                await app.auth.handle(back)
            }
            try await backend.advance(by: Self.old)
            let identity = try #require(model.removableIdentities.first { $0.provider != .email })
            await model.remove(identity)
            let again = try #require(model.reauthentication)
            #expect(model.lastChange == nil)
            again.password = Backend.password
            // The screen of the sign-in disappears, and its task ends.
            let tap = Task { await again.submit() }
            await until { model.reauthentication == nil }
            tap.cancel()
            again.form.cancel()
            await tap.value
            #expect(model.form.problems.isEmpty && model.lastChange == .identityRemoved)
            #expect(model.user?.identities.contains { $0.id == identity.id } == false)
        }
    }

    @Test("the photo is changed if the provider supports photos", arguments: Place.all)
    func changesThePhoto(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            model.photoURL = "https://example.com/ada.png"
            #expect(model.canSaveProfile == model.offersPhoto)
            guard model.offersPhoto else { return }
            await model.saveProfile()
            #expect(model.form.problems.isEmpty && model.lastChange == .profile)
            #expect(model.user?.photoURL == "https://example.com/ada.png" && model.user?.displayName == "Ada")
            #expect(!model.canSaveProfile)
        }
    }

    @Test("only the user's other devices are signed out", arguments: [Place.code, .goTrue, .clerk])
    func signsOutOtherDevices(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            guard model.offersSigningOutOthers else { return }
            let other = await backend.launch()
            try await other.signIn()
            await model.signOutOthers()
            #expect(model.form.problems.isEmpty && model.lastChange == .othersSignedOut)
            #expect(app.screen == .signedIn)
            try await backend.advance(by: .seconds(4000))
            await #expect(throws: AuthError.self) { try await other.client.refreshUser() }
            #expect(try await app.client.accessToken().isEmpty == false)
        }
    }
}
