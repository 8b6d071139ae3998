import Lockstep
import LockstepContracts
import LockstepEmulatorTestSupport
import LockstepModels
import LockstepPrimitives

extension TryApp {
    /// The account of a signed-in user.
    func showAccount(_ session: Session) async throws {
        let model = account ?? AccountModel(auth, identityProviders: identityProviders)
        account = model
        if let guest, guest.userID == session.user.id { try dialogue.say(words("anonymous.kept")) }
        guest = nil
        try announce("account \(session.user.id)", words.title(of: .signedIn), words.sentence(for: auth.screen))
        try showUser(session)
        var choices: [Dialogue.Choice] = []
        if model.offersName { choices.append(choice("Change the name") { try await self.changeName(model) }) }
        if model.offersEmailChange { choices.append(choice("Change the address") { try await self.changeEmail(model) }) }
        if model.offersPasswordChange { choices.append(choice("Change the password") { try await self.changePassword(model) }) }
        if model.offersFactors { choices.append(choice("Second factors") { try await self.showFactors(model) }) }
        if !model.offersFactors, let admin = project.controls?.administrator {
            choices.append(
                choice("As an administrator, add a second factor to this account") {
                    try await self.addFactor(to: session.user.id, by: admin)
                })
        }
        choices += identityChoices(model)
        if model.conflict != nil {
            choices.append(choice(words("account.conflict.signIn")) { try await self.signInElsewhere(model) })
        }
        if model.offersSigningOutOthers {
            choices.append(
                choice("Sign out other devices") { try await self.change(model) { await model.signOutOthers() } })
        }
        choices.append(choice("Sign out") { try await self.perform(model.form) { await model.signOut() } })
        if model.offersDeletion { choices.append(choice("Delete the account") { try await self.delete() }) }
        try await menu(choices)
    }

    private func showUser(_ session: Session) throws {
        let user = session.user
        var facts = [user.displayName, user.email, user.phone].compactMap { $0 }.filter { !$0.isEmpty }
        if facts.isEmpty { facts = [user.id] }
        if session.assurance == .twoFactors { facts.append("signed in with a second factor") }
        let ways = user.identities.map { name(of: $0.provider) }
        try dialogue.say(
            facts.joined(separator: ", ") + (ways.isEmpty ? "." : ". Signs in with \(ways.joined(separator: ", "))."))
    }

    private func name(of provider: IdentityProvider) -> String {
        let name = words(AuthStrings.Key(rawValue: "provider.\(provider.rawValue)"))
        return name.isEmpty ? provider.rawValue : name
    }

    // MARK: Changes

    private func changeName(_ model: AccountModel) async throws {
        model.displayName = try await dialogue.ask(words.label(of: .displayName), default: model.displayName)
        guard model.canSaveProfile else { return try dialogue.say("The name is unchanged.") }
        try await change(model) { await model.saveProfile() }
    }

    private func changeEmail(_ model: AccountModel) async throws {
        model.newEmail = try await dialogue.ask("New address", default: model.newEmail)
        guard !model.newEmail.isEmpty else { return }
        try await change(model) { await model.changeEmail() }
    }

    private func changePassword(_ model: AccountModel) async throws {
        model.currentPassword = try await dialogue.askUnseen(words.label(of: .currentPassword))
        let isTyped = try await askNewPassword(.newPassword) {
            model.newPassword = $0
        } strength: {
            model.strength
        }
        if isTyped { try await change(model) { await model.changePassword() } }
    }

    private func identityChoices(_ model: AccountModel) -> [Dialogue.Choice] {
        var choices = model.addableSheetProviders.map { provider in
            choice("Add \(name(of: provider)) (system dialog)") {
                guard let answer = try await self.answer(to: model.identityRequest(provider)) else { return }
                try await self.change(model) { await model.add(answer) }
            }
        }
        choices += model.addablePageProviders.map { provider in
            choice("Add \(name(of: provider)) (web page)") {
                try await self.change(model) { await model.add(provider) }
            }
        }
        choices += model.removableIdentities.map { identity in
            choice("Remove \(name(of: identity.provider))") {
                try await self.change(model) { await model.remove(identity) }
            }
        }
        return choices
    }

    private func signInElsewhere(_ model: AccountModel) async throws {
        try dialogue.say(words("account.conflict"))
        model.signInElsewhere()
        guard let other = model.otherAccount else { return }
        try await ask(among: signInChoices(other) + [choice("Stay in this account") { model.stay() }])
    }

    // MARK: Second factors

    private func showFactors(_ model: AccountModel) async throws {
        try await perform(model.form) { await model.loadFactors() }
        guard let factors = model.factors else { return }
        try dialogue.heading("Second factors")
        try dialogue.say(factors.isEmpty ? "You have no second factors." : factors.map(name(of:)).joined(separator: ", ") + ".")
        var choices: [Dialogue.Choice] = []
        if model.canAdd(.authenticatorApp) {
            choices.append(choice("Add an authenticator app") { try await self.addAuthenticatorApp(model) })
        }
        choices.append(
            choice("Add a phone") {
                model.factorPhone = try await self.dialogue.ask("Phone, with + and country code", default: model.factorPhone)
                try await self.change(model) { await model.addFactor(.phone) }
            })
        choices += factors.map { factor in
            choice("Remove: \(name(of: factor))") { try await self.change(model) { await model.remove(factor) } }
        }
        choices.append(choice("Back") {})
        try await ask(among: choices)
    }

    private func addAuthenticatorApp(_ model: AccountModel) async throws {
        try await change(model) { await model.addFactor(.authenticatorApp) }
        guard let key = model.enrolment?.key else { return }
        let clock = project.clock
        let apps = project.controls?.authenticators
        factors.append(
            EnrolledFactor(.authenticatorApp) {
                // A backend may have its own apps; the others follow RFC 6238.
                guard let apps else { return Secret(AuthenticatorApp(secret: key.reveal()).code(at: clock.now)) }
                return try await apps.code(for: key)
            })
        try dialogue.say("Type this key into your authenticator app (an app would show it as a QR code):")
        try dialogue.show(key.reveal())
        try dialogue.say("Type \"a\" to see the codes that the app would show.")
    }

    /// If users cannot add factors with this adapter, the project's administrator can.
    private func addFactor(to userID: String, by admin: any BackendAdministrator) async throws {
        do {
            factors.append(try await admin.addFactor(to: userID))
            try dialogue.say("Done. The next sign-in asks for a code of this factor. Type \"a\" to see its codes.")
        } catch {
            try dialogue.complain("This failed: \(error)")
        }
    }

    // MARK: Deletion

    private func delete() async throws {
        let model = DeletionModel(auth)
        try dialogue.heading("Delete the account")
        try dialogue.say(words("delete.confirm"))
        model.isConfirmed = try await confirm(yes: "Delete everything", no: "Keep the account")
        guard model.isConfirmed else { return }
        deletion = model
        try await perform(model.form) { await model.submit() }
        if model.reauthentication == nil { deletion = nil }
    }
}
