import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

/// A sign-in method of another account, found at a page or with a code.
@Suite("Conflicts", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct ConflictJourneyTests {
    private static let subject = IdentitySubject(id: "007", email: "grace@example.com", name: "Grace Hopper")

    /// Another person has an account with an identity.
    private static func takeIdentity(_ backend: Backend) async throws -> String {
        let app = await backend.launch()
        let page = try #require(backend.environment.identityPage)
        await SignInModel(app.auth, identityProviders: [page.provider]).signIn(with: page.provider)
        try await approve(app, page)
        return try #require(app.auth.screen.session?.user.id)
    }

    private static func approve(_ app: App, _ page: any IdentityPage) async throws {
        guard case .browser(let model)? = app.auth.step, let address = model.page else {
            throw Failure("no page is due, but \(app.screen)")
        }
        let back = try #require(try await page.approve(address, as: subject))
        #expect(await app.auth.handle(back))
    }

    @Test(
        "a guest sees the conflict, keeps the session and can sign in to the other account",
        arguments: [Place.code, .firebase, .goTrue])
    func conflictIsReportedToAGuest(_ place: Place) async throws {
        try await place.run { backend in
            let other = try await Self.takeIdentity(backend)
            let page = try #require(backend.environment.identityPage)
            let app = await backend.launch()
            await SignInModel(app.auth).signInAnonymously()
            let model = AnonymousUserModel(app.auth, identityProviders: [page.provider])
            #expect(!model.offersSignInElsewhere)
            await model.signIn.signIn(with: page.provider)
            try await Self.approve(app, page)
            #expect(model.offersSignInElsewhere && model.conflict?.currentUserID == model.userID)
            // The page is used up and no longer shown.
            #expect(app.auth.step == nil && app.client.pending == nil)
            #expect(app.screen == .anonymous && model.outcome == nil)
            #expect(try await app.client.accessToken().isEmpty == false)
            model.stayAnonymous()
            #expect(!model.offersSignInElsewhere)
            await model.signIn.signIn(with: page.provider)
            try await Self.approve(app, page)
            model.signInElsewhere()
            await model.otherAccount?.signIn(with: page.provider)
            try await Self.approve(app, page)
            #expect(model.outcome == .replaced(by: other) && app.auth.conflict == nil)
        }
    }

    @Test(
        "a user sees the conflict, stays signed in and can sign in to the other account",
        arguments: [Place.code, .firebase, .goTrue])
    func conflictIsReportedToAUser(_ place: Place) async throws {
        try await place.run { backend in
            let other = try await Self.takeIdentity(backend)
            let page = try #require(backend.environment.identityPage)
            let app = try await backend.member()
            let id = app.auth.screen.session?.user.id
            let model = AccountModel(app.auth, identityProviders: [page.provider])
            await model.add(page.provider)
            #expect(model.form.problems.isEmpty && model.conflict == nil)
            try await Self.approve(app, page)
            #expect(model.conflict?.currentUserID == id)
            #expect(model.form.codes == [nil: .identityAlreadyInUse] && model.lastChange == nil)
            #expect(app.auth.step == nil && app.auth.screen.session?.user.id == id)
            model.stay()
            #expect(model.conflict == nil)
            await model.add(page.provider)
            try await Self.approve(app, page)
            model.signInElsewhere()
            await model.otherAccount?.signIn(with: page.provider)
            try await Self.approve(app, page)
            #expect(app.auth.screen.session?.user.id == other)
            #expect(model.conflict == nil && model.otherAccount == nil && model.displayName == model.user?.displayName ?? "")
        }
    }

    @Test("an identity is added on a page and confirmed only afterwards", arguments: [Place.code, .firebase, .goTrue])
    func addsAnIdentityOnAPage(_ place: Place) async throws {
        try await place.run { backend in
            let page = try #require(backend.environment.identityPage)
            let app = try await backend.member()
            let model = AccountModel(app.auth, identityProviders: [page.provider])
            #expect(model.addablePageProviders == [page.provider])
            await model.add(page.provider)
            #expect(model.lastChange == nil)
            guard case .browser(let closed)? = app.auth.sheet else {
                Issue.record("\(app.auth.sheet?.name.rawValue ?? "nothing") is due")
                return
            }
            await closed.cancel()
            #expect(model.lastChange == nil && model.form.problems.isEmpty)
            await model.add(page.provider)
            try await Self.approve(app, page)
            #expect(model.lastChange == .identityAdded && model.form.problems.isEmpty && app.auth.sheet == nil)
            #expect(model.addablePageProviders.isEmpty)
        }
    }

    @Test("an identity is added by the platform's sheet, and removed", arguments: [Place.code, .link, .firebase, .clerk])
    func addsAnIdentityWithTheSheet(_ place: Place) async throws {
        try await place.run { backend in
            let issuer = try #require(backend.environment.issuer)
            let app = try await backend.member()
            let model = AccountModel(app.auth, identityProviders: [issuer.provider])
            #expect(model.addableSheetProviders == [issuer.provider])
            let request = model.identityRequest(issuer.provider)
            var subject = IdentitySubject(id: "008", email: Backend.email)
            subject.nonce = request.hashedNonce
            await model.add(IdentityAnswer(to: request, token: try await issuer.idToken(for: subject, flaw: nil)))
            #expect(model.form.problems.isEmpty && model.lastChange == .identityAdded)
            #expect(model.addableSheetProviders.isEmpty)
            let added = try #require(model.removableIdentities.first { $0.provider == issuer.provider })
            await model.remove(added)
            #expect(model.form.problems.isEmpty && model.lastChange == .identityRemoved)
            #expect(model.user?.identities.contains { $0.provider == issuer.provider } == false)
            #expect(model.removableIdentities.isEmpty)
            // A missing identity cannot be removed.
            await model.remove(added)
            #expect(model.form.problems.isEmpty)
        }
    }

    @Test("an error callback that launches the app is shown on the sign-in screen", arguments: [Place.code, .firebase, .goTrue])
    func errorThatLaunchesTheAppIsShown(_ place: Place) async throws {
        try await place.run { backend in
            let page = try #require(backend.environment.identityPage)
            let app = await backend.launch()
            await SignInModel(app.auth, identityProviders: [page.provider]).signIn(with: page.provider)
            guard case .browser(let browser)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            let address = try #require(browser.page)
            let refusal = try #require(try await page.refuse(address))
            let launched = App(backend.environment, app.store)
            #expect(launched.screen == .restoring)
            #expect(await launched.auth.handle(refusal))
            #expect(launched.screen == .signedOut && launched.auth.problem?.error.code == .providerRefused)
            #expect(launched.client.pending == nil)
        }
    }
}
