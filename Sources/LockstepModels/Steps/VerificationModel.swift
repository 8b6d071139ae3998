public import Lockstep
public import Observation

/// The model of the screen on which the user completes a verification.
///
/// The user enters a code, opens a link, or uses a passkey or a captcha. ``AuthModel/screen`` contains this model, even
/// after a relaunch of the app.
///
/// ```swift
/// if case .step(.verify(let model)) = auth.screen, model.takesCode {
///     model.code = "123456"
///     await model.submit()
/// }
/// ```
@MainActor @Observable
public final class VerificationModel {
    /// The challenge, with the message's recipient and the accepted kinds of response.
    public private(set) var challenge: Challenge
    /// The current activity of the form, and its problems.
    public let form: FormState
    /// The countdown until the message can be sent again; `nil` if the message can never be sent again.
    public private(set) var resendCountdown: Countdown?
    /// The countdown until the code or link expires; `nil` if the time is unknown.
    public private(set) var expiryCountdown: Countdown?
    /// Whether the backend has sent the message again since the screen appeared.
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

    // MARK: Display

    /// Whether the user can complete the verification with a code.
    public var takesCode: Bool { challenge.accepts.contains(.code) }
    /// Whether the user can complete the verification with a link.
    public var takesLink: Bool { challenge.accepts.contains(.link) || challenge.accepts.contains(.poll) }
    /// Whether the user completes the flow on a web page of the provider, and then signs in to the app.
    public var endsOnWebPage: Bool { challenge.ending == .webPage }
    /// Whether ``check()`` can ask the backend about the link now.
    public var canCheck: Bool { challenge.accepts.contains(.poll) && !form.isBusy }
    /// Whether the button that sends the code can be enabled.
    public var canSubmit: Bool { takesCode && !form.isBusy && (try? ChallengeResponse.code(typed).normalized()) != nil }
    /// Whether the button that sends the message again can be enabled.
    public var canResend: Bool { resendCountdown?.isOver == true && !form.isBusy }
    /// The request for the system's passkey dialog; `nil` if the challenge does not accept a passkey.
    public var passkeyRequest: PasskeyRequest? { PasskeyRequest(challenge) }

    /// Whether the screen shows the captcha that the backend's project uses.
    public var acceptsCaptcha: Bool { challenge.accepts.contains(.captcha) }

    /// Whether the screen shows a button that cancels the flow.
    ///
    /// The value is `false` if the user has a session, because the user must still verify the email address.
    public var offersLeaving: Bool { !offersSignOut }
    /// Whether the screen shows a button for signing out.
    ///
    /// The user can then start again with another email address.
    public var offersSignOut: Bool {
        _ = context.auth?.screen.name
        return context.client.state.session?.user.standing == .unverified && challenge.flow.kind == .confirmation
    }

    // MARK: User actions

    /// Sends the user's code to the backend.
    public func submit() async { await answer(.code(typed)) }

    /// Sends the result of the system's passkey dialog to the backend.
    ///
    /// - Parameter passkey: The dialog's result for ``passkeyRequest``, in WebAuthn's JSON format.
    public func submit(passkey: JSON) async { await answer(.passkey(passkey)) }

    /// Sends the token of the captcha to the backend.
    ///
    /// - Parameter token: The token that the captcha's widget returned.
    public func submit(captcha token: Secret) async { await answer(.captcha(token)) }

    /// Asks the backend whether the user has opened the link on another device.
    ///
    /// If the user has not opened the link yet, the form's problem has the code `notConfirmedYet`.
    public func check() async {
        let flow = challenge.flow
        await form.run(.checking) { () async throws(AuthError) in try await self.context.respond(to: flow, with: .poll) }
    }

    /// Asks the backend to send the message again.
    public func resend() async {
        let (client, flow) = (context.client, challenge.flow)
        await form.run(.sending) { () async throws(AuthError) in
            self.show(try await client.resend(flow))
            self.hasResent = true
        }
    }

    /// Signs the unverified user out, so that the user can enter another email address.
    public func signOut() async {
        guard offersSignOut else { return }
        let client = context.client
        await form.run(.signingOut, endsOthers: true) { () async throws(AuthError) in try await client.signOut() }
    }

    /// Cancels the flow, and returns to the screen on which it began.
    ///
    /// The email address stays unverified. If the user already has a session, the user must still verify the address;
    /// see ``offersSignOut``.
    public func cancel() async {
        form.cancel()
        await context.leave(challenge.flow)
    }

    private func answer(_ response: ChallengeResponse) async {
        let flow = challenge.flow
        // Only a code has a field on the form; a passkey's result does not.
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
