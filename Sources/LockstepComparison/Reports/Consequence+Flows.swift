internal import Lockstep

extension Consequence {
    private static let oauth = Effect.Need(capability: .oauth, otherwise: "check the nonce on your server")

    /// Consequences for sign-in and for the verification of addresses.
    static let flows: [Consequence] = [
        Consequence(
            "sign-up", "submit", 90, .server, "a session exists before the address is verified",
            "the client gives your app no token before the verification; reject such tokens on your servers, too "
                + "(`requiresVerifiedEmail`)",
            when: { $0.contains("limited session") }),
        Consequence(
            "sign-up", "submit", 35, .screen,
            "no session exists before the address is verified, so the account cannot be changed or deleted",
            "offer such calls only after the verification",
            call: "if case .verify(let challenge) = step { screen.show(challenge) }", when: { $0.contains("no session") }),
        Consequence(
            "sign-up", "submit", 95, .setting, "addresses are accepted without verification",
            "require verification on the backend before the move",
            when: { $0 == "complete" }),
        Consequence(
            "sign-up", "message", 45, .line, "the message contains no code, so the user cannot fill in a code field",
            "register the callback address, and handle the link", call: "screen.show(await auth.handle(url))",
            when: { $0 == "a link, no code" }),
        Consequence(
            "sign-up", "message", 46, .screen, "the message contains no link, so the user must type the code",
            "show a field for the code",
            call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))", when: { $0 == "a code, no link" }),
        Consequence(
            "sign-up", "message", 7, .none, "the message contains a link and a code", "show what `challenge.accepts` contains",
            when: { $0.hasSuffix("and a code") }),
        Consequence(
            "sign-up", "message", 30, .screen, "no message is sent", "do not show a screen that waits for a message",
            when: { $0 == "none" }),
        Consequence(
            "sign-up", "verify by poll", 57, .screen, "a screen that waits for verification on another device waits forever",
            "let the user open the link, or type the code",
            call: "if challenge.accepts.contains(.poll) { screen.startPolling() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "verify by link", 47, .screen, "the app receives no link", "show a field for the code",
            call: "if challenge.accepts.contains(.code) { screen.showField() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "verify by code", 43, .screen, "no code is sent", "hide the code field",
            call: "if !challenge.accepts.contains(.code) { screen.hideField() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "verify by code", 44, .setting, "the backend accepts a code, but its default emails do not contain one",
            "add `{{ .Token }}` to the templates, or hide the code field", when: { $0.hasPrefix("accepted, but") }),
        Consequence(
            "sign-up", "display name afterwards", 21, .line, "the display name from the sign-up is lost",
            "set the name again after the verification",
            call: "_ = try await auth.account.update(displayName: name)",
            needs: Effect.Need(capability: .displayName, otherwise: "set the name again on your server"), when: { $0 == "lost" }),
        Consequence(
            "steps", "a wrong code", 42, .screen, "the user gets no code to type", "hide the code field",
            call: "if !challenge.accepts.contains(.code) { screen.hideField() }", when: { $0.hasPrefix("no code") }),
        Consequence("steps", "a wrong code", 5, .none, "the user can type a code", "show a field for the code", when: isRefusal),
        Consequence(
            "sign-in", "unknown address", 34, .screen, "the sign-in tells a stranger who has an account",
            "show the same message for both error codes",
            call:
                "if [.invalidCredentials, .userNotFound].contains(error.code) { screen.show(\"Address or password is wrong.\") }",
            when: { $0.contains("userNotFound") }),
        Consequence(
            "sign-in", "right password", 68, .screen,
            "a correct password on a new device returns a step that asks for a code by e-mail",
            "let the user complete the step", call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))",
            when: { $0.contains("new device") }),
        Consequence(
            "forgotten-password", "unknown address", 33, .screen, "the password reset tells a stranger who has an account",
            "for this error, show the screen that appears for a known address",
            call: "if error.code == .userNotFound { screen.show(\"If an account uses this address, we sent a message.\") }",
            when: { $0.contains("refused") }),
        Consequence(
            "forgotten-password", "message", 46, .screen, "a reset uses a code, and the message contains no link",
            "show a field for the code",
            call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))", when: { $0 == "a code, no link" }),
        Consequence(
            "forgotten-password", "message", 46, .line, "a reset uses a link, and the message contains no code",
            "register the callback address, and handle the link", call: "screen.show(await auth.handle(url))",
            when: { $0 == "a link, no code" }),
        Consequence(
            "magic-link", "request the link", 64, .screen, "users cannot sign in with a link that opens the app",
            "offer a code instead",
            call: "_ = try await auth.signIn(with: .emailCode(email))",
            needs: Effect.Need(capability: .emailCodeSignIn, otherwise: "offer a password instead", effort: .screen),
            when: { $0.contains("unsupported") || $0.contains("notEnabled") }),
        Consequence(
            "magic-link", "open an expired link", 15, .screen, "expired, used and invalid links have different error codes",
            "handle all three codes on the screen",
            call: "if [.linkExpired, .linkUsed, .linkInvalid].contains(error.code) { screen.show(error) }", when: { _ in true }),
        Consequence(
            "phone", "request the code", 63, .setting, "SMS codes are off by default, so users without an address are locked out",
            "enable phone sign-in on the backend, or add an address for these users before the move", when: isRefusal),
        Consequence(
            "apple", "first time", 65, .line, "ID tokens are off by default", "sign in on the provider's pages",
            call: "_ = try await auth.signIn(with: .oauth(.apple))",
            needs: Effect.Need(capability: .oauth, otherwise: "give these users another way to sign in before the move"),
            when: isRefusal),
        Consequence(
            "apple", "token with another flow's nonce", 85, .line,
            "ID tokens with another flow's nonce are accepted, so a stolen token works",
            "sign in on the provider's pages", call: "_ = try await auth.signIn(with: .oauth(.apple))",
            needs: oauth,
            when: { $0 == "complete" }),
        Consequence(
            "apple", "token with another flow's nonce", 5, .none, "a stolen ID token is rejected", when: isRefusal),
        Consequence(
            "oauth", "begin", 62, .line, "users cannot sign in on a provider's pages",
            "get the provider's ID token in the app, and sign in with it",
            call: "_ = try await auth.signIn(with: .idToken(.google, token: token, nonce: nonce.raw))",
            needs: Effect.Need(capability: .idToken, otherwise: "give these users another way to sign in before the move"),
            when: isRefusal),
        Consequence(
            "passkey", "request the passkey options", 63, .server,
            "passkeys are not supported, so users who have only passkeys are locked out",
            "give these users a password or a code before the move", when: isRefusal),
        Consequence(
            "second-factor", "add an authenticator app", 76, .screen,
            "users cannot add a second factor in the app, and existing factors are not moved",
            "let users add a factor on the backend's own pages, or do without second factors", when: isRefusal),
        Consequence(
            "guest", "sign in anonymously", 64, .screen, "anonymous users are not supported",
            "ask the user to sign in earlier, or keep the anonymous user's data on the device",
            when: isRefusal),
        Consequence(
            "guest", "link a new identity", 82, .server, "an anonymous user who signs in gets another user id",
            "move the anonymous user's data before the sign-in", when: { $0.contains("another user id") }),
    ]

    /// Consequences for sensitive calls of a signed-in user.
    static let account: [Consequence] = [
        Consequence(
            "change-password", "with a wrong current password", 80, .screen, "the current password is not checked",
            "ask the user to sign in first",
            call: "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed))",
            needs: .reauthentication, when: { $0 == "changed" }),
        Consequence(
            "change-password", "without the current password", 60, .screen, "the call requires the current password",
            "ask for the password on the same screen", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: isRefusal),
        Consequence(
            "change-password", "without the current password", 52, .screen,
            "if the sign-in is recent, a call without the current password can set a new password",
            "ask for the current password anyway", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: { $0 == "changed" }),
        Consequence(
            "change-password", "this device, an hour later", 60, .line,
            "a new password signs out the device on which the user set it",
            "sign in again with the new password",
            call: "_ = try await auth.signIn(with: .password(email: email, password: new))",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "change-password", "the other device, an hour later", 79, .line, "other devices stay signed in after a new password",
            "end the sessions on other devices when the password changes", call: "try await auth.signOut(.others)",
            needs: .signOutOthers,
            when: { $0 == "signedIn" }),
        Consequence(
            "change-password", "the other device, an hour later", 41, .screen, "a new password signs the other devices out",
            "show this reason on the screen", call: "if case .signedOut(let reason) = auth.state { screen.show(reason) }",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "change-password", "a day after the sign-in", 59, .screen, "an old session cannot set a new password",
            "ask the user to sign in again, then retry the call",
            call:
                "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .changePassword(to: new, current: nil))",
            needs: .reauthentication, when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "change-password", "a day after the sign-in, without the current password", 58, .screen,
            "an old session cannot set a new password without another verification", "ask for the current password",
            call: "try await auth.account.changePassword(to: new, current: typed)", when: isRefusal),
        Consequence(
            "change-password", "a day after the sign-in, without the current password", 77, .screen,
            "an unlocked phone is enough to set a new password",
            "ask for the current password", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: { $0 == "changed" }),
        Consequence(
            "change-email", "messages", 39, .screen, "the backend sends different messages when the address changes",
            "say on the screen which mailboxes to check", isRelative: true, when: { _ in true }),
        Consequence(
            "change-email", "every address verified", 58, .line,
            "changing the address ends the session that requested the change",
            "sign in again",
            when: { $0.contains("refused") || $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete the account a day after the sign-in", 61, .screen,
            "an old session cannot delete the account",
            "ask the user to sign in again, then retry the call",
            call:
                "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .deleteAccount)",
            needs: .reauthentication, when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "delete-account", "delete the account a day after the sign-in", 83, .screen,
            "an unlocked phone is enough to delete the account",
            "ask for the password before the call",
            call:
                "_ = try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .deleteAccount)",
            needs: .reauthentication, when: { $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete the account a day after the sign-in", 69, .server,
            "users cannot delete their accounts by default",
            "pass your server's deletion function to the adapter, because app stores require account deletion",
            when: { $0.contains("unsupported") }),
    ]
}
