public import LockstepPrimitives

/// A verification that the user must complete, with a link, a code, or both.
///
/// A challenge contains no secrets and can be stored, so a flow survives a relaunch of the app.
///
/// ```swift
/// if case .verify(let challenge) = try await client.signIn(with: .emailCode("ada@example.com")) {
///     print("We sent a code to \(challenge.destination).")
///     let step = try await client.respond(to: challenge.flow, with: .code("123456"))
///     print(step.session?.user.id ?? "one more step")
/// }
/// ```
public struct Challenge: Sendable, Hashable, Codable {
    /// The channel of a challenge: email, SMS, an authenticator app, a backup code, a passkey or a captcha.
    public enum Channel: String, Sendable, Codable, CaseIterable {
        case email, sms, authenticatorApp, backupCode, passkey, captcha
    }

    /// The place where the user completes a flow outside the app.
    public enum Ending: String, Sendable, Codable, CaseIterable {
        /// The user completes the flow on the web page that the message links to, and then signs in.
        ///
        /// Tell the user on the screen to sign in afterwards.
        case webPage
    }

    /// The flow to continue with the user's response.
    public var flow: Flow
    /// The channel, such as email, SMS or an authenticator app.
    public var channel: Channel
    /// The masked email address or phone number that gets the message; empty if there is no message.
    public var destination: String
    /// The kinds of responses that the challenge accepts.
    ///
    /// The set is empty only if ``ending`` is set.
    public var accepts: Set<ChallengeResponse.Kind>
    /// The time when the code or link expires, according to the device's clock; `nil` if the provider does not return it.
    public var expiresAt: Instant?
    /// The time when the app can send the message again, according to the device's clock.
    ///
    /// The value is `nil` if the app can never send the message again.
    ///
    /// The backend requires a pause only after it has sent a message. If the message could not be sent, the app can try
    /// again immediately.
    public var resendAvailableAt: Instant?
    /// The number of attempts that the user has left; `nil` if the provider does not return it.
    public var attemptsLeft: Int?
    /// The options for the system's passkey dialog, in WebAuthn's JSON format, without an enclosing object.
    public var passkeyOptions: JSON?
    /// The place where the user completes the flow; `nil` for this app.
    ///
    /// If the value is set, the app need not respond or wait.
    public var ending: Ending?

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - flow: The flow to continue with the user's response.
    ///   - channel: The channel, such as email, SMS or an authenticator app.
    ///   - destination: The masked email address or phone number that gets the message.
    ///   - accepts: The kinds of responses that the challenge accepts.
    ///   - expiresAt: The time when the code or link expires.
    ///   - resendAvailableAt: The time when the app can send the message again.
    ///   - attemptsLeft: The number of attempts that the user has left.
    ///   - passkeyOptions: The options for the system's passkey dialog.
    ///   - ending: The place where the user completes the flow; `nil` for this app.
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

/// The response of the user, or of the app, to a step of a flow.
///
/// ```swift
/// let step = try await client.respond(to: flow, with: .code("123456"))
/// ```
public enum ChallengeResponse: Sendable, Hashable {
    /// A code from a message, an authenticator app, or a list of backup codes.
    case code(Secret)
    /// A URL that opened the app.
    case link(String)
    /// A question to the backend: whether the user has completed the verification elsewhere.
    case poll
    /// A new password.
    case newPassword(Secret)
    /// The second factor that the user chose.
    case factor(FactorChoice)
    /// The values of the fields that were missing.
    case fields([MissingFieldsStep.Field: String])
    /// The result of the system's passkey dialog, in WebAuthn's JSON format.
    case passkey(JSON)
    /// The token that the captcha's widget returned.
    ///
    /// The app gets the widget, its site key and its action from the project's configuration. No supported backend
    /// returns them with its error.
    case captcha(Secret)

    /// Creates a response from the code that the user typed, and wraps the code in a `Secret`.
    ///
    /// - Parameter text: The code.
    /// - Returns: The response.
    public static func code(_ text: String) -> ChallengeResponse { .code(Secret(text)) }

    /// Creates a response from a new password, and wraps the password in a `Secret`.
    ///
    /// - Parameter text: The password.
    /// - Returns: The response.
    public static func newPassword(_ text: String) -> ChallengeResponse { .newPassword(Secret(text)) }

    /// The kind of a response.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        case code, link, poll, newPassword, factor, fields, passkey, captcha

        /// Returns whether the kind `left` is declared before the kind `right`.
        ///
        /// - Parameters:
        ///   - left: A kind.
        ///   - right: Another kind.
        /// - Returns: Whether `left` comes first.
        public static func < (left: Kind, right: Kind) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The kind of this response.
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
