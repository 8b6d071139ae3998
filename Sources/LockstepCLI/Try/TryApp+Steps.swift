import Lockstep
import LockstepModels
import LockstepPrimitives

extension TryApp {
    /// Shows the pending step of a flow.
    func show(_ step: Step) async throws {
        let sentence = words.sentence(for: step)
        switch step {
        case .verify(let model):
            let isSent = [.email, .sms].contains(model.challenge.channel) && project.controls != nil
            let hint = isSent ? " The message is in the emulator's inbox. Type \"i\" to read it." : ""
            try announce("verify \(model.challenge.flow.id) \(sentence)", words.title(of: .verify), sentence + hint)
            try await show(model)
        case .secondFactor(let model):
            try announce("factor \(model.step.flow.id) \(sentence)", words.title(of: .secondFactor), sentence)
            try await show(model)
        case .newPassword(let model):
            try announce("newPassword \(model.step.flow.id)", words.title(of: .newPassword), sentence)
            try await show(model)
        case .missingFields(let model):
            try announce("missingFields \(model.step.flow.id)", words.title(of: .missingFields), sentence)
            try await show(model)
        case .browser(let model):
            try announce("browser \(model.flow.id)", words.title(of: .browser), sentence)
            try await showPage(model, model.page ?? "")
        case .unknown(let model):
            try announce("unknown \(model.flow.id)", words.title(of: .unknown), sentence)
            try await menu([choice("Leave") { await model.cancel() }])
        }
    }

    private func show(_ model: VerificationModel) async throws {
        if let countdown = model.expiryCountdown, case _ = countdown.update(), !countdown.isOver {
            try dialogue.say("It is valid for \(words.duration(seconds: Self.whole(countdown.secondsLeft))).")
        }
        if let left = model.challenge.attemptsLeft { try dialogue.say("Attempts left: \(left).") }
        var choices: [Dialogue.Choice] = []
        if model.takesCode {
            choices.append(
                choice("Type the code") {
                    model.code = try await self.dialogue.ask(self.words.label(of: .code))
                    try await self.perform(model.form) { await model.submit() }
                })
        }
        if model.canCheck {
            choices.append(
                choice("I have opened the link on another device") { try await self.perform(model.form) { await model.check() } })
        }
        if model.takesLink, project.controls == nil { choices.append(pasteLink) }
        if let countdown = model.resendCountdown {
            choices.append(resend(countdown, model.form) { await model.resend() })
        }
        if model.offersSignOut { choices.append(choice("Sign out") { await model.signOut() }) }
        if model.offersLeaving { choices.append(choice("Leave") { await model.cancel() }) }
        try await menu(choices)
    }

    /// The duration, rounded down for display: ten minutes and a second are ten minutes.
    private static func whole(_ seconds: Int) -> Int {
        switch seconds {
        case ...120: seconds
        case ...7200: seconds - seconds % 60
        default: seconds - seconds % 3600
        }
    }

    private func show(_ model: SecondFactorModel) async throws {
        var choices: [Dialogue.Choice] = []
        if model.takesCode {
            choices.append(
                choice("Type the code") {
                    model.code = try await self.dialogue.ask(self.words.label(of: .code))
                    try await self.perform(model.form) { await model.submit() }
                })
        }
        if let countdown = model.resendCountdown {
            choices.append(resend(countdown, model.form) { await model.resend() })
        }
        for factor in model.choices where !model.takesCode || model.choices.count > 1 {
            choices.append(choice(name(of: factor)) { try await self.perform(model.form) { await model.choose(factor) } })
        }
        choices.append(choice("Leave") { await model.cancel() })
        try await menu(choices)
    }

    /// A factor, with the name that the user gave it.
    func name(of factor: FactorChoice) -> String {
        words.label(ofFactor: factor.kind) + (factor.label.map { " (\($0))" } ?? "")
    }

    /// Sends a message again, as soon as the backend allows it.
    private func resend(_ countdown: Countdown, _ form: FormState, _ send: @escaping @MainActor () async -> Void)
        -> Dialogue.Choice
    {
        countdown.update()
        let label = words.sentence(forResend: countdown)
        guard !countdown.isOver else { return choice(label) { try await self.perform(form, send) } }
        return choice(label) {
            countdown.update()
            if !countdown.isOver {
                try self.dialogue.say("Waiting. Ctrl-C ends the app.")
                await countdown.watchToEnd()
            }
            try await self.perform(form, send)
        }
    }

    private func show(_ model: NewPasswordModel) async throws {
        try await menu([
            choice("Type a new password") {
                let isTyped = try await self.askNewPassword(.newPassword) {
                    model.password = $0
                } strength: {
                    model.strength
                }
                if isTyped { try await self.perform(model.form) { await model.submit() } }
            },
            choice("Leave") { await model.cancel() },
        ])
    }

    private func show(_ model: MissingFieldsModel) async throws {
        try await menu([
            choice("Fill in") {
                for field in model.fields {
                    let label = self.words.label(of: FormField(field))
                    model[field] =
                        model.isSecret(field)
                        ? try await self.dialogue.askUnseen(label) : try await self.dialogue.ask(label, default: model[field])
                }
                try await self.perform(model.form) { await model.submit() }
            },
            choice("Leave") { await model.cancel() },
        ])
    }

    /// A link that was opened in a browser, which cannot return to an app in a terminal.
    var pasteLink: Dialogue.Choice {
        choice("Paste the last address from the browser") {
            let url = try await self.dialogue.ask("Address")
            if !url.isEmpty, await !self.auth.handle(url) { try self.dialogue.complain("This address belongs to another app.") }
        }
    }

    /// The sign-in before a sensitive call.
    func show(_ model: ReauthenticationModel) async throws {
        let sentence = words(deletion?.reauthentication == nil ? "gate.reauthenticate" : "delete.reauthenticate")
        try announce("reauthenticate", "Sign in again", sentence)
        var choices = model.formWays.map { way in
            choice(words.label(ofWay: way)) {
                model.way = way
                if way == .password {
                    model.password = try await self.dialogue.askUnseen(self.words.label(of: .password))
                }
                try await self.perform(model.form) { await model.submit() }
            }
        }
        choices += model.sheetProviders.filter(identityProviders.contains).map { provider in
            choice(words.label(ofProvider: provider) + " (system dialog)") {
                guard let answer = try await self.answer(to: model.identityRequest(provider)) else { return }
                try await self.perform(model.form) { await model.submit(answer) }
            }
        }
        choices += model.pageProviders.filter(identityProviders.contains).map { provider in
            choice(words.label(ofProvider: provider) + " (web page)") {
                try await self.perform(model.form) { await model.signIn(with: provider) }
            }
        }
        if model.offersPasswordReset {
            choices.append(choice("Forgotten password") { try await self.perform(model.form) { await model.forgotPassword() } })
        }
        choices.append(
            choice("Leave without changes") {
                await self.account?.cancelReauthentication()
                await self.deletion?.cancel()
                self.deletion = nil
            })
        try await menu(choices)
    }
}
