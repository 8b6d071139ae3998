public import LockstepPrimitives

/// What has to be proven, and how: one value for links **and** codes.
///
/// It has no secrets and can be kept, so that a flow survives a relaunch.
public struct Challenge: Sendable, Hashable, Codable {
    /// Delivery channel.
    public enum Channel: String, Sendable, Codable, CaseIterable {
        case email, sms, authenticatorApp, backupCode, passkey, captcha
    }

    /// Where a flow ends that the app cannot answer.
    public enum Ending: String, Sendable, Codable, CaseIterable {
        /// On the page that the link of the message leads to; the user signs in afterwards. Say so on the screen.
        case webPage
    }

    /// The flow to answer.
    public var flow: Flow
    /// Delivery channel.
    public var channel: Channel
    /// The masked recipient; empty where nothing is sent.
    public var destination: String
    /// The kinds of answers that it takes; empty only where ``ending`` says how the user goes on.
    public var accepts: Set<ChallengeResponse.Kind>
    /// When the proof expires, by this device's clock, where the provider says or documents it.
    public var expiresAt: Instant?
    /// When it can be sent again, by this device's clock; `nil` where it cannot be.
    ///
    /// Set by the answer to a send: a send that failed can be repeated at once.
    public var resendAvailableAt: Instant?
    /// How many wrong answers are left, where the provider says.
    public var attemptsLeft: Int?
    /// The options for the platform's passkey sheet, in the JSON form of WebAuthn, without a wrapper.
    public var passkeyOptions: JSON?
    /// Where the flow ends, if not here: the app has no answer to give and nothing to wait for.
    public var ending: Ending?

    /// A challenge.
    public init(
        flow: Flow, channel: Channel, destination: String, accepts: Set<ChallengeResponse.Kind>, expiresAt: Instant? = nil,
        resendAvailableAt: Instant? = nil, attemptsLeft: Int? = nil, passkeyOptions: JSON? = nil,
        ending: Ending? = nil
    ) {
        self.flow = flow
        self.channel = channel
        self.destination = destination
        self.accepts = accepts
        self.expiresAt = expiresAt
        self.resendAvailableAt = resendAvailableAt
        self.attemptsLeft = attemptsLeft
        self.passkeyOptions = passkeyOptions
        self.ending = ending
    }
}

/// The response of the user, or the app, to the step of a flow.
public enum ChallengeResponse: Sendable, Hashable {
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
    /// The token of a captcha, as the app gets it from the captcha's own widget.
    ///
    /// Which widget, and with which site key and action, is the project's configuration: no backend here says so in its refusal.
    case captcha(Secret)

    /// A code as the user typed it, which is wrapped at once.
    public static func code(_ text: String) -> ChallengeResponse { .code(Secret(text)) }

    /// A new password, which is wrapped at once.
    public static func newPassword(_ text: String) -> ChallengeResponse { .newPassword(Secret(text)) }

    /// The kinds of answers.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        case code, link, poll, newPassword, factor, fields, passkey, captcha

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
        case .captcha: .captcha
        }
    }
}
