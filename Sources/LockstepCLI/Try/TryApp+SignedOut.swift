import Lockstep
import LockstepContracts
import LockstepModels
import LockstepPrimitives

extension TryApp {
    /// The identity providers of this app: only the provider that the emulator simulates.
    var identityProviders: [IdentityProvider] { project.controls?.issuer.map { [$0.provider] } ?? [] }

    static let generateName: @Sendable (any Randomness) -> String = { DisplayNames(randomness: $0).next() }

    /// Sign-in, sign-up, forgotten password, guest.
    func showSignedOut() async throws {
        try announce("signedOut", words.title(of: .signedOut), words.sentence(for: auth.screen))
        let (signIn, signUp) = (signInForm(), signUpForm())
        var choices = signInChoices(signIn)
        if signUp.isOffered { choices.insert(choice("Create an account") { try await self.fill(signUp) }, at: 0) }
        if signIn.offersPasswordReset { choices.append(choice("Forgotten password") { try await self.askReset() }) }
        if signIn.offersAnonymous {
            choices.append(
                choice(words.label(ofWay: .anonymous)) {
                    try await self.perform(signIn.form) { await signIn.signInAnonymously() }
                })
        }
        try await menu(choices)
    }

    /// The choices for all ways to sign in.
    func signInChoices(_ model: SignInModel) -> [Dialogue.Choice] {
        let prefix = model.addsToAnonymousUser ? "Add a way to sign in: " : "Sign in: "
        // A guest gets a password by the form for a new account.
        let ways = model.ways.filter { !model.addsToAnonymousUser || $0 != .password }
        var choices = ways.map { way in
            choice(prefix + words.label(ofWay: way).lowercasedFirst) { try await self.fill(model, way) }
        }
        choices += model.sheetProviders.map { provider in
            choice(words.label(ofProvider: provider) + " (system dialog)") { try await self.signIn(model, bySheetOf: provider) }
        }
        choices += model.pageProviders.map { provider in
            choice(words.label(ofProvider: provider) + " (web page)") {
                try await self.perform(model.form) { await model.signIn(with: provider) }
            }
        }
        return choices
    }

    // MARK: Forms

    private func fill(_ model: SignInModel, _ way: Capability) async throws {
        model.way = way
        for field in model.fields {
            let label = words.label(of: field)
            try await askField(field, of: model.form) {
                switch field {
                case .email: model.email = try await dialogue.ask(label, default: accepted(model.email, field, model.form))
                case .phone:
                    let proposal = accepted(model.phone, field, model.form)
                    model.phone = try await dialogue.ask(label + ", with + and country code", default: proposal)
                default: model.password = try await dialogue.askUnseen(label, keeping: model.password)
                }
            } check: {
                model.check(field)
            }
        }
        try await perform(model.form) { await model.submit() }
    }

    func fill(_ model: SignUpModel) async throws {
        try await fill(model, model.fields)
        // The backend decides about a password again, and the rest of the form stays.
        while model.form.problem(for: .password) != nil { try await fill(model, [.password]) }
    }

    private func fill(_ model: SignUpModel, _ fields: [FormField]) async throws {
        for field in fields {
            let label = words.label(of: field)
            switch field {
            case .displayName: try await askName(model, label)
            case .email:
                try await askField(field, of: model.form) {
                    model.email = try await dialogue.ask(label, default: accepted(model.email, field, model.form))
                } check: {
                    model.check(field)
                }
            default:
                let isTyped = try await askNewPassword(field, keeping: accepted(model.password, field, model.form)) {
                    model.password = $0
                } strength: {
                    model.strength
                }
                guard isTyped else {
                    try dialogue.say("No password was typed, so no account was created.")
                    throw Dialogue.Ending.back
                }
            }
        }
        try await perform(model.form) { await model.submit() }
    }

    private func askName(_ model: SignUpModel, _ label: String) async throws {
        guard model.canSuggestName else { return model.displayName = try await dialogue.ask(label) }
        while true {
            let typed = try await dialogue.ask("\(label) (\"?\" for another)", default: model.displayName)
            guard typed == "?" else { return model.displayName = typed }
            model.suggestName()
        }
    }

    private func askReset() async throws {
        let model = resetForm()
        try await askField(.email, of: model.form) {
            let proposal = accepted(model.email, .email, model.form)
            model.email = try await dialogue.ask(words.label(of: .email), default: proposal)
        } check: {
            model.check()
        }
        try await perform(model.form) { await model.submit() }
    }

    // MARK: Identity providers

    /// Simulates the platform's dialog for a person who has this address at the provider.
    private func signIn(_ model: SignInModel, bySheetOf provider: IdentityProvider) async throws {
        let request = model.identityRequest(provider)
        guard let answer = try await answer(to: request) else { return }
        try await perform(model.form) { await model.submit(answer) }
    }

    /// The result of the dialog; `nil` if the user has closed it.
    func answer(to request: IdentityRequest) async throws -> IdentityAnswer? {
        guard let issuer = project.controls?.issuer else { return nil }
        let email = try await dialogue.ask("The email address to use in the dialog (leave it empty to close the dialog)")
        guard !email.isEmpty else { return nil }
        let subject = IdentitySubject(id: email, email: email, nonce: request.hashedNonce)
        return IdentityAnswer(to: request, token: try await issuer.idToken(for: subject, flaw: nil))
    }

    /// Simulates a provider's page.
    func showPage(_ model: BrowserModel, _ page: String) async throws {
        guard let identityPage = project.controls?.identityPage else {
            try dialogue.show(page)
            return try await menu([pasteLink, choice("Leave") { await model.cancel() }])
        }
        try await menu([
            choice("Approve on the page") {
                let email = try await self.dialogue.ask("The email address to use on the page")
                let subject = IdentitySubject(id: email, email: email)
                try await self.comeBack(with: try await identityPage.approve(page, as: subject))
            },
            choice("Decline on the page") { try await self.comeBack(with: try await identityPage.refuse(page)) },
            choice("Close the page") { await model.cancel() },
        ])
    }
}

extension TryApp {
    /// Handles the return from the browser, or its failure.
    private func comeBack(with url: String?) async throws {
        guard let url else { return try dialogue.say("The page did not return to the app.") }
        if await !auth.handle(url) { try dialogue.complain("The address belongs to another app.") }
    }
}

extension String {
    /// Within a sentence.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
