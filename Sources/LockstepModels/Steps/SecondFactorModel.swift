public import Lockstep
public import Observation

/// The screen for a second factor: a choice, if the user has several, and a code.
///
/// ```swift
/// if case .step(.secondFactor(let model)) = auth.screen {
///     model.code = "123456"
///     await model.submit()
/// }
/// ```
@MainActor @Observable
public final class SecondFactorModel {
    /// The step.
    public private(set) var step: SecondFactorStep
    /// The current activity and the problems of the form.
    public let form: FormState
    /// The countdown until the message can be sent again; `nil` if no message is sent.
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

    /// The factors to choose from.
    public var choices: [FactorChoice] { step.choices }
    /// Whether the user enters a code.
    ///
    /// If it is false, the user first chooses a factor.
    public var takesCode: Bool { step.challenge?.accepts.contains(.code) == true }
    /// The request for the system's passkey dialog; `nil` if no passkey is requested.
    public var passkeyRequest: PasskeyRequest? { PasskeyRequest(step.challenge) }
    /// Whether the code can be sent.
    public var canSubmit: Bool { takesCode && !form.isBusy && (try? ChallengeResponse.code(typed).normalized()) != nil }
    /// Whether the message can be sent again now.
    public var canResend: Bool { resendCountdown?.isOver == true && !form.isBusy }

    /// Chooses another factor.
    ///
    /// If it is a phone, a code is sent by SMS.
    ///
    /// - Parameter factor: The factor.
    public func choose(_ factor: FactorChoice) async {
        typed = ""
        await answer(.factor(factor), named: "choose \(factor.id)")
    }

    /// Sends the code.
    public func submit() async { await answer(.code(typed)) }

    /// Sends the result of the system dialog for ``passkeyRequest``, in WebAuthn's JSON format.
    ///
    /// - Parameter passkey: The result of the dialog.
    public func submit(passkey: JSON) async { await answer(.passkey(passkey)) }

    /// Sends the message again.
    public func resend() async {
        let (client, flow) = (context.client, step.flow)
        await form.run(.sending) { () async throws(AuthError) in _ = try await client.resend(flow) }
    }

    /// Leaves the flow and returns to the sign-in.
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
