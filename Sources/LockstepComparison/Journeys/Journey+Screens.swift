internal import Lockstep
internal import LockstepContracts
internal import LockstepModels
internal import LockstepPrimitives

extension Journey {
    /// A journey through the screens that an app needs, with the content of their models.
    ///
    /// A screen that a provider never requires is `not offered`.
    static let screens = Journey("screens", "The screens of an app") { driver in
        try await ScreenTour(driver).walk()
    }
}

/// A tour of the screens of an app, which records what their models offer.
@MainActor
private struct ScreenTour {
    private let driver: JourneyDriver
    /// The identity providers that the app supports.
    private let providers: [IdentityProvider]

    init(_ driver: JourneyDriver) {
        self.driver = driver
        providers = [driver.environment.identityPage?.provider ?? .apple]
    }

    func walk() async throws {
        await driver.app.restore()
        note("sign-in", "SignInModel", Self.shown(in: SignInModel(await arrival(), identityProviders: providers)))
        try await signUp()
        try await forgottenPassword()
        await guest()
        // Only an app that has a form to sign in has accounts to show.
        guard !SignInModel(await arrival()).ways.isEmpty else { return }
        try await secondFactor()
        try await member()
    }

    // MARK: Screens

    private func signUp() async throws {
        let auth = await arrival()
        let model = SignUpModel(auth)
        note("sign-up", "SignUpModel", model.isOffered ? model.fields.map(\.rawValue) : [])
        guard model.isOffered else { return }
        model.email = driver.address("screens")
        model.password = driver.password.reveal()
        await model.submit()
        note("verify the address", "VerificationModel", try await due(on: auth, after: model.form, to: model.email))
    }

    private func forgottenPassword() async throws {
        let email = try await driver.user("reset")
        let auth = await arrival()
        let model = PasswordResetModel(auth)
        guard model.isOffered else { return note("forgotten password", "PasswordResetModel", []) }
        model.email = email
        await model.submit()
        note("forgotten password", "PasswordResetModel", ["address"])
        note("verify the reset", "VerificationModel", try await due(on: auth, after: model.form, to: email))
        guard case .verify(let proof)? = auth.step else { return }
        guard !proof.endsOnWebPage, let message = try await driver.message(to: email) else {
            return note("new password", "NewPasswordModel", [])
        }
        if proof.takesCode, let code = message.code {
            proof.code = code
            await proof.submit()
        } else {
            await auth.handle(try await driver.delivered(message))
        }
        let isAsked = if case .newPassword? = auth.step { true } else { false }
        note("new password", "NewPasswordModel", isAsked ? ["password"] : [])
    }

    private func guest() async {
        let auth = await arrival()
        let signIn = SignInModel(auth, identityProviders: providers)
        guard signIn.offersAnonymous else { return note("anonymous user", "AnonymousUserModel", []) }
        await signIn.signInAnonymously()
        let model = AnonymousUserModel(auth, identityProviders: providers)
        note("anonymous user", "AnonymousUserModel", (model.signUp.isOffered ? ["sign-up"] : []) + Self.shown(in: model.signIn))
    }

    private func secondFactor() async throws {
        let email = try await driver.user("hedy")
        let (auth, _) = try await signedIn(email)
        let id = auth.screen.session?.user.id
        var kinds: [FactorChoice.Kind] = []
        if let id, let admin = driver.environment.administrator, let factor = try await added(to: id, by: admin) {
            let auth = await arrival()
            await signIn(email, on: auth)
            if case .secondFactor(let model)? = auth.step {
                kinds = model.choices.isEmpty ? [factor.kind] : model.choices.map(\.kind)
            }
        }
        note("second factor", "SecondFactorModel", kinds.map(\.rawValue))
    }

