import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

/// Guests: becoming a user, conflicts, and the loss at a sign-out.
@Suite("Guests", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct GuestJourneyTests {
    /// An app with a guest.
    private static func guest(_ backend: Backend) async throws -> (App, AnonymousUserModel) {
        let app = await backend.launch()
        let signIn = SignInModel(app.auth)
        #expect(signIn.offersAnonymous)
        await signIn.signInAnonymously()
        #expect(signIn.form.problems.isEmpty)
        #expect(app.screen == .anonymous)
        return (app, AnonymousUserModel(app.auth, identityProviders: [.apple]))
    }

    @Test("a guest who signs up keeps the id, and the model reports it", arguments: Place.withGuests)
    func guestKeepsTheID(_ place: Place) async throws {
        try await place.run { backend in
            let (app, model) = try await Self.guest(backend)
            #expect(!model.signIn.offersAnonymous && model.signIn.addsToAnonymousUser)
            #expect(model.outcome == nil)
            model.signUp.email = Backend.email
            model.signUp.password = Backend.password
            model.signUp.displayName = "Ada"
            await model.signUp.submit()
            #expect(model.signUp.form.codes.isEmpty)
            if app.auth.step != nil { try await app.prove() }
            #expect(app.screen == .signedIn)
            #expect(model.outcome == .kept(userID: model.userID))
            #expect(app.auth.screen.session?.user.id == model.userID)
        }
    }

    @Test("a guest is offered the methods that the client supports", arguments: Place.withGuests)
    func offersSupportedMethodsToAGuest(_ place: Place) async throws {
        try await place.run { backend in
            let (app, model) = try await Self.guest(backend)
            let taken = app.auth.client.account.linkMethods
            #expect(model.signIn.ways.allSatisfy(taken.contains) && model.signIn.ways.contains(.password))
            #expect(!model.signIn.offersPasskey)
            #expect(taken.contains(.idToken) == (model.signIn.sheetProviders == [.apple]))
            #expect(taken.contains(.oauth) == (model.signIn.pageProviders == [.apple]))
        }
    }

    @Test("a guest without a name gets the provider's name and keeps the id", arguments: Place.withGuests)
    func usesTheProvidersName(_ place: Place) async throws {
        try await place.run { backend in
            let issuer = try #require(backend.environment.issuer)
            let (app, model) = try await Self.guest(backend)
            let request = model.signIn.identityRequest(issuer.provider)
            var subject = IdentitySubject(id: "003", email: Backend.email)
            subject.nonce = request.hashedNonce
            let token = try await issuer.idToken(for: subject, flaw: nil)
            await model.signIn.submit(IdentityAnswer(to: request, token: token, name: "Ada Lovelace"))
            #expect(model.signIn.form.codes.isEmpty && model.conflict == nil)
            #expect(model.outcome == .kept(userID: model.userID))
            #expect(app.auth.screen.session?.user.displayName == "Ada Lovelace")
        }
    }

    @Test(
        "a conflict offers the other account, and the guest's session ends only after that sign-in", arguments: Place.withGuests)
    func guestSurvivesAConflict(_ place: Place) async throws {
        try await place.run { backend in
            let other = try await backend.enrol()
            let (app, model) = try await Self.guest(backend)
            model.signUp.email = Backend.email
            model.signUp.password = "Quite-Another-4"
            await model.signUp.submit()
            #expect(model.offersSignInElsewhere, "\(model.signUp.form.codes), \(app.screen)")
            #expect(app.screen == .anonymous && model.outcome == nil)
            model.signInElsewhere()
            let form = try #require(model.otherAccount)
            #expect(form.email == Backend.email && !form.addsToAnonymousUser)
            form.password = "wrong password"
            await form.submit()
            #expect(form.form.codes == [.password: .invalidCredentials])
            #expect(app.screen == .anonymous && app.auth.screen.session?.user.id == model.userID)
            #expect(try await app.client.accessToken().isEmpty == false)
            form.password = Backend.password
            await form.submit()
            #expect(form.form.problems.isEmpty)
            #expect(app.screen == .signedIn)
            #expect(model.outcome == .replaced(by: other))
        }
    }

    @Test("a guest is signed out only after confirming the loss", arguments: Place.withGuests)
    func asksBeforeTheSignOut(_ place: Place) async throws {
        try await place.run { backend in
            let (app, model) = try await Self.guest(backend)
            await model.confirmSignOut()
            #expect(app.screen == .anonymous)
            // The account's own button does not work either.
            let account = AccountModel(app.auth)
            await account.signOut()
            #expect(account.form.codes == [nil: .anonymousUserWouldBeLost])
            model.askToSignOut()
            #expect(model.isAskingToSignOut)
            model.stayAnonymous()
            await model.confirmSignOut()
            #expect(app.screen == .anonymous && !model.isAskingToSignOut)
            model.askToSignOut()
            await model.confirmSignOut()
            #expect(app.screen == .signedOut && model.outcome == .lost)
        }
    }

    @Test("a guest can continue until the link of a sign-up is opened", arguments: [Place.link, .goTrue, .firebase])
    func continuesAsAGuest(_ place: Place) async throws {
        try await place.run { backend in
            let (app, model) = try await Self.guest(backend)
            model.signUp.email = Backend.email
            model.signUp.password = Backend.password
            await model.signUp.submit()
            let step = try #require(app.auth.step)
            #expect(step.name == .verify)
            // A guest keeps the app, with the step over it. An account without a verified address has none.
            if case .anonymous = app.client.state {
                #expect(app.screen == .anonymous && app.auth.sheet?.name == .verify)
            } else {
                #expect(app.screen == .verify && app.auth.screen.session == nil)
            }
            try await app.verification().cancel()
            #expect(app.client.state.session?.user.id == model.userID)
        }
    }
}
