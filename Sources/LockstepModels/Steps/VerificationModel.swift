public import Lockstep
public import Observation

/// The screen that waits for a verification: a code to enter, a link to open, a passkey, or a captcha.
///
/// ``AuthModel/screen`` creates it, also after a relaunch.
///
/// ```swift
/// if case .step(.verify(let model)) = auth.screen, model.takesCode {
///     model.code = "123456"
///     await model.submit()
/// }
/// ```
@MainActor @Observable
public final class VerificationModel {
    /// The challenge: the recipient of the message and the accepted responses.
    public private(set) var challenge: Challenge
    /// The current activity and the problems of the form.
    public let form: FormState
    /// The countdown until the message can be sent again; `nil` if it cannot be sent again.
    public private(set) var resendCountdown: Countdown?
    /// The countdown until the code or link expires; `nil` if the time is unknown.
    public private(set) var expiryCountdown: Countdown?
    /// Whether the message was sent again since the screen appeared.
    public private(set) var hasResent = false

    private var typed: Secret = ""
    private let context: ModelContext

    init(_ challenge: Challenge, _ auth: AuthModel) {
        self.challenge = challenge
        context = ModelContext(auth)
        form = context.form(isDoneByOne: false)
        setCountdowns()
    }

    /// The code, as the user types it.
    public var code: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.code)
        }
    }

    // MARK: What to show

    /// Whether the user can enter a code.
    public var takesCode: Bool { challenge.accepts.contains(.code) }
    /// Whether the user can open a link.
    public var takesLink: Bool { challenge.accepts.contains(.link) || challenge.accepts.contains(.poll) }
    /// Whether the user continues on a web page of the provider, and then signs in here.
    public var endsOnWebPage: Bool { challenge.ending == .webPage }
    /// Whether the model can ask the backend if the user opened the link elsewhere.
    public var canCheck: Bool { challenge.accepts.contains(.poll) && !form.isBusy }
    /// Whether the code can be sent.
    public var canSubmit: Bool { takesCode && !form.isBusy && (try? ChallengeResponse.code(typed).normalized()) != nil }
    /// Whether the message can be sent again now.
    public var canResend: Bool { resendCountdown?.isOver == true && !form.isBusy }
    /// The request for the system's passkey dialog; `nil` if no passkey is requested.
    public var passkeyRequest: PasskeyRequest? { PasskeyRequest(challenge) }

    /// Whether to show a captcha, with the widget that the backend's project uses.
    public var acceptsCaptcha: Bool { challenge.accepts.contains(.captcha) }

    /// Whether to show a button for leaving.
    ///
    /// It is not shown if the user has a session, because the verification is still required.
    public var offersLeaving: Bool { !offersSignOut }
    /// Whether to show a button for signing out, so that the user can start again with another email address.
    public var offersSignOut: Bool {
        _ = context.auth?.screen.name
        return context.client.state.session?.user.standing == .unverified && challenge.flow.kind == .confirmation
    }

    // MARK: What the user does

    /// Sends the code.
    public func submit() async { await answer(.code(typed)) }

    /// Sends the result of the system dialog for ``passkeyRequest``, in WebAuthn's JSON format.
    ///
    /// - Parameter passkey: The result of the dialog.
    public func submit(passkey: JSON) async { await answer(.passkey(passkey)) }

    /// Sends the token that the captcha widget returned.
    ///
    /// - Parameter token: The token.
    public func submit(captcha token: Secret) async { await answer(.captcha(token)) }

    /// Checks whether the user opened the link elsewhere.
    ///
    /// If not, the problem is `notConfirmedYet`.
    public func check() async {
        let flow = challenge.flow
        await form.run(.checking) { () async throws(AuthError) in try await self.context.respond(to: flow, with: .poll) }
    }

    /// Sends the message again.
    public func resend() async {
        let (client, flow) = (context.client, challenge.flow)
        await form.run(.sending) { () async throws(AuthError) in
            self.show(try await client.resend(flow))
            self.hasResent = true
        }
    }

    /// Signs the unverified user out, so that another email address can be entered.
    public func signOut() async {
        guard offersSignOut else { return }
        form.cancel()
        let client = context.client
        await form.run(.signingOut) { () async throws(AuthError) in try await client.signOut() }
    }

    /// Leaves the flow and returns to the screen where it began.
    ///
    /// An unverified email address stays unverified. If the user has a session, the verification is still required; see
    /// ``offersSignOut``.
    public func cancel() async {
        form.cancel()
        await context.leave(challenge.flow)
    }

    private func answer(_ response: ChallengeResponse) async {
        let flow = challenge.flow
        // Only a code is beside its field: a passkey's answer has none.
        await form.run(.answering, response.kind == .code ? [(.code, typed.isEmpty)] : []) { () async throws(AuthError) in
            try await self.context.respond(to: flow, with: response)
            self.typed = ""
        }
    }

    /// Shows a newer challenge of the same flow.
    func show(_ challenge: Challenge) {
        guard challenge != self.challenge else { return }
        self.challenge = challenge
        setCountdowns()
    }

    private func setCountdowns() {
        let (client, flow) = (context.client, challenge.flow)
        let left: Countdown.TimeLeft = { client.timeToResend(flow) ?? .zero }
        let canBeSent = challenge.resendAvailableAt != nil
        resendCountdown = Countdown.next(after: resendCountdown, on: context.clock, left: canBeSent ? left : nil)
        let life = challenge.expiresAt.map { Countdown.left(until: $0, context.clock) }
        expiryCountdown = Countdown.next(after: expiryCountdown, on: context.clock, left: life)
    }
}
