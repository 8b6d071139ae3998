internal import Lockstep

extension Meaning {
    /// Signing up and in.
    static let signIn = [
        Meaning(
            "signUpProof", "A sign-up by password",
            [
                Value(
                    "required", "asks for a proof of the address", 66,
                    "a sign-up ends in a step, and no user is signed in before the link is opened or the code typed",
                    "show the step and answer it", call: "_ = try await auth.respond(to: challenge.flow, with: .code(typed))"),
                Value(
                    "automatic", "takes any address without a proof", 96,
                    "a stranger can sign up with another person's address and is signed in at once",
                    "switch that setting off at the backend before the move"),
            ]),
        Meaning(
            "knownAddressAtSignUp", "Signing up with an address that has an account",
            [
                Value(
                    "sameAsNew", "is answered as for a new address", 62,
                    "an app that waits for emailAlreadyInUse never gets it: a user who has an account waits for a message",
                    "offer a sign-in on the screen that asks for the proof",
                    call: "_ = try await auth.signIn(with: .password(email: email, password: password))"),
                Value(
                    "refused", "is refused as emailAlreadyInUse", 40,
                    "the sign-up throws where it gave a step, and tells a stranger who has an account",
                    "catch the code and lead to the sign-in",
                    call: "if error.code == .emailAlreadyInUse { screen.show(error) }"),
            ]),
        Meaning(
            "unverifiedAddressOfIDToken", "An address of an ID token that says it is not verified",
            [
                Value(
                    "staysUnproven", "is never a proven one", 18,
                    "a user of such a token has no address, or one that is not verified",
                    "ask for an address where the app needs one",
                    call: "_ = try await auth.account.changeEmail(to: email)"),
                Value(
                    "countsAsProven", "counts as a proven one", 42,
                    "an address of the user says nothing about who owns it",
                    "grant nothing on a server by the address of such a user"),
            ]),
        Meaning(
            "passwordChangeOnOldSession", "A change of the password long after the sign-in",
            [
                Value(
                    "asksAgain", "asks for a new sign-in", 30,
                    "a change of the password throws reauthenticationRequired where it worked",
                    "lead to a new sign-in, after which the change runs",
                    call: "_ = try await auth.account.reauthenticate(with: .password(email: email, password: password))"),
                Value(
                    "goesOn", "needs the current password alone", 24,
                    "a person with an unlocked device and the password can change it, however long ago the sign-in was",
                    "switch secure password change on in the project's settings"),
            ]),
        Meaning(
            "passwordOfUnprovenAccount", "The password of an address that was signed up twice before its proof",
            [
                Value(
                    "first", "is that of the first sign-up", 44,
                    "a stranger who was there first keeps a password that opens the account which the owner has proven",
                    "let the user set a password after the proof, by a reset",
                    call: "_ = try await auth.requestPasswordReset(email: email)"),
                Value(
                    "latest", "is that of the newest sign-up", 36,
                    "a user who mistypes the password the second time signs in with that one",
                    "show the password as it is typed"),
            ]),
        Meaning(
            "authenticatorApps", "The authenticator apps of a user",
            [
                Value(
                    "several", "can be several, each with a label", 8, "a user can have an app on each device",
                    "let the user name them"),
                Value(
                    "one", "are one, without a label", 33,
                    "another app is refused as invalidInput, and a label that is given is not kept",
                    "offer one where none is there, and let the user remove it first",
                    call: "let apps = try await auth.account.factors.all().filter { $0.kind == .authenticatorApp }"),
            ]),
        Meaning(
            "currentPassword", "A new password without the current one",
            [
                Value(
                    "optional", "is set, where the session is new enough", 19,
                    "a person who holds an open phone can set a password, unless the app asks for the current one",
                    "ask for the current password",
                    call: "try await auth.account.changePassword(to: new, current: typed)"),
                Value(
                    "required", "is refused as invalidInput", 34, "a change of the password without the current one is refused",
                    "ask for the current password",
                    call: "try await auth.account.changePassword(to: new, current: typed)"),
            ]),
        Meaning(
            "captcha", "A captcha, where the project asks for one",
            [
                Value(
                    "signUp", "is asked for at sign-ups", 8,
                    "a sign-in needs no captcha any more, and nothing slows down who tries passwords but the rate limits"),
                Value(
                    "everyEntry", "is asked for at sign-ups, sign-ins by password and messages", 27,
                    "a screen for signing in or for a forgotten password that knows no captcha step ends there",
                    "show the captcha on every screen that signs in or sends a message, wherever a step accepts .captcha"),
            ]),
        Meaning(
            "addedFactor", "The session in which a user adds a second factor",
            [
                Value(
                    "countsAtOnce", "is one of two factors from then on", 7,
                    "what wants a second factor is open right after it was added"),
                Value(
                    "countsFromTheNextSignIn", "stays one of one factor until the next sign-in", 31,
                    "what wants a second factor stays closed right after it was added",
                    "let the user sign in again where that feature is next",
                    call: "_ = try await auth.session(requiring: .secondFactor)"),
            ]),
        Meaning(
            "passkeyUse", "The time of a passkey's last sign-in",
            [
                Value("told", "stands in the list of passkeys", 3, "a list can say which passkey was used last"),
                Value(
                    "untold", "is not told", 12, "a list cannot say which passkey was used last",
                    "show the names alone, and no passkey as one that was never used"),
            ]),
        Meaning(
            "takenAddressAtChange", "A change of address to one that another account has",
            [
                Value(
                    "sameAsNew", "is answered as for a free address", 34,
                    "an app that waits for emailAlreadyInUse never gets it: the user waits for a message",
                    "say on the screen that a message comes only where the address is free"),
                Value(
                    "refused", "is refused as emailAlreadyInUse", 22,
                    "the call throws where it gave a step, and tells a user who else has an account",
                    "catch the code and show it beside the field",
                    call: "if error.code == .emailAlreadyInUse { screen.show(error) }"),
            ]),
        Meaning(
            "unknownAddressAtSignIn", "A password sign-in with an unknown address",
            [
                Value(
                    "likeKnown", "is refused like a wrong password", 30,
                    "an app that leads an unknown address to the sign-up by userNotFound does so no more",
                    "offer both on one screen, for invalidCredentials"),
                Value(
                    "told", "is refused as userNotFound", 34, "a stranger can find out who has an account",
                    "show the same words for both codes",
                    call:
                        "if [.invalidCredentials, .userNotFound].contains(error.code) { screen.show(\"Address or password is wrong.\") }"
                ),
                Value(
                    "createsAccount", "makes an account", 80, "a misspelt address becomes an account of its own",
                    "ask for the address twice"),
            ]),
        Meaning(
            "unknownAddressAtLink", "A sign-in link for an unknown address",
            [
                Value(
                    "likeKnown", "is answered like a known one, and nothing is sent", 42,
                    "a newcomer waits for a link that never comes", "let newcomers sign up first",
                    call: "_ = try await auth.signUp(with: .password(email: email, password: password))"),
                Value(
                    "told", "is refused as userNotFound", 44, "links no longer make accounts, and tell who has one",
                    "let newcomers sign up first", call: "if error.code == .userNotFound { screen.offerSignUp() }"),
                Value(
                    "createsAccount", "makes an account", 46,
                    "a misspelt address becomes an account, unless the app says that it must not",
                    "say so where only known users may come in",
                    call: "_ = try await auth.signIn(with: .emailLink(email, createsAccount: false))"),
            ]),
        Meaning(
            "unknownAddressWithoutAccount", "A sign-in link or code that may make no account, for an unknown address",
            [
                Value(
                    "likeKnown", "is answered like a known one, and nothing is sent", 24,
                    "a user who has misspelt the address waits for a message that never comes",
                    "say: if there is an account, a message is on its way"),
                Value(
                    "told", "is refused as userNotFound", 31, "a stranger can find out who has an account",
                    "show the same screen for the refusal",
                    call: "if error.code == .userNotFound { screen.show(\"If there is an account, a message is on its way.\") }"
                ),
                Value(
                    "createsAccount", "makes an account all the same", 72,
                    "createsAccount: false is without effect: a misspelt address becomes an account",
                    "ask for the address twice, or have your server look it up first"),
            ]),
        Meaning(
            "unknownAddressAtReset", "A password reset for an unknown address",
            [
                Value(
                    "likeKnown", "is answered like a known one", 18, "the app cannot tell a misspelt address any more",
                    "say: if there is an account, a message is on its way"),
                Value(
                    "told", "is refused as userNotFound", 33, "a stranger can find out who has an account",
                    "show the same screen for the refusal",
                    call: "if error.code == .userNotFound { screen.show(\"If there is an account, a message is on its way.\") }"
                ),
                Value(
                    "createsAccount", "makes an account", 80, "a misspelt address becomes an account", "ask for the address twice"
                ),
            ]),
        Meaning(
            "newDevice", "A right password on a new device",
            [
                Value("trusted", "signs in", 22, "no code is asked for: a stolen password is enough", "offer a second factor"),
                Value(
                    "asksForCode", "asks for a code by e-mail first", 68,
                    "every user of the app is on a new device after the move: a right password ends in a step, not in a session",
                    "answer the step of the sign-in",
                    call:
                        "if case .verify(let challenge) = step { _ = try await auth.respond(to: challenge.flow, with: .code(typed)) }"
                ),
            ]),
        Meaning(
            "callbackOfAnotherFlow", "The callback of a round trip that this device has not begun, while one waits",
            [
                Value(
                    "refusedByClient", "is refused before any request", 8, "nothing that an app has to do", "nothing"),
                Value(
                    "refusedByBackend", "is refused by the backend, which the client has to ask", 10,
                    "the callback carries nothing that names its flow: it costs a request", "nothing"),
            ]),
        Meaning(
            "nonce", "The nonce of an ID token",
            [
                Value(
                    "required", "must be there and fit", 52, "a token without a nonce is refused",
                    "give the nonce with the token",
                    call: "_ = try await auth.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw))"),
                Value(
                    "checkedWhenPresent", "is checked where the token has one", 28,
                    "a token that was asked for without a nonce can be replayed", "ask for every token with one",
                    call: "_ = try await auth.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw))",
                    gain: "a token whose nonce is another flow's is refused"),
                Value(
                    "ignored", "is not looked at", 84, "a stolen ID token is taken as long as it lives",
                    "use the round trip through the provider's pages, or check the nonce on your server",
                    call: "_ = try await auth.signIn(with: .oauth(.apple))",
                    needs: Effect.Need(capability: .oauth, otherwise: "check the nonce on your server")),
            ]),
    ]

