public import LockstepPrimitives

/// A verification that the user must complete, by a link, a code, or both.
///
/// It contains no secrets and can be stored, so a flow survives a relaunch.
///
/// ```swift
/// if case .verify(let challenge) = try await client.signIn(with: .emailCode("ada@example.com")) {
///     print("We sent a code to \(challenge.destination).")
///     let step = try await client.respond(to: challenge.flow, with: .code("123456"))
///     print(step.session?.user.id ?? "one more step")
/// }
/// ```
public struct Challenge: Sendable, Hashable, Codable {
    /// The delivery channel.
    public enum Channel: String, Sendable, Codable, CaseIterable {
        case email, sms, authenticatorApp, backupCode, passkey, captcha
    }

    /// The place where a flow ends if the app cannot respond to it.
    public enum Ending: String, Sendable, Codable, CaseIterable {
        /// The flow ends on the web page that the message links to.
        ///
        /// The user signs in afterwards. Say so on the screen.
        case webPage
    }

    /// The flow to respond to.
    public var flow: Flow
    /// The delivery channel.
    public var channel: Channel
    /// The masked recipient; empty if nothing is sent.
    public var destination: String
    /// The accepted kinds of responses.
    ///
    /// It is empty only if ``ending`` says where the user continues.
    public var accepts: Set<ChallengeResponse.Kind>
    /// The time when the code or link expires, by the device's clock; `nil` if the provider does not specify it.
    public var expiresAt: Instant?
    /// The time when the message can be sent again, by the device's clock; `nil` if it cannot be sent again.
    ///
    /// Only a successful send sets it. A failed send can be repeated immediately.
    public var resendAvailableAt: Instant?
    /// The number of remaining attempts; `nil` if the provider does not return it.
    public var attemptsLeft: Int?
    /// The options for the system's passkey dialog, in WebAuthn's JSON format without a wrapper.
    public var passkeyOptions: JSON?
    /// The place where the flow ends, if not in this app.
    ///
    /// Then the app has nothing to respond to and nothing to wait for.
    public var ending: Ending?

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - flow: The flow to respond to.
    ///   - channel: The delivery channel.
    ///   - destination: The masked recipient.
    ///   - accepts: The accepted kinds of responses.
    ///   - expiresAt: The time when the code or link expires.
    ///   - resendAvailableAt: The time when the message can be sent again.
    ///   - attemptsLeft: The number of remaining attempts.
    ///   - passkeyOptions: The options for the system's passkey dialog.
    ///   - ending: The place where the flow ends, if not in this app.
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
    /// Checks whether the user completed the verification elsewhere.
    case poll
    /// A new password.
    case newPassword(Secret)
    /// The chosen second factor.
    case factor(FactorChoice)
    /// The missing fields.
    case fields([MissingFieldsStep.Field: String])
    /// The result of the system's passkey dialog, in WebAuthn's JSON format.
    case passkey(JSON)
    /// The token of a captcha, from the captcha's own widget.
    ///
    /// The project's configuration decides the widget, its site key and its action. No supported backend returns them
    /// with its error.
    case captcha(Secret)

    /// Creates a response from a code as the user typed it, and wraps it in a `Secret`.
    ///
    /// - Parameter text: The code.
    /// - Returns: The response.
    public static func code(_ text: String) -> ChallengeResponse { .code(Secret(text)) }

    /// Creates a response from a new password, and wraps it in a `Secret`.
    ///
    /// - Parameter text: The password.
    /// - Returns: The response.
    public static func newPassword(_ text: String) -> ChallengeResponse { .newPassword(Secret(text)) }

    /// The kinds of responses.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        case code, link, poll, newPassword, factor, fields, passkey, captcha

        /// Returns whether `left` is declared before `right`.
        public static func < (left: Kind, right: Kind) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The kind of response.
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
