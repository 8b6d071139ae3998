internal import Lockstep

/// The meaning of an observed value for an app that moves to it, as a row of a table.
struct Consequence: Sendable {
    let journey: String
    let observation: String
    /// Whether the row matches this value.
    let matches: @Sendable (String) -> Bool
    let effect: Effect
    /// Whether it makes sense only relative to another backend.
    ///
    /// A comparison side by side prints the values instead.
    let isRelative: Bool

    init(
        _ journey: String, _ observation: String, _ cost: Cost, _ effort: Effort, _ consequence: String,
        _ action: String = "", call: String? = nil, needs: Effect.Need? = nil, isRelative: Bool = false, brief: String? = nil,
        work: String? = nil,
        when matches: @escaping @Sendable (String) -> Bool
    ) {
        self.journey = journey
        self.observation = observation
        self.matches = matches
        self.isRelative = isRelative
        var effect = Effect(cost, effort, consequence, action, call: call, needs: needs)
        (effect.brief, effect.work) = (brief, work)
        self.effect = effect
    }

    static func of(_ journey: String, _ observation: String, _ value: String) -> Consequence? {
        table.first { $0.journey == journey && $0.observation == observation && $0.matches(value) }
    }

    /// Returns the meaning of a change of values: the demands of the new value, or what is no longer necessary.
    static func effect(_ journey: String, _ observation: String, _ before: String, _ after: String) -> Effect {
        if before == "refused: unsupported" { return gain }
        if isRefusal(after), isRefusal(before) {
            return general(
                Effect(
                    16, .line, "the error has a different code", "also handle the new error code",
                    call: handling([before, after])))
        }
        if before.hasPrefix("signedOut"), after.hasPrefix("signedOut") {
            return general(
                Effect(
                    12, .line, "the session ends on both backends, but the next call fails with a different code",
                    "also handle the new error code"))
        }
        if let found = of(journey, observation, after) { return found.effect }
        if isAbsent(before) { return gain }
        if isAbsent(after) {
            return Effect(30, .screen, "the screen waits for something that never arrives", "do not wait for it on this screen")
        }
        if isRefusal(after) {
            return general(
                Effect(
                    55, .screen, "a call that worked before fails with `\(code(of: after))`", "handle this error on the screen",
                    call: handling([after])))
        }
        if isRefusal(before) {
            return general(
                Effect(4, .none, "a call that failed before now works", "you can keep the code that handles the error"))
        }
        return general(Effect(6, .screen, "the two backends differ here", "try this screen on both backends"))
    }

    private static func general(_ effect: Effect) -> Effect {
        var effect = effect
        effect.isGeneral = true
        return effect
    }

    private static let gain = Effect(4, .none, "the app can offer more", "offer the new feature if it helps your users")

    /// Returns code that handles these errors in the same way.
    static func handling(_ refusals: [String]) -> String {
        let codes = refusals.map { ".\(code(of: $0))" }
        guard codes.count > 1 else { return "if error.code == \(codes.first ?? ".unknown") { screen.show(error) }" }
        return "if [\(codes.joined(separator: ", "))].contains(error.code) { screen.show(error) }"
    }

    private static func code(of refusal: String) -> String { refusal.replacing("refused: ", with: "") }

    static func isRefusal(_ value: String) -> Bool { value.hasPrefix("refused: ") }

    /// Whether a value means that there was nothing to observe.
    static func isAbsent(_ value: String) -> Bool {
        value == "not offered" || value == "none" || value == "no code in the message" || value.hasPrefix("accepted, but")
    }

    /// Whether a value means that the harness could not observe it.
    static func isUnmeasured(_ value: String) -> Bool { value.hasPrefix("not measured") }

    /// Returns the declared statement or capability that an observation measures.
    ///
    /// A report has one row for both.
    ///
    /// - Parameters:
    ///   - observation: The name of the observation.
    ///   - after: The new value, which shows whether a message contains a code or a link.
    static func statement(_ journey: String, _ observation: String, _ after: String) -> String? {
        if journey == "sign-up", observation == "message" {
            return after == "a code, no link" ? "can:confirmationLink" : after == "a link, no code" ? "can:confirmationCode" : nil
        }
        return statements["\(journey): \(observation)"]
    }

    /// The declared statement or capability of each step that measures one.
    static let statements = [
        "sign-in: unknown address": "unknownAddressAtSignIn", "sign-in: right password": "newDevice",
        "delete-account: sign in afterwards": "unknownAddressAtSignIn",
        "forgotten-password: unknown address": "unknownAddressAtReset", "apple: token with another flow's nonce": "nonce",
        "devices: access token after the sign-out": "accessTokenAfterSignOut",
        "devices: refresh token after the sign-out": "refreshTokenAfterSignOut",
        "change-password: the other device, an hour later": "sessionsAfterPasswordChange",
        "devices: sign out other devices": "can:signOutOthers", "devices: sign out everywhere": "can:signOutEverywhere",
        "sign-up: verify by poll": "can:poll", "sign-up: verify by link": "can:confirmationLink",
        "sign-up: verify by code": "can:confirmationCode", "steps: a wrong code": "can:confirmationCode",
        "phone: request the code": "can:phoneCode", "phone: a number without a country code": "can:phoneCode",
        "oauth: begin": "can:oauth", "passkey: add a passkey to the account": "can:passkey",
        "passkey: request the passkey options": "can:passkey",
        "guest: sign in anonymously": "can:anonymous",
        "second-factor: add an authenticator app": "can:factorEnrolment",
        "magic-link: request the link": "can:emailLinkSignIn", "screens: anonymous user (AnonymousUserModel)": "can:anonymous",
        "screens: deletion (DeletionModel)": "can:accountDeletion",
    ]

    static let table = flows + account + tokens + screens
}
