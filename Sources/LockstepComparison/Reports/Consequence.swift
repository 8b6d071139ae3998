/// What an observed value means for an app that moves to it: one row of a table.
struct Consequence: Sendable {
    let journey: String
    let observation: String
    /// Whether the row is about this value.
    let matches: @Sendable (String) -> Bool
    let effect: Effect

    private init(
        _ journey: String, _ observation: String, _ cost: Cost, _ consequence: String, _ action: String = "",
        call: String? = nil, when matches: @escaping @Sendable (String) -> Bool
    ) {
        self.journey = journey
        self.observation = observation
        self.matches = matches
        effect = Effect(cost, consequence, action, call: call)
    }

    static func of(_ journey: String, _ observation: String, _ value: String) -> Consequence? {
        table.first { $0.journey == journey && $0.observation == observation && $0.matches(value) }
    }

    /// What a change of values means: by what the new value demands, or by what need not be done any more.
    static func effect(_ journey: String, _ observation: String, _ before: String, _ after: String) -> Effect {
        let code = after.replacing("refused: ", with: "")
        let handling = "catch let error as AuthError where error.code == .\(code)"
        if isRefusal(after), isRefusal(before) {
            return Effect(16, "the refusal has another code", "handle both codes alike", call: handling)
        }
        if let found = of(journey, observation, after) { return found.effect }
        if isRefusal(after) {
            return Effect(55, "what worked is refused as \(code)", "handle that on this screen", call: handling)
        }
        if isRefusal(before) { return Effect(4, "what was refused works", "offer it where it helps") }
        return Effect(
            6, "what the app does for “\(before)” is not needed any more", "the code for it may stay: it is not reached")
    }

    /// The declared statement, or capability, that an observation measures: a report has one row for both.
    static func statement(_ journey: String, _ observation: String) -> String? { statements["\(journey): \(observation)"] }

    private static let statements = [
        "sign-in: unknown address": "unknownAddressAtSignIn", "sign-in: right password": "newDevice",
        "forgotten-password: unknown address": "unknownAddressAtReset", "apple: another flow's nonce": "nonce",
        "devices: access token after the sign-out, shown to the backend": "accessTokenAfterSignOut",
        "devices: refresh token after the sign-out, shown to the backend": "refreshTokenAfterSignOut",
        "devices: sign out the others": "can:signOutOthers", "devices: sign out everywhere": "can:signOutEverywhere",
        "sign-up: proof by poll": "can:poll", "phone: ask for the code": "can:phoneCode", "oauth: begin": "can:oauth",
        "passkey: ask for the sheet's options": "can:passkey", "guest: begin as a guest": "can:anonymous",
        "second-factor: add an authenticator app": "can:factorEnrolment", "magic-link: ask for the link": "can:emailLinkSignIn",
    ]

    private static func isRefusal(_ value: String) -> Bool { value.hasPrefix("refused: ") }

    static let table = flows + tokens

