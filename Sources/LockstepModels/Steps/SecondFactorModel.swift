public import Lockstep
public import Observation

/// The model of the screen on which the user completes a second factor.
///
/// If the user has several factors, the user first chooses one.
///
/// ```swift
/// if case .step(.secondFactor(let model)) = auth.screen {
///     model.code = "123456"
///     await model.submit()
/// }
/// ```
@MainActor @Observable
public final class SecondFactorModel {
    /// The step, with the user's factors and the current challenge.
    public private(set) var step: SecondFactorStep
    /// The current activity of the form, and its problems.
    public let form: FormState
    /// The countdown until the message can be sent again; `nil` if the factor needs no message.
    public private(set) var resendCountdown: Countdown?

    private var typed: Secret = ""
    private let context: ModelContext

    init(_ step: SecondFactorStep, _ auth: AuthModel) {
        self.step = step
        context = ModelContext(auth)
        form = context.form(isDoneByOne: false)
        setCountdown()
    }

    /// The code, as the user types it.
    public var code: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.code)
        }
    }

    /// The factors from which the user can choose.
    public var choices: [FactorChoice] { step.choices }
    /// Whether the user can enter a code now; if not, the user must first choose a factor.
    public var takesCode: Bool { step.challenge?.accepts.contains(.code) == true }
    /// The request for the system's passkey dialog; `nil` if the factor is not a passkey.
    public var passkeyRequest: PasskeyRequest? { PasskeyRequest(step.challenge) }
    /// Whether the button that sends the code can be enabled.
    public var canSubmit: Bool { takesCode && !form.isBusy && (try? ChallengeResponse.code(typed).normalized()) != nil }
    /// Whether the button that sends the message again can be enabled.
    public var canResend: Bool { resendCountdown?.isOver == true && !form.isBusy }

    /// Chooses another factor.
    ///
    /// If the factor is a phone, the backend sends a code by SMS.
    ///
    /// - Parameter factor: One of ``choices``.
    public func choose(_ factor: FactorChoice) async {
        typed = ""
        await answer(.factor(factor), named: "choose \(factor.id)")
    }

    /// Sends the user's code to the backend.
    public func submit() async { await answer(.code(typed)) }

    /// Sends the result of the system's passkey dialog to the backend.
    ///
    /// - Parameter passkey: The dialog's result for ``passkeyRequest``, in WebAuthn's JSON format.
    public func submit(passkey: JSON) async { await answer(.passkey(passkey)) }

    /// Asks the backend to send the message again.
    public func resend() async {
        let (client, flow) = (context.client, step.flow)
        await form.run(.sending) { () async throws(AuthError) in _ = try await client.resend(flow) }
    }

    /// Cancels the flow, and returns to the sign-in screen.
    public func cancel() async {
        form.cancel()
        await context.leave(step.flow)
    }

    private func answer(_ response: ChallengeResponse, named name: String = "answer") async {
        let flow = step.flow
        let fields = response.kind == .code ? [(FormField.code, isBlank: typed.isEmpty)] : []
        await form.run(.answering, fields, named: name) { () async throws(AuthError) in
            try await self.context.respond(to: flow, with: response)
            if response.kind != .factor { self.typed = "" }
        }
    }

    /// Shows a newer step of the same flow.
    func show(_ step: SecondFactorStep) {
        guard step != self.step else { return }
        self.step = step
        setCountdown()
    }

    private func setCountdown() {
        let (client, flow) = (context.client, step.flow)
        let left: Countdown.TimeLeft = { client.timeToResend(flow) ?? .zero }
        let canBeSent = step.challenge?.resendAvailableAt != nil
        resendCountdown = Countdown.next(after: resendCountdown, on: context.clock, left: canBeSent ? left : nil)
    }
}
