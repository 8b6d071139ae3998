public import LockstepPrimitives

/// The response of the user, or the app, to the step of a flow.
public enum Answer: Sendable, Hashable {
    /// A code from a message, an authenticator app, or a list of backup codes.
    case code(Secret)
    /// A link that the app was opened with.
    case link(String)
    /// Asks whether the proof was given elsewhere.
    case poll
    /// A new password.
    case newPassword(Secret)
    /// A choice among second factors.
    case factor(FactorChoice)
    /// The fields that were missing.
    case fields([MissingFieldsStep.Field: String])
    /// The assertion of a passkey, in the JSON of WebAuthn.
    case passkey(JSON)

    /// A code as the user typed it, which is wrapped at once.
    public static func code(_ text: String) -> Answer { .code(Secret(text)) }

    /// A new password, which is wrapped at once.
    public static func newPassword(_ text: String) -> Answer { .newPassword(Secret(text)) }

    /// The kinds of answers.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        case code, link, poll, newPassword, factor, fields, passkey

        /// In the order of declaration.
        public static func < (left: Kind, right: Kind) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// Which kind it is.
    public var kind: Kind {
        switch self {
        case .code: .code
        case .link: .link
        case .poll: .poll
        case .newPassword: .newPassword
        case .factor: .factor
        case .fields: .fields
        case .passkey: .passkey
        }
    }
}