    private static let flows: [Consequence] = [
        Consequence(
            "sign-up", "submit", 90, "there is a session before the address is proven",
            "gate features on the proof, not on having a session",
            call: "try await auth.session(requiring: .verified)", when: { $0.contains("limited session") }),
        Consequence(
            "sign-up", "submit", 67, "there is no session before the address is proven: a call that needs a token throws",
            "do nothing that needs a token before the proof",
            call: "if case .verify(let challenge) = step { screen.show(challenge) }", when: { $0.contains("no session") }),
        Consequence(
            "sign-up", "submit", 95, "addresses are taken without any proof", "switch that setting off before the move",
            when: { $0 == "complete" }),
        Consequence(
            "sign-up", "message", 45, "the message holds no code: a field for it stays empty",
            "take the link back, or put the code into the backend's template for mails",
            call: "let outcome = await auth.handle(url)", when: { $0 == "one with a link" }),
        Consequence(
            "sign-up", "message", 45, "the message holds no link: the user has to type the code", "show a field for it",
            call: "try await auth.respond(to: challenge.flow, with: .code(typed))", when: { $0 == "one with a code" }),
        Consequence(
            "sign-up", "message", 7, "the message holds both", "show what `challenge.accepts` names",
            when: { $0.hasSuffix("and a code") }
        ),
        Consequence(
            "sign-up", "message", 30, "no message is sent", "show no screen that waits for one", when: { $0 == "none" }),
        Consequence(
            "sign-up", "proof by poll", 57, "a screen that waits for a proof given elsewhere waits for ever",
            "let the user come back by the link, or type the code",
            call: "if challenge.accepts.contains(.poll) { startPolling() }",
            when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "proof by link", 47, "no link comes back to the app", "show a field for the code",
            call: "if challenge.accepts.contains(.code) { showField() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "proof by code", 43, "no code is sent", "hide the field",
            call: "if challenge.accepts.contains(.code) { showField() }", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "proof by code", 44, "the backend would take a code, and its mails hold none as the platform begins",
            "put `{{ .Token }}` into the templates, or hide the field", when: { $0.hasPrefix("taken, but") }),
        Consequence(
            "sign-up", "display name afterwards", 21, "the display name of the sign-up is lost", "set it again after the proof",
            call: "try await auth.account.update(displayName: name)", when: { $0 == "lost" }),
        Consequence(
            "sign-in", "unknown address", 34, "unknown addresses are told: a stranger can find out who has an account",
            "show the same words for both codes",
            call: "case .invalidCredentials, .userNotFound: show(\"Address or password is wrong.\")",
            when: { $0.contains("userNotFound") }),
        Consequence(
            "sign-in", "right password", 68, "a right password on a new device ends in a step: a code by e-mail",
            "answer the step", call: "try await auth.respond(to: challenge.flow, with: .code(typed))",
            when: { $0.contains("new device") }),
        Consequence(
            "forgotten-password", "unknown address", 33, "unknown addresses are told", "show the same screen for the refusal",
            call: "catch let error as AuthError where error.code == .userNotFound", when: { $0.contains("refused") }),
        Consequence(
            "forgotten-password", "message", 46, "the message holds no link: the user has to type the code",
            "show a field for it", call: "try await auth.respond(to: challenge.flow, with: .code(typed))",
            when: { $0 == "one with a code" }),
        Consequence(
            "forgotten-password", "message", 46, "the message holds no code: the app must take the link back",
            "register the callback address", call: "let outcome = await auth.handle(url)", when: { $0 == "one with a link" }),
        Consequence(
            "change-password", "with a wrong current password", 80, "the current password is not compared",
            "ask for a sign-in first",
            call: "try await auth.account.reauthenticate(with: .password(email: email, password: current))",
            when: { $0 == "changed" }),
        Consequence(
            "change-password", "this device, an hour later", 60, "a new password signs out the device that set it",
            "sign in again with the new one", call: "try await auth.signIn(with: .password(email: email, password: new))",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "change-password", "the other device, an hour later", 79, "other devices stay signed in after a new password",
            "end their sessions with it", call: "try await auth.signOut(.others)", when: { $0 == "signedIn" }),
        Consequence(
            "change-password", "the other device, an hour later", 41, "a new password signs the other devices out",
            "show words for it", call: "case .signedOut(let reason): screen.show(reason)", when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "change-password", "a day after the sign-in", 59, "an old session may not set a new password",
            "sign the user in again, and pass the call along",
            call:
                "try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .changePassword(to: new, current: nil))",
            when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "change-password", "a day after the sign-in", 77, "an open phone is enough to set a new password",
            "ask for the current one", call: "try await auth.account.changePassword(to: new, current: typed)",
            when: { $0 == "changed" }),
        Consequence(
            "change-email", "messages", 39, "other messages go out for a new address",
            "say on the screen which mailboxes to look into",
            call: "let step = try await auth.account.changeEmail(to: new)", when: { _ in true }),
        Consequence(
            "change-email", "every proof given", 58, "a new address ends the session that asked for it", "sign in again",
            when: { $0.contains("refused") || $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", 61, "an old session may not delete the account",
            "sign the user in again, and pass the call along",
            call:
                "try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .deleteAccount)",
            when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", 83, "an open phone is enough to delete the account",
            "ask for the password before you call it",
            call:
                "try await auth.account.reauthenticate(with: .password(email: email, password: typed), thenRetry: .deleteAccount)",
            when: { $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", 69, "no self-service deletion as it is set up",
            "give the adapter your server's function for it: stores of apps demand one", when: { $0.contains("unsupported") }),
        Consequence(
            "magic-link", "ask for the link", 64, "no sign-in by a link that opens the app", "offer a code or a password instead",
            call: "try await auth.signIn(with: .emailCode(email))",
            when: { $0.contains("unsupported") || $0.contains("notEnabled") }),
        Consequence(
            "magic-link", "a link that expired", 15, "expired, used and foreign links give other codes",
            "word the screen for all of them",
            call: "case .linkExpired, .linkUsed, .linkInvalid, .flowStartedElsewhere: screen.showResend()", when: { _ in true }),
        Consequence(
            "phone", "ask for the code", 63, "no codes by SMS as it is set up: users without an address have no way in",
            "give them an address before the move, or switch phones on at the backend",
            call: "if auth.capabilities.contains(.phoneCode) { showPhoneField() }", when: { $0.hasPrefix("refused") }),
        Consequence(
            "apple", "first time", 65, "no ID tokens as it is set up", "use the round trip through its pages",
            call: "try await auth.signIn(with: .oauth(.apple))", when: { $0.contains("refused") }),
        Consequence(
            "apple", "another flow's nonce", 85, "ID tokens with the nonce of another flow are taken: a stolen one works",
            "use the round trip through the provider's pages", call: "try await auth.signIn(with: .oauth(.apple))",
            when: { $0 == "complete" }),
        Consequence(
            "oauth", "begin", 62, "no round trip through a provider's pages",
            "get the provider's ID token in the app, and show that",
            call: "try await auth.signIn(with: .idToken(.google, token: token, nonce: nonce.raw))",
            when: { $0.contains("refused") }),
        Consequence(
            "passkey", "ask for the sheet's options", 63, "no passkeys: users who have only those have no way in",
            "give them a password or a code before the move", when: { $0.contains("refused") }),
        Consequence(
            "second-factor", "add an authenticator app", 76,
            "users cannot add a second factor in the app, and none is moved along",
            "let them add it on the backend's own pages, or do without", when: { $0.contains("refused") }),
        Consequence(
            "guest", "begin as a guest", 64, "no guests", "ask for a sign-in earlier, or keep the guest's data on the device",
            when: { $0.contains("refused") }),
        Consequence(
            "guest", "link an identity of one's own", 82, "a guest who signs in gets another user id",
            "move the guest's data before it", when: { $0.contains("another user id") }),
        Consequence(
            "steps", "a wrong code", 14, "there is no code to type", "hide the field",
            call: "if challenge.accepts.contains(.code) { showField() }", when: { $0.hasPrefix("no code") }),
    ]

    private static let tokens: [Consequence] = [
        Consequence(
            "devices", "access token after the sign-out, shown to the backend", 78,
            "a token of a user who has signed out is taken until it expires", "ask the backend where it matters",
            when: { $0 == "taken" }),
        Consequence(
            "devices", "refresh token after the sign-out, shown to the backend", 86,
            "a sign-out does not end the session at the backend", "end it from your server, by the administrator's API",
            when: { $0 == "taken" }),
        Consequence(
            "devices", "the other device", 51, "a sign-out here signs the other devices out", "say so before it",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "devices", "sign out the others", 53, "the app cannot end the user's other sessions",
            "do it on your server, by the administrator's API",
            call: "if adapter.signOutScopes.contains(.others) { showButton() }", when: { $0.contains("unsupported") }),
        Consequence(
            "devices", "sign out everywhere", 54, "the app cannot end all sessions of the user",
            "do it on your server, by the administrator's API",
            call: "if adapter.signOutScopes.contains(.everywhere) { showButton() }", when: { $0.contains("unsupported") }),
        Consequence(
            "token", "life of a token", 65, "tokens live about a minute: a kept one is dead when it is sent",
            "ask for the token at every request, and never keep one",
            call: "try await auth.authorized(request, by: myClient.send)",
            when: { Int($0.prefix { $0.isNumber }).map { $0 <= 120 } ?? false }),
        Consequence(
            "token", "life of a token", 13, "a token lives longer: what you change about a user reaches servers later",
            "renew it where that matters", call: "try await auth.refreshUser()", when: { _ in true }),
        Consequence(
            "ids-and-claims", "id of a user", 93,
            "every user has another id of another form: rows, rules and analytics that are keyed by it lose their users",
            "keep a table from old to new ids, and widen the columns to text before the move",
            call: "let id = session.user.id", when: { _ in true }),
        Consequence(
            "ids-and-claims", "id of a session", 27, "ids of sessions have another form, or are not there",
            "treat them as opaque text",
            call: "session.id", when: { _ in true }),
        Consequence(
            "ids-and-claims", "claims of its own", 70,
            "rules on a server or in a database read claims that are not there any more",
            "rewrite them for the claims of the new tokens", call: "session.claims[\"role\"]?.string", when: { _ in true }),
        Consequence(
            "server", "form", 74, "your servers cannot verify the token by themselves", "ask the backend for each token",
            when: { $0.hasPrefix("opaque") }),
        Consequence(
            "server", "signed with", 89,
            "servers share the secret that signs: each of them could make tokens, and the key cannot be published",
            "switch asymmetric keys on at the backend before the move", when: { $0.hasPrefix("HS") }),
        Consequence(
            "server", "signed with", 73, "your servers need the new backend's published keys",
            "verify by them", call: "let user = try verifier.verify(token, at: now)", when: { _ in true }),
        Consequence(
            "server", "names its key", 29, "the key is found by its name, or by trying all", "use a verifier that does both",
            when: { _ in true }),
        Consequence(
            "server", "issuer", 91,
            "every server refuses the new tokens until it knows their issuer, and must go on knowing the old one",
            "add the new issuer beside the old one, and compare it whole",
            call: "TokenRules(issuers: [newIssuer], audiences: newAudience)", when: { _ in true }),
        Consequence(
            "server", "audience", 87,
            "a server that compares `aud` refuses the new tokens; one that does not takes another project's",
            "compare what the new tokens have", call: "TokenRules(issuers: [newIssuer], audiences: newAudience)",
            when: { _ in true }),
    ]
}
