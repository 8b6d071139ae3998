public import LockstepPrimitives

/// What has to be proven, and how: one value for links **and** codes.
///
/// It has no secrets and can be kept, so that a flow survives a relaunch.
public struct Challenge: Sendable, Hashable, Codable {
    /// By which way the proof reaches the user.
    public enum Channel: String, Sendable, Codable, CaseIterable { case email, sms, authenticatorApp, backupCode, passkey }

    /// Where a flow ends to which the app has no answer to give.
    public enum Ending: String, Sendable, Codable, CaseIterable {
        /// On the page that the link of the message leads to; the user signs in afterwards. Say so on the screen.
        case webPage
    }

    /// The flow to answer.
    public var flow: Flow
    /// By which way the proof reaches the user.
    public var channel: Channel
    /// To whom it was sent, masked; empty where nothing is sent.
    public var destination: String
    /// The kinds of answers that it takes; empty only where ``ending`` says how the user goes on.
    public var accepts: Set<Answer.Kind>
    /// When the proof ends, by this device's clock, where the provider tells or documents it.
    public var expiresAt: Instant?
    /// From when on it can be sent again, by this device's clock; `nil` where it cannot be.
    ///
    /// Set by the answer to a send: a send that failed can be repeated at once.
    public var resendAvailableAt: Instant?
    /// How many wrong answers are left, where the provider tells.
    public var attemptsLeft: Int?
    /// What the platform's passkey sheet is asked with: the options of WebAuthn in its JSON form, without a wrapper.
    public var passkeyOptions: JSON?
    /// Where the flow ends, if not here: nothing is to be answered then, and nothing to be waited for.
    public var ending: Ending?

    /// A challenge.
    public init(
        flow: Flow, channel: Channel, destination: String, accepts: Set<Answer.Kind>, expiresAt: Instant? = nil,
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
