internal import Lockstep

extension Meaning {
    /// Statements about sign-up and sign-in.
    static let signIn = [
        Meaning(
            "signUpProof", "Sign-up with a password",
            [
                Value(
                    "required", "requires a verified address", 66, .screen,
                    "a sign-up returns a step, and the user is signed in only after opening the link or typing the code",
                    "show the step and let the user complete it",
                    call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))"),
                Value(
                    "automatic", "accepts any address without verification", 96, .setting,
                    "a stranger can sign up with another person's address and is signed in immediately",
                    "require verification on the backend before the move"),
            ]),
        Meaning(
            "knownAddressAtSignUp", "Signing up with an address that already has an account",
            [
                Value(
                    "sameAsNew", "gets the same response as a new address", 62, .screen,
                    "the app never gets `emailAlreadyInUse`, so a user with an account waits for a message",
                    "offer a sign-in on the verification screen",
                    call: "_ = try await auth.signIn(with: .password(email: email, password: password))"),
                Value(
                    "refused", "fails with emailAlreadyInUse", 40, .screen,
                    "the sign-up throws instead of returning a step, and reveals who has an account",
                    "handle the error and open the sign-in screen",
                    call: "if error.code == .emailAlreadyInUse { screen.show(error) }"),
            ]),
        Meaning(
            "unverifiedAddressOfIDToken", "An unverified address in an ID token",
            [
                Value(
                    "staysUnproven", "stays unverified", 18, .screen,
                    "an unverified address from an ID token is dropped, or stored as unverified",
                    "ask for an address if the app needs one",
                    call: "_ = try await auth.account.changeEmail(to: email)"),
                Value(
                    "countsAsProven", "is marked as verified", 42, .server,
                    "an address can be marked as verified although the user does not own it",
                    "on a server, do not grant access because of the address in an ID token"),
            ]),
        Meaning(
            "passwordChangeOnOldSession", "Changing the password long after the sign-in",
            [
                Value(
                    "asksAgain", "requires a new sign-in", 30, .screen,
                    "a password change that worked before throws `reauthenticationRequired`",
                    "ask the user to sign in again, then repeat the change",
                    call: "_ = try await auth.account.reauthenticate(with: .password(email: email, password: password))"),
                Value(
                    "goesOn", "requires only the current password", 24, .setting,
                    "anyone with the unlocked device and the password can set a new password, even long after the sign-in",
                    "turn on secure password change in the project's settings"),
            ]),
        Meaning(
            "passwordOfUnprovenAccount", "The password after two sign-ups with the same unverified address",
            [
                Value(
                    "first", "is the first password", 44, .screen,
                    "a person who signed up first with someone else's address can still sign in after the owner verifies the address",
                    "let the user reset the password after the verification",
                    call: "_ = try await auth.requestPasswordReset(email: email)"),
                Value(
                    "latest", "is the newest password", 36, .screen,
                    "a user who mistypes the second password must sign in with the mistyped password",
                    "show the password while the user types it"),
            ]),
        Meaning(
            "strangersPassword", "A stranger's password, after the owner of the address signs in with a code or link",
            [
                Value(
                    "dies", "is invalid", 8, .none, "a user who signs in by a message before the verification sets a new password"
                ),
                Value(
                    "works", "still signs in", 84, .screen,
                    "a person who signed up with someone else's address can sign in to the owner's account",
                    "let the user reset the password after the first sign-in by a code or link",
                    call: "_ = try await auth.requestPasswordReset(email: email)"),
            ]),
        Meaning(
            "authenticatorApps", "The authenticator apps of a user",
            [
                Value(
                    "several", "a user can add several apps, each with a label", 8, .none,
                    "a user can have an app on each device",
                    "let the user name each app"),
                Value(
                    "one", "a user can add only one app, without a label", 33, .screen,
                    "adding a second app fails with `invalidInput`, and labels are not stored",
                    "offer to add an authenticator app only if the user has none; otherwise, ask the user to remove the old app",
                    call: "let apps = try await auth.account.factors.all().filter { $0.kind == .authenticatorApp }"),
            ]),
        Meaning(
            "currentPassword", "Changing the password without the current password",
            [
                Value(
                    "optional", "is accepted if the session is recent", 19, .screen,
                    "if the app does not ask for the current password, anyone with the unlocked phone can set a new password",
                    "ask for the current password",
                    call: "try await auth.account.changePassword(to: new, current: typed)"),
                Value(
                    "required", "fails with invalidInput", 34, .screen, "a password change without the current password fails",
                    "ask for the current password",
                    call: "try await auth.account.changePassword(to: new, current: typed)"),
            ]),
        Meaning(
            "captcha", "A captcha, if the project requires one",
            [
                Value(
                    "signUp", "is required for sign-ups", 8, .none,
                    "a sign-in no longer requires a captcha, so only rate limits slow down password guessing"),
                Value(
                    "everyEntry", "is required for sign-ups, password sign-ins and messages", 27, .screen,
                    "sign-in and password reset screens get stuck if they cannot show a captcha",
                    "if a step accepts `.captcha`, show the captcha on each screen that signs in or sends a message"),
            ]),
        Meaning(
            "addedFactor", "The assurance level of a session right after a second factor is added",
            [
                Value(
                    "countsAtOnce", "rises to two factors", 7, .none,
                    "features that require a second factor are available immediately"),
                Value(
                    "countsFromTheNextSignIn", "stays at one factor until the next sign-in", 31, .screen,
                    "features that require a second factor are available only after the next sign-in",
                    "before the app opens a feature that requires a second factor, let the user sign in again",
                    call: "_ = try await auth.session(requiring: .secondFactor)"),
            ]),
        Meaning(
            "passkeyUse", "The time of a passkey's last sign-in",
            [
                Value("told", "is in the list of passkeys", 3, .none, "a list can show which passkey was used last"),
                Value(
                    "untold", "is not reported", 12, .screen, "a list cannot show which passkey was used last",
                    "show only the names, and do not mark any passkey as unused"),
            ]),
        Meaning(
            "takenAddressAtChange", "Changing to an address that another account uses",
            [
                Value(
                    "sameAsNew", "gets the same response as an unused address", 34, .screen,
                    "the app never gets `emailAlreadyInUse`, so the user waits for a message",
                    "say on the screen that a message arrives only if the address is unused"),
                Value(
                    "refused", "fails with emailAlreadyInUse", 22, .screen,
                    "the call throws instead of returning a step, and reveals who has an account",
                    "handle the error and show it next to the field",
                    call: "if error.code == .emailAlreadyInUse { screen.show(error) }"),
            ]),
        Meaning(
            "unknownAddressAtSignIn", "A password sign-in with an unknown address",
            [
                Value(
                    "likeKnown", "fails like a wrong password", 30, .screen,
                    "the app no longer gets `userNotFound`, so it cannot open the sign-up screen for a new user",
                    "offer sign-in and sign-up on one screen after `invalidCredentials`"),
                Value(
                    "told", "fails with userNotFound", 34, .screen, "the sign-in tells a stranger who has an account",
                    "show the same message for both error codes",
                    call:
                        "if [.invalidCredentials, .userNotFound].contains(error.code) { screen.show(\"Address or password is wrong.\") }"
                ),
                Value(
                    "createsAccount", "creates an account", 80, .screen, "a mistyped address creates a new account",
                    "ask for the address twice"),
            ]),
        Meaning(
            "unknownAddressAtLink", "A sign-in link for an unknown address",
            [
                Value(
                    "likeKnown", "gets the same response as a known address, but no message is sent", 42, .screen,
                    "a new user waits for a link that never arrives", "let new users sign up first",
                    call: "_ = try await auth.signUp(with: .password(email: email, password: password))"),
                Value(
                    "told", "fails with userNotFound", 44, .screen,
                    "links no longer create accounts, and the error reveals who has an account",
                    "let new users sign up first", call: "if error.code == .userNotFound { screen.offerSignUp() }"),
                Value(
                    "createsAccount", "creates an account", 46, .line,
                    "if the app does not forbid new accounts, a mistyped address creates an account",
                    "if only known users may sign in, forbid new accounts with `createsAccount: false`",
                    call: "_ = try await auth.signIn(with: .emailLink(email, createsAccount: false))"),
            ]),
        Meaning(
            "unknownAddressWithoutAccount", "A sign-in link or code for an unknown address, if the app forbids new accounts",
            [
                Value(
                    "likeKnown", "gets the same response as a known address, but no message is sent", 24, .screen,
                    "a user who mistyped the address waits for a message that never arrives",
                    "say: \"If an account uses this address, we sent a message.\""),
                Value(
                    "told", "fails with userNotFound", 31, .screen, "a sign-in link or code tells a stranger who has an account",
                    "for this error, show the screen that appears for a known address",
                    call:
                        "if error.code == .userNotFound { screen.show(\"If an account uses this address, we sent a message.\") }"
                ),
                Value(
                    "createsAccount", "creates an account anyway", 72, .screen,
                    "`createsAccount: false` has no effect, so a mistyped address creates an account",
                    "ask for the address twice, or let your server look it up first"),
            ]),
        Meaning(
            "unknownAddressAtReset", "A password reset for an unknown address",
            [
                Value(
                    "likeKnown", "gets the same response as a known address", 18, .screen,
                    "the app can no longer detect a mistyped address",
                    "say: \"If an account uses this address, we sent a message.\""),
                Value(
                    "told", "fails with userNotFound", 33, .screen, "the password reset tells a stranger who has an account",
                    "for this error, show the screen that appears for a known address",
                    call:
                        "if error.code == .userNotFound { screen.show(\"If an account uses this address, we sent a message.\") }"
                ),
                Value(
                    "createsAccount", "creates an account", 80, .screen, "a mistyped address creates an account",
                    "ask for the address twice"
                ),
            ]),
        Meaning(
            "newDevice", "A correct password on a new device",
            [
                Value(
                    "trusted", "signs in", 22, .screen, "no code is required, so a stolen password is enough",
                    "offer a second factor"),
                Value(
                    "asksForCode", "requires an e-mail code first", 68, .screen,
                    "after the move every device is new, so a correct password returns a step, not a session",
                    "let the user complete the step that the sign-in returns",
                    call:
                        "if case .verify(let challenge) = step { _ = try await auth.respond(to: challenge.flow, with: .code(typed)) }"
                ),
            ]),
        Meaning(
            "callbackOfAnotherFlow", "A callback that does not belong to the current redirect",
            [
                Value(
                    "refusedByClient", "is rejected without a request", 8, .none, "no effect on the app"),
                Value(
                    "refusedByBackend", "is rejected by the backend, after a request", 10, .none,
                    "the callback does not name its flow, so the client must ask the backend"),
            ]),
        Meaning(
            "nonce", "The nonce of an ID token",
            [
                Value(
                    "required", "is required and checked", 52, .line, "a token without a nonce is rejected",
                    "pass the nonce with the token",
                    call: "_ = try await auth.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw))"),
                Value(
                    "checkedWhenPresent", "is checked if the token contains a nonce", 28, .line,
                    "a token that was requested without a nonce can be replayed", "request each token with a nonce",
                    call: "_ = try await auth.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw))",
                    gain: "a token with another flow's nonce is rejected"),
                Value(
                    "ignored", "is not checked", 84, .line, "a stolen ID token works until it expires",
                    "sign in on the provider's pages, or check the nonce on your server",
                    call: "_ = try await auth.signIn(with: .oauth(.apple))",
                    needs: Effect.Need(capability: .oauth, otherwise: "check the nonce on your server")),
            ]),
    ]

    /// Statements about links and codes.
    static let proofs = [
        Meaning(
            "scannedLink", "A confirmation link that a mail scanner opened",
            [
                Value("stays", "still works", 9, .none, "users behind a mail scanner can open their links"),
                Value(
                    "spent", "no longer works", 71, .setting,
                    "users behind a mail scanner get `linkInvalid` even the first time they open a link",
                    "also show the code in the email, or link to your own page with a button",
                    call: "if challenge.accepts.contains(.code) { screen.showField() }"),
            ]),
        Meaning(
            "olderProofAfterResend", "The older link or code after a resend",
            [
                Value(
                    "dies", "is invalid", 48, .screen,
                    "a user who opens the first of two messages gets `linkInvalid` or `invalidCode`",
                    "say on the screen that only the newest message is valid"),
                Value(
                    "lives", "still works", 26, .setting,
                    "anyone who finds the older message can sign in with it until it expires",
                    "no code change is needed, but set a short lifetime for links on the backend"),
            ]),
        Meaning(
            "usedLink", "A confirmation link opened again",
            [
                Value(
                    "refused", "is rejected", 32, .line, "a second tap shows an error",
                    "treat `linkUsed` as success if the user is signed in",
                    call: "if error.code == .linkUsed, let session = auth.state.session { screen.greet(session.user) }"),
                Value(
                    "sameSession", "returns the same session", 36, .setting, "a link in a mailbox can still be used to sign in",
                    "set a short lifetime for links on the backend"),
            ]),
        Meaning(
            "usedTicket", "A used ticket from your server",
            [
                Value(
                    "refused", "is rejected", 24, .server,
                    "a ticket that is sent again, for example after a lost response, is rejected",
                    "ask your server for another ticket if a ticket is rejected"),
                Value(
                    "taken", "is accepted until it expires", 44, .server,
                    "a stolen or logged ticket can be used for up to an hour",
                    "let your server create each ticket on demand, and do not log tickets"),
            ]),
    ]
}