    /// Links and codes.
    static let proofs = [
        Meaning(
            "scannedLink", "A confirmation link that a mail scanner has loaded",
            [
                Value("stays", "still works", 9, "users behind a mail scanner can open their links"),
                Value(
                    "spent", "is spent", 71,
                    "users behind a mail scanner get linkInvalid for a link that they open the first time",
                    "show the code in the mail too, or lead to a page of yours that asks for a tap",
                    call: "if challenge.accepts.contains(.code) { screen.showField() }"),
            ]),
        Meaning(
            "olderProofAfterResend", "The older link or code after a resend",
            [
                Value(
                    "dies", "is dead", 48, "a user who opens the first of two messages gets linkInvalid or invalidCode",
                    "say on the screen that only the newest message counts"),
                Value(
                    "lives", "still works", 26, "a message that went astray stays a way in until it expires",
                    "nothing in code; keep the life of links short at the backend"),
            ]),
        Meaning(
            "usedLink", "A confirmation link opened again",
            [
                Value(
                    "refused", "is refused", 32, "a second tap ends in an error",
                    "take linkUsed for done where the user is signed in",
                    call: "if error.code == .linkUsed, let session = auth.state.session { screen.greet(session.user) }"),
                Value(
                    "sameSession", "gives the same session", 36, "a link in a mailbox stays a way in",
                    "keep the life of links short at the backend"),
            ]),
        Meaning(
            "usedTicket", "A ticket of your server that has signed in",
            [
                Value(
                    "refused", "is refused", 24,
                    "a ticket that is given twice, as after a lost answer, is refused the second time",
                    "ask your server for another ticket where one is refused"),
                Value(
                    "taken", "is taken until it ends", 44,
                    "a ticket that was overheard or logged stays a way in for an hour at most",
                    "have your server make each ticket for the moment, and write none down"),
            ]),
    ]
}
