internal import Lockstep

extension Consequence {
    private static let oauth = Effect.Need(capability: .oauth, otherwise: "check the nonce on your server")

    /// Ways in, and what proves an address.
    static let flows: [Consequence] = [
        Consequence(
            "sign-up", "submit", 90, "there is a session before the address is proven",
            "gate features on the proof, not on having a session",
            call: "_ = try await auth.session(requiring: .verified)", when: { $0.contains("limited session") }),
        Consequence(
            "sign-up", "submit", 67, "there is no session before the address is proven: a call that needs a token throws",
            "do nothing that needs a token before the proof",
            call: "if case .verify(let challenge) = step { screen.show(challenge) }", when: { $0.contains("no session") }),
        Consequence(
            "sign-up", "submit", 95, "addresses are taken without any proof", "switch that setting off before the move",
            when: { $0 == "complete" }),
        Consequence(
            "sign-up", "message", 45, "the message holds no code: a field for it stays empty",
            "register the callback address, and take the link back", call: "screen.show(await auth.handle(url))",
            when: { $0 == "one with a link" }),
        Consequence(
            "sign-up", "message", 46, "the message holds no link: the user has to type the code", "show a field for it",
            call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))", when: { $0 == "one with a code" }),
        Consequence(
            "sign-up", "message", 7, "the message holds both", "show what `challenge.accepts` names",
            when: { $0.hasSuffix("and a code") }),
        Consequence(
            "sign-up", "message", 30, "no message is sent", "show no screen that waits for one", when: { $0 == "none" }),
        Consequence(
            "sign-up", "proof by poll", 57, "a screen that waits for a proof given elsewhere waits for ever",
            "let the user come back by the link, or type the code",
            call: "if challenge.accepts.contains(.poll) { screen.startPolling() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "proof by link", 47, "no link comes back to the app", "show a field for the code",
            call: "if challenge.accepts.contains(.code) { screen.showField() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "proof by code", 43, "no code is sent", "hide the field",
            call: "if !challenge.accepts.contains(.code) { screen.hideField() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "proof by code", 44, "the backend would take a code, and its mails hold none as the platform begins",
            "put `{{ .Token }}` into the templates, or hide the field", when: { $0.hasPrefix("taken, but") }),
        Consequence(
            "sign-up", "display name afterwards", 21, "the display name of the sign-up is lost", "set it again after the proof",
            call: "_ = try await auth.account.update(displayName: name)",
            needs: Effect.Need(capability: .displayName, otherwise: "set it again by your server"), when: { $0 == "lost" }),
        Consequence(
            "steps", "a wrong code", 42, "there is no code to type", "hide the field",
            call: "if !challenge.accepts.contains(.code) { screen.hideField() }", when: { $0.hasPrefix("no code") }),
        Consequence("steps", "a wrong code", 5, "a code can be typed", "show a field for it", when: isRefusal),
        Consequence(
            "sign-in", "unknown address", 34, "a stranger can find out who has an account", "show the same words for both codes",
            call:
                "if [.invalidCredentials, .userNotFound].contains(error.code) { screen.show(\"Address or password is wrong.\") }",
            when: { $0.contains("userNotFound") }),
        Consequence(
            "sign-in", "right password", 68, "a right password on a new device ends in a step: a code by e-mail",
            "answer the step", call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))",
            when: { $0.contains("new device") }),
        Consequence(
            "forgotten-password", "unknown address", 33, "a stranger can find out who has an account",
            "show the same screen for the refusal",
            call: "if error.code == .userNotFound { screen.show(\"If there is an account, a message is on its way.\") }",
            when: { $0.contains("refused") }),
        Consequence(
            "forgotten-password", "message", 46, "a reset is by a code: the message holds no link", "show a field for the code",
            call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))", when: { $0 == "one with a code" }),
        Consequence(
            "forgotten-password", "message", 46, "a reset is by a link: the message holds no code",
            "register the callback address, and take the link back", call: "screen.show(await auth.handle(url))",
            when: { $0 == "one with a link" }),
        Consequence(
            "magic-link", "ask for the link", 64, "no sign-in by a link that opens the app", "offer a code instead",
            call: "_ = try await auth.signIn(with: .emailCode(email))",
            needs: Effect.Need(capability: .emailCodeSignIn, otherwise: "offer a password instead"),
            when: { $0.contains("unsupported") || $0.contains("notEnabled") }),
        Consequence(
            "magic-link", "a link that expired", 15, "expired, used and foreign links give other codes",
            "word the screen for all of them",
            call: "if [.linkExpired, .linkUsed, .linkInvalid].contains(error.code) { screen.show(error) }", when: { _ in true }),
        Consequence(
            "phone", "ask for the code", 63, "no codes by SMS as it is set up: users without an address have no way in",
            "switch phones on at the backend, or give these users an address before the move", when: isRefusal),
        Consequence(
            "apple", "first time", 65, "no ID tokens as it is set up", "use the round trip through the provider's pages",
            call: "_ = try await auth.signIn(with: .oauth(.apple))",
            needs: Effect.Need(capability: .oauth, otherwise: "give these users another way before the move"), when: isRefusal),
        Consequence(
            "apple", "another flow's nonce", 85, "ID tokens with the nonce of another flow are taken: a stolen one works",
            "use the round trip through the provider's pages", call: "_ = try await auth.signIn(with: .oauth(.apple))",
            needs: oauth,
            when: { $0 == "complete" }),
        Consequence(
            "apple", "another flow's nonce", 5, "a stolen ID token is refused", when: isRefusal),
        Consequence(
            "oauth", "begin", 62, "no round trip through a provider's pages",
            "get the provider's ID token in the app, and show that",
            call: "_ = try await auth.signIn(with: .idToken(.google, token: token, nonce: nonce.raw))",
            needs: Effect.Need(capability: .idToken, otherwise: "give these users another way before the move"), when: isRefusal),
        Consequence(
            "passkey", "ask for the sheet's options", 63, "no passkeys: users who have only those have no way in",
            "give them a password or a code before the move", when: isRefusal),
        Consequence(
            "second-factor", "add an authenticator app", 76,
            "users cannot add a second factor in the app, and none is moved along",
            "let them add it on the backend's own pages, or do without", when: isRefusal),
        Consequence(
            "guest", "begin as a guest", 64, "no guests", "ask for a sign-in earlier, or keep the guest's data on the device",
            when: isRefusal),
        Consequence(
            "guest", "link an identity of one's own", 82, "a guest who signs in gets another user id",
            "move the guest's data before it", when: { $0.contains("another user id") }),
    ]

    /// Sensitive calls of a signed-in user.
    static let account: [Consequence] = [
        Consequence(
            "change-password", "with a wrong current password", 80, "the current password is not compared",
            "ask for a sign-in first",
            call: "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed))",
            needs: .reauthentication, when: { $0 == "changed" }),
        Consequence(
            "change-password", "without the current password", 60, "the call needs the current password",
            "ask for it on the same screen", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: isRefusal),
        Consequence(
            "change-password", "without the current password", 52,
            "a call that leaves the current password out sets a new one, while the sign-in is recent",
            "ask for the current one all the same", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: { $0 == "changed" }),
        Consequence(
            "change-password", "this device, an hour later", 60, "a new password signs out the device that set it",
            "sign in again with the new one", call: "_ = try await auth.signIn(with: .password(email: email, password: new))",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "change-password", "the other device, an hour later", 79, "other devices stay signed in after a new password",
            "end their sessions with the change", call: "try await auth.signOut(.others)", needs: .signOutOthers,
            when: { $0 == "signedIn" }),
        Consequence(
            "change-password", "the other device, an hour later", 41, "a new password signs the other devices out",
            "show words for it", call: "if case .signedOut(let reason) = auth.state { screen.show(reason) }",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "change-password", "a day after the sign-in", 59, "an old session may not set a new password",
            "sign the user in again, and pass the call along",
            call:
                "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .changePassword(to: new, current: nil))",
            needs: .reauthentication, when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "change-password", "a day after, without the current password", 58,
            "an old session may not set a new password without a proof of its user", "ask for the current password",
            call: "try await auth.account.changePassword(to: new, current: typed)", when: isRefusal),
        Consequence(
            "change-password", "a day after, without the current password", 77, "an open phone is enough to set a new password",
            "ask for the current one", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: { $0 == "changed" }),
        Consequence(
            "change-email", "messages", 39, "other messages go out for a new address",
            "say on the screen which mailboxes to look into", isRelative: true, when: { _ in true }),
        Consequence(
            "change-email", "every proof given", 58, "a new address ends the session that asked for it", "sign in again",
            when: { $0.contains("refused") || $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", 61, "an old session may not delete the account",
            "sign the user in again, and pass the call along",
            call:
                "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .deleteAccount)",
            needs: .reauthentication, when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", 83, "an open phone is enough to delete the account",
            "ask for the password before you call it",
            call:
                "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .deleteAccount)",
            needs: .reauthentication, when: { $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", 69, "no self-service deletion as it is set up",
            "give the adapter your server's function for it: stores of apps demand one", when: { $0.contains("unsupported") }),
    ]
}
