import Lockstep
import LockstepModels
import LockstepPrimitives

extension TryApp {
    /// The screen of a guest, who cannot sign out by mistake.
    func showGuest(_ session: Session) async throws {
        if guest?.userID != session.user.id {
            guest = AnonymousUserModel(auth, identityProviders: identityProviders, generateName: Self.generateName)
        }
        guard let model = guest else { return }
        try announce("guest \(model.userID)", words.title(of: .anonymous), words.sentence(for: auth.screen))
        var choices: [Dialogue.Choice] = []
        if model.signUp.isOffered {
            choices.append(choice("Create an account, and keep everything") { try await self.fill(model.signUp) })
        }
        choices += signInChoices(model.signIn)
        if model.offersSignInElsewhere {
            choices.append(choice("Sign in to that account") { try await self.signInElsewhere(model) })
        }
        choices.append(choice("Sign out") { try await self.signOut(model) })
        try await menu(choices)
    }

    private func signInElsewhere(_ model: AnonymousUserModel) async throws {
        try dialogue.say(words("anonymous.conflict") + " " + words("anonymous.conflict.signIn"))
        guard try await confirm(yes: "Sign in to the other account, and lose the guest data", no: "Stay a guest") else { return }
        model.signInElsewhere()
        guard let other = model.otherAccount else { return }
        try await ask(among: signInChoices(other) + [choice("Stay a guest") { model.stayAnonymous() }])
    }

    private func signOut(_ model: AnonymousUserModel) async throws {
        model.askToSignOut()
        try dialogue.say(words("anonymous.signOut"))
        guard try await confirm(yes: "Sign out, and lose the guest data", no: "Stay a guest") else {
            return model.stayAnonymous()
        }
        try await perform(model.form) { await model.confirmSignOut() }
    }
}