    /// Visits the screens of the first sign-in on a device, of the account, and of a repeated sign-in.
    private func member() async throws {
        let email = try await driver.user("iris")
        let (auth, proof) = try await signedIn(email)
        note("new device", "VerificationModel", proof)
        note("account", "AccountModel", Self.shown(in: AccountModel(auth, identityProviders: providers)))
        let deletion = DeletionModel(auth)
        note("deletion", "DeletionModel", deletion.isOffered ? ["confirmation"] : [])
        guard deletion.isOffered else { return }
        // Long enough for a backend that asks for a recent sign-in.
        try await driver.wait(.seconds(3700))
        deletion.isConfirmed = true
        await deletion.submit()
        let again = deletion.reauthentication
        note("sign in again", "ReauthenticationModel", again.map { $0.ways.map(Self.word) } ?? [])
        await deletion.cancel()
    }

    /// Returns a device with a signed-in user, and the accepted answers of a new device's verification.
    private func signedIn(_ email: String) async throws -> (auth: AuthModel, proof: [String]) {
        let auth = await arrival()
        let model = await signIn(email, on: auth)
        // A code that is the sign-in method is not a verification of a new device.
        let proof = auth.step == nil || model.way != .password ? [] : try await due(on: auth, after: model.form, to: email)
        if case .verify(let model)? = auth.step, let code = try await driver.message(to: email)?.code {
            model.code = code
            await model.submit()
        }
        guard case .signedIn = auth.screen else { throw EnvironmentError("the app shows \(auth.screen.name) after a sign-in") }
        return (auth, proof)
    }

    @discardableResult
    private func signIn(_ email: String, on auth: AuthModel) async -> SignInModel {
        let model = SignInModel(auth)
        model.email = email
        model.password = driver.password.reveal()
        await model.submit()
        return model
    }

    /// Returns a second factor of a user; `nil` if the provider does not support it.
    private func added(to id: String, by admin: any BackendAdministrator) async throws -> EnrolledFactor? {
        guard driver.app.capabilities.contains(.secondFactor) else { return nil }
        return try await admin.addFactor(to: id)
    }

    // MARK: What they show

    /// Returns the model of an app on a new device.
    private func arrival() async -> AuthModel {
        let auth = AuthModel(driver.anotherDevice())
        await auth.restore()
        return auth
    }

    private func note(_ screen: String, _ model: String, _ parts: [String]) {
        driver.note("\(screen) (\(model))", parts.isEmpty ? "not offered" : parts.joined(separator: ", "))
    }

    /// Returns the answers that the pending verification accepts.
    private func due(on auth: AuthModel, after form: FormState, to address: String) async throws -> [String] {
        if let problem = form.problems.first { throw EnvironmentError("the form is rejected: \(problem.error.code)") }
        guard case .verify(let model)? = auth.step else { return [] }
        let hasCode = try await driver.message(to: address)?.code != nil
        return [
            (model.takesCode, hasCode ? "code" : "code (the message contains no code)"), (model.takesLink, "link"),
            (model.canCheck, "checks whether the link was opened"), (model.endsOnWebPage, "ends on a web page"),
            (model.resendCountdown != nil, "send again"),
        ]
        .filter(\.0).map(\.1)
    }

    private static func shown(in model: SignInModel) -> [String] {
        model.ways.map(word)
            + [
                (!model.sheetProviders.isEmpty, "a provider's sheet"), (!model.pageProviders.isEmpty, "a provider's page"),
                (model.offersPasskey, "passkey"), (model.offersAnonymous, "continue as an anonymous user"),
                (model.offersPasswordReset, "forgotten password"),
            ]
            .filter(\.0).map(\.1)
    }

    private static func shown(in model: AccountModel) -> [String] {
        [
            (model.offersName, "name"), (model.offersPhoto, "photo"), (model.offersEmailChange, "address"),
            (model.offersPasswordChange, "password"), (!model.addableSheetProviders.isEmpty, "add a provider (system dialog)"),
            (!model.addablePageProviders.isEmpty, "add a provider (web page)"), (model.offersPasskey, "add a passkey"),
            (model.offersFactors, "second factors"),
            (model.offersSigningOutOthers, "sign out other devices"), (model.offersDeletion, "deletion"),
        ]
        .filter(\.0).map(\.1)
    }

    private static func word(_ way: Capability) -> String {
        switch way {
        case .password: "password"
        case .emailCodeSignIn: "code by e-mail"
        case .emailLinkSignIn: "link by e-mail"
        case .phoneCode: "code by SMS"
        default: way.rawValue
        }
    }
}
