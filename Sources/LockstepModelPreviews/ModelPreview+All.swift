internal import Lockstep
internal import LockstepInMemory
internal import LockstepModels

extension ModelPreview {
    /// The screens before a user is known.
    static var starts: [ModelPreview] {
        [
            ModelPreview("restoring", .restoring) { _ in },
            ModelPreview("unavailable", .unavailable, store: UnreadableStore()) { await $0.auth.restore() },
            ModelPreview("signedOut", .signedOut) { _ = await $0.signedOut() },
            ModelPreview("signedOut.revoked", .signedOut) { app in
                let account = await app.member()
                await app.backend.endSessions(of: account.user?.id ?? "")
                _ = try? await app.auth.client.refreshUser()
                _ = await app.signedOut()
            },
        ]
    }

    /// The forms, empty and with each possible problem.
    static var forms: [ModelPreview] {
        [
            ModelPreview("signIn.wrongPassword", .signedOut) { app in
                await app.enrol()
                await app.signIn(password: "wrong")
            },
            ModelPreview("signIn.invalidEmail", .signedOut) { app in
                let model = await app.signedOut()
                model.email = "ada@"
                model.password = PreviewApp.password
                await model.submit()
            },
            ModelPreview("signIn.noNetwork", .signedOut) { app in
                await app.backend.inject(.refusal(AuthError(.network, "The backend cannot be reached.", retry: .now)))
                await app.signIn()
            },
            ModelPreview("signIn.busy", .signedOut) { app in
                let model = await app.signedOut()
                model.password = PreviewApp.password
                await app.hang(model.form) { await model.submit() }
            },
            ModelPreview("signIn.refusedAtAPage", .signedOut) { app in
                await app.signedOut().signIn(with: .apple)
                await app.auth.handle("\(app.backend.settings.callbackURL)?error=access_denied")
            },
            ModelPreview("signIn.codeByMail", .signedOut) { app in await app.signedOut().way = .emailCodeSignIn },
            ModelPreview("signUp", .signedOut) { app in
                await app.auth.restore()
                app.form = .signUp(SignUpModel(app.auth) { _ in "quiet otter" })
            },
            ModelPreview("signUp.tooWeakForTheApp", .signedOut, minimum: .good) { app in
                await app.auth.restore()
                let model = SignUpModel(app.auth)
                model.email = PreviewApp.email
                model.password = "abcdefgh"
                app.form = .signUp(model)
                await model.submit()
            },
            ModelPreview("signUp.weakPassword", .signedOut) { app in
                await app.auth.restore()
                let model = SignUpModel(app.auth)
                model.email = PreviewApp.email
                model.password = "abc"
                app.form = .signUp(model)
                await model.submit()
            },
            ModelPreview("passwordReset", .signedOut) { app in
                await app.auth.restore()
                app.form = .passwordReset(PasswordResetModel(app.auth))
            },
        ]
    }

    /// The steps of flows.
    static var steps: [ModelPreview] {
        [
            ModelPreview("verify.code", .verify) { await $0.signUp() },
            ModelPreview("verify.wrongCode", .verify) { app in
                await app.signUp()
                guard case .verify(let model)? = app.auth.step else { return }
                model.code = "000000"
                await model.submit()
            },
            ModelPreview("verify.expired", .verify, .expiringAtOnce) { await $0.signUp() },
            ModelPreview("verify.link", .verify, .confirmingByLink) { await $0.signUp() },
            ModelPreview("verify.codeOrLink", .verify, InMemorySettings()) { await $0.signUp() },
            ModelPreview("verify.poll", .verify, .limitedUntilProven) { await $0.signUp() },
            ModelPreview("verify.webPage", .verify, .resettingOnAPage) { await $0.resetPassword() },
            ModelPreview("verify.newDevice", .verify, .askingOnNewDevices) { app in
                await app.enrol()
                await app.signIn()
            },
            ModelPreview("verify.passkey", .verify) { app in await app.signedOut().signInWithPasskey() },
            ModelPreview("verify.sms", .verify) { app in
                let model = await app.signedOut()
                model.way = .phoneCode
                model.phone = "+491701234567"
                await model.submit()
            },
            ModelPreview("secondFactor", .secondFactor) { app in
                _ = await app.backend.addFactor(to: await app.enrol())
                await app.signIn()
            },
            ModelPreview("secondFactor.backupCode", .secondFactor) { app in
                _ = await app.backend.addFactor(to: await app.enrol())
                await app.signIn()
                guard case .secondFactor(let model)? = app.auth.step, let backup = model.choices.last else { return }
                await model.choose(backup)
            },
            ModelPreview("newPassword.reset", .newPassword) { app in
                await app.resetPassword()
                guard case .verify(let model)? = app.auth.step else { return }
                model.code = await app.backend.messages.last?.code ?? ""
                await model.submit()
            },
            ModelPreview("newPassword.required", .newPassword) { app in
                await app.backend.demandNewPassword(of: await app.enrol())
                await app.signIn()
            },
            ModelPreview("missingFields", .missingFields) { app in
                await app.backend.demand(.lastName)
                await app.signUp()
                guard case .verify(let model)? = app.auth.step else { return }
                model.code = await app.backend.messages.last?.code ?? ""
                await model.submit()
            },
            ModelPreview("browser", .browser) { app in await app.signedOut().signIn(with: .apple) },
            ModelPreview("unknown", .unknown) { app in
                await app.enrol()
                await app.backend.inject(.unknownStep("a_new_step"), on: .signIn, times: 1)
                await app.signIn()
            },
        ]
    }

