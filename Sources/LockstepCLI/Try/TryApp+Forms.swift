import LockstepModels
import LockstepPrimitives

/// Forms, which ask for each field and show the models' problems.
extension TryApp {
    /// Makes a model's call.
    ///
    /// Prints the activity if the call takes long, and the error if it fails.
    func perform(_ form: FormState, _ call: @MainActor () async -> Void) async throws {
        let clock = project.clock
        let patience = Task {
            try await clock.sleep(for: .seconds(2))
            if let activity = form.activity { try dialogue.say(words.sentence(for: activity)) }
        }
        await call()
        patience.cancel()
        for problem in form.problems {
            let label = problem.field.map { words.label(of: $0) + ": " } ?? ""
            try dialogue.complain(label + problem.text(in: words))
        }
    }

    /// Copies the address that one form has sent to the other forms.
    func shareEmail() {
        sentEmail = auth.email
        signIn?.email = sentEmail
        signUp?.email = sentEmail
        reset?.email = sentEmail
    }

    /// The sign-in form, which keeps what was typed.
    func signInForm() -> SignInModel {
        let model = signIn ?? SignInModel(auth, identityProviders: identityProviders)
        signIn = model
        return model
    }

    /// The sign-up form, which keeps what was typed.
    func signUpForm() -> SignUpModel {
        let model = signUp ?? SignUpModel(auth, generateName: Self.generateName)
        signUp = model
        return model
    }

    /// The form for a forgotten password, which keeps what was typed.
    func resetForm() -> PasswordResetModel {
        let model = reset ?? PasswordResetModel(auth)
        reset = model
        return model
    }

    /// Returns what a field offers: the kept text, unless it was rejected.
    func accepted(_ text: String, _ field: FormField, _ form: FormState) -> String {
        form.problem(for: field) == nil ? text : ""
    }

    /// Asks for a field until the model has no problem with it.
    ///
    /// - `form`: The form with the model's problem.
    /// - `ask`: Asks for the text, and passes it to the model.
    /// - `check`: Checks the field, which the user has left.
    func askField(
        _ field: FormField, of form: FormState, ask: @MainActor () async throws -> Void, check: @MainActor () -> Void
    ) async throws {
        while true {
            try await ask()
            check()
            guard let problem = form.problem(for: field) else { return }
            try dialogue.complain(words.label(of: field) + ": " + problem.text(in: words))
        }
    }

    /// Asks for a new password, and shows its strength.
    ///
    /// The user may choose a weak password unless the app has a minimum.
    ///
    /// The result is `false` if the user has typed nothing.
    ///
    /// - `kept`: The password that stays if nothing is typed.
    func askNewPassword(
        _ field: FormField, keeping kept: String = "", _ take: (String) -> Void, strength: () -> PasswordStrength?
    ) async throws -> Bool {
        while true {
            let typed = try await dialogue.askUnseen(words.label(of: field), keeping: kept)
            take(typed)
            guard !typed.isEmpty else { return false }
            guard let strength = strength() else { return true }
            let label = words.label(of: strength.score)
            try dialogue.say("Strength \(strength.score.rawValue) of 4: \(label). \(words.sentence(for: strength))")
            if let minimum = options.minimum, strength.score < minimum {
                try dialogue.complain(words.sentence(forMinimum: minimum))
                continue
            }
            if strength.score >= .good { return true }
            if try await confirm(yes: "Use it anyway", no: "Type another one") { return true }
        }
    }
}
