/// The meaning of an observed value for an app: one row of a table.
struct Consequence: Sendable {
    /// How much it matters for an app that moves.
    enum Weight: Int, Sendable, Comparable {
        /// A wrong user gets access, or users are lost, if nothing is done.
        case safety
        /// A flow stops working if nothing is done.
        case flow
        /// A screen needs other elements or words.
        case screen
        /// Good to know.
        case notice

        static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }

        var word: String {
            switch self {
            case .safety: "safety"
            case .flow: "flow"
            case .screen: "screen"
            case .notice: "notice"
            }
        }
    }

    let journey: String
    let observation: String
    let weight: Weight
    /// Whether the row is about this value.
    let matches: @Sendable (String) -> Bool
    /// The effect of this value, without a subject: "no guests".
    let fact: String
    /// What an app does about it.
    let advice: String

    private init(
        _ journey: String, _ observation: String, _ weight: Weight, _ fact: String, _ advice: String,
        when matches: @escaping @Sendable (String) -> Bool
    ) {
        self.journey = journey
        self.observation = observation
        self.weight = weight
        self.fact = fact
        self.advice = advice
        self.matches = matches
    }

    static func of(_ journey: String, _ observation: String, _ value: String) -> Consequence? {
        table.first { $0.journey == journey && $0.observation == observation && $0.matches(value) }
    }

    static let table: [Consequence] = [
        Consequence(
            "sign-up", "submit", .safety, "a session before the address is proven",
            "gate features on the state, or on session(requiring: .verified), not on having a session",
            when: { $0.contains("limited session") }),
        Consequence(
            "sign-up", "submit", .flow, "no session before the address is proven",
            "do nothing that needs a token before the proof", when: { $0.contains("no session") }),
        Consequence(
            "sign-up", "proof offered", .screen, "no code in the message",
            "a field for a code would stay empty: say that the link is to be opened",
            when: { !$0.contains("code") }),
        Consequence(
            "sign-up", "proof offered", .screen, "no link in the message", "screens need a field for the code",
            when: { !$0.contains("link") }),
        Consequence(
            "sign-up", "proof by poll", .flow, "no way to ask whether the proof was given elsewhere",
            "let the user come back by the link or type the code; do not wait on a screen", when: { $0 == "not offered" }),
        Consequence(
            "sign-up", "display name afterwards", .notice, "the display name of the sign-up is lost",
            "set it again after the proof", when: { $0 == "lost" }),
        Consequence(
            "automatic-sign-up", "submit", .safety, "a setting that takes addresses without any proof",
            "check that setting before the move: no proof is asked for then", when: { $0 == "complete" }),
        Consequence(
            "sign-in", "unknown address", .notice, "unknown addresses are revealed", "a caller can find out who has an account",
            when: { $0.contains("userNotFound") }),
        Consequence(
            "sign-in", "right password", .flow, "a code on a new device",
            "expect a step after a right password, and show a field for the code",
            when: { $0.contains("new device") }),
        Consequence(
            "forgotten-password", "unknown address", .notice, "unknown addresses are revealed",
            "show the same screen for both answers",
            when: { $0.contains("refused") }),
        Consequence(
            "forgotten-password", "proof offered", .screen, "no link to replace a password",
            "screens need a field for the code",
            when: { !$0.contains("link") }),
        Consequence(
            "forgotten-password", "proof offered", .screen, "no code to replace a password",
            "the app must take the link back",
            when: { !$0.contains("code") }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", .flow, "the password again before deleting",
            "answer reauthenticationRequired with a sign-in, and pass the call along",
            when: { $0.contains("reauthenticationRequired") }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", .safety, "deletion without the password",
            "ask for it yourself before you call delete", when: { $0 == "signedOut" }),
        Consequence(
            "delete-account", "delete, a day after the sign-in", .flow, "no self-service deletion as it is set up",
            "give the adapter your server's function for it: stores of apps demand one", when: { $0.contains("unsupported") }),
        Consequence(
            "magic-link", "ask for the link", .flow, "no sign-in by a link that opens the app",
            "offer a code or a password instead",
            when: { $0.contains("unsupported") || $0.contains("notEnabled") }),
        Consequence(
            "magic-link", "a link that expired", .notice, "expired and used links are one error",
            "word the screen for both",
            when: { $0.contains("linkInvalid") || $0.contains("linkUsed") }),
        Consequence(
            "apple", "first time", .flow, "no ID tokens as it is set up", "use the redirect through its pages",
            when: { $0.contains("refused") }),
        Consequence(
            "apple", "another flow's nonce", .safety, "ID tokens with the nonce of another flow are taken",
            "check the nonce on your own server",
            when: { $0 == "complete" }),
        Consequence(
            "guest", "begin as a guest", .flow, "no guests",
            "ask for a sign-in earlier, or keep the guest's data on the device",
            when: { $0.contains("unsupported") }),
        Consequence(
            "guest", "link an identity of one's own", .safety, "another user id for a guest who signs in",
            "move the guest's data before it",
            when: { $0.contains("another user id") }),
        Consequence(
            "steps", "a wrong code", .screen, "no code to type", "hide the field", when: { $0 == "no code here" }),
        Consequence(
            "token", "life of a token", .flow, "tokens that live about a minute",
            "ask for the token at every request, and never keep one",
            when: { Int($0.prefix { $0.isNumber }).map { $0 <= 120 } ?? false }),
    ]
}