    /// The screens of anonymous and permanent users.
    static var users: [ModelPreview] {
        [
            ModelPreview("anonymous", .anonymous) { _ = await $0.anonymousUser() },
            ModelPreview("anonymous.conflict", .anonymous) { app in
                await app.enrol()
                let model = await app.anonymousUser()
                model.signUp.email = PreviewApp.email
                model.signUp.password = PreviewApp.password
                await model.signUp.submit()
                model.signInElsewhere()
            },
            ModelPreview("anonymous.signOut", .anonymous) { await $0.anonymousUser().askToSignOut() },
            ModelPreview("anonymous.browser", .anonymous) { app in await app.anonymousUser().signIn.signIn(with: .apple) },
            ModelPreview("account", .signedIn) { _ = await $0.member() },
            ModelPreview("account.newAddress", .signedIn) { app in
                let model = await app.member()
                model.newEmail = "countess@example.com"
                await model.changeEmail()
            },
            ModelPreview("account.newFactor", .signedIn) { app in
                let model = await app.member()
                await model.loadFactors()
                await model.addFactor(.authenticatorApp)
            },
            ModelPreview("account.conflict", .signedIn) { app in
                let model = await app.member()
                await app.takeIdentity()
                await model.add(.apple)
                await app.approve()
                model.signInElsewhere()
            },
            ModelPreview("account.wrongPassword", .signedIn) { app in
                let model = await app.member()
                model.currentPassword = "wrong"
                model.newPassword = "Better-Horse-2"
                await model.changePassword()
            },
            ModelPreview("account.reauthenticate", .signedIn, .alwaysAskingAgain) { app in
                let model = await app.member()
                model.newPassword = "Better-Horse-2"
                await model.changePassword()
            },
            ModelPreview("gate.signIn", .signedOut) { app in
                _ = await app.signedOut()
                await app.stand(before: FeatureGate(app.auth, requiring: .verified))
            },
            ModelPreview("gate.anonymous", .anonymous) { app in
                _ = await app.anonymousUser()
                await app.stand(before: FeatureGate(app.auth, requiring: .signedIn))
            },
            ModelPreview("gate.step", .verify) { app in
                await app.signUp()
                await app.stand(before: FeatureGate(app.auth, requiring: .verified))
            },
            ModelPreview("gate.secondFactor", .signedIn) { app in
                _ = await app.member()
                await app.stand(before: FeatureGate(app.auth, requiring: .secondFactor))
            },
            ModelPreview("gate.noSecondFactor", .signedIn) { app in
                _ = await app.member()
                let gate = FeatureGate(app.auth, requiring: .secondFactor)
                await app.stand(before: gate)
                guard case .secondFactor(let again)? = gate.obstacle else { return }
                again.password = PreviewApp.password
                await again.submit()
                while case .secondFactor? = gate.obstacle { await Task.yield() }
            },
            ModelPreview("gate.problem", .signedIn, .withShortTokens) { app in
                _ = await app.member()
                await app.backend.inject(.refusal(AuthError(.network, "The backend cannot be reached.", retry: .now)))
                await app.stand(before: FeatureGate(app.auth, requiring: .session))
            },
            ModelPreview("gate.reauthenticate", .signedIn) { app in
                _ = await app.member()
                await app.stand(before: FeatureGate(app.auth, requiring: .recent(.seconds(-1))))
            },
            ModelPreview("deletion", .signedIn) { app in
                _ = await app.member()
                app.form = .deletion(DeletionModel(app.auth))
            },
            ModelPreview("deletion.reauthenticate", .signedIn, .alwaysAskingAgain) { app in
                _ = await app.member()
                let model = DeletionModel(app.auth)
                app.form = .deletion(model)
                model.isConfirmed = true
                await model.submit()
            },
            ModelPreview("deletion.done", .signedOut) { app in
                _ = await app.member()
                let model = DeletionModel(app.auth)
                app.form = .deletion(model)
                model.isConfirmed = true
                await model.submit()
            },
        ]
    }
}

extension InMemorySettings {
    fileprivate static var resettingOnAPage: InMemorySettings {
        var settings = limitedUntilProven
        settings.resetsOnWebPage = true
        return settings
    }

    fileprivate static var askingOnNewDevices: InMemorySettings {
        var settings = confirmingByCode
        settings.behavior.newDevice = .asksForCode
        return settings
    }

    fileprivate static var expiringAtOnce: InMemorySettings {
        var settings = confirmingByCode
        (settings.proofLife, settings.resendInterval) = (.zero, .zero)
        return settings
    }

    fileprivate static var withShortTokens: InMemorySettings {
        var settings = confirmingByCode
        settings.tokenLife = .zero
        return settings
    }

    fileprivate static var alwaysAskingAgain: InMemorySettings {
        var settings = confirmingByCode
        settings.sensitiveAge = .zero
        return settings
    }
}

/// A store that cannot be read.
private struct UnreadableStore: SessionStore {
    private var failure: StoreError { StoreError(.unreadable, "This store cannot be read.") }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? { throw failure }
    func keys() async throws(StoreError) -> [StoreKey] { throw failure }
    func remove(_ key: StoreKey) async throws(StoreError) { throw failure }
    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) { throw failure }
    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) { throw failure }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision { throw failure }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result { throw failure }
}
