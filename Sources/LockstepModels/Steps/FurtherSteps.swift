public import Lockstep
public import Observation

/// The model of the screen on which the user sets a new password.
///
/// The screen appears at the end of a password reset, or if the backend requires a new password.
///
/// ```swift
/// if case .step(.newPassword(let model)) = auth.screen {
///     model.password = "a better password"
///     await model.submit()
/// }
/// ```
@MainActor @Observable
public final class NewPasswordModel {
    /// The step, with the reason why the user must set a new password.
    public let step: NewPasswordStep
    /// The current activity of the form, and its problems.
    public let form: FormState

    private var typed: Secret = ""
    private let context: ModelContext
    private let advice: PasswordAdvice?

    init(_ step: NewPasswordStep, _ auth: AuthModel) {
        self.step = step
        context = ModelContext(auth)
        form = context.form()
        advice = auth.passwordAdvice
    }

    /// The password, as the user types it.
    public var password: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.newPassword)
        }
    }

    /// The strength of the password; `nil` if the app has no meter or the field is empty.
    public var strength: PasswordStrength? {
        advice.strength(of: typed, weakWords: [context.auth?.email, context.client.state.session?.user.displayName])
    }

    /// Whether the button that sets the password can be enabled.
    public var canSubmit: Bool {
        !form.isBusy && (try? ChallengeResponse.newPassword(typed).normalized()) != nil && advice.allows(strength)
    }

    /// Sets the new password.
    public func submit() async {
        guard advice.allows(strength) else { return form.show(weakerThan: advice?.minimum, in: [.newPassword]) }
        let (flow, password) = (step.flow, typed)
        await form.run(.answering, [(.newPassword, typed.isEmpty)]) { () async throws(AuthError) in
            try await self.context.respond(to: flow, with: .newPassword(password))
            self.typed = ""
        }
    }

    /// Cancels the flow; the password stays unchanged.
    public func cancel() async {
        form.cancel()
        await context.leave(step.flow)
    }
}

/// The model of the screen on which the user enters fields that the provider requires for a new account.
///
/// ```swift
/// if case .step(.missingFields(let model)) = auth.screen {
///     for field in model.fields { model[field] = "Ada" }
///     await model.submit()
/// }
/// ```
@MainActor @Observable
public final class MissingFieldsModel {
    /// The step, with the missing fields.
    public let step: MissingFieldsStep
    /// The current activity of the form, and its problems.
    public let form: FormState

    /// The typed texts.
    ///
    /// All of them are secrets, because a provider may require a password here.
    private var values: [MissingFieldsStep.Field: Secret] = [:]
    private let context: ModelContext

    init(_ step: MissingFieldsStep, _ auth: AuthModel) {
        self.step = step
        context = ModelContext(auth)
        form = context.form()
    }

    /// The fields, in the provider's order.
    public var fields: [MissingFieldsStep.Field] { step.fields }

    /// Reads or sets the text in a field.
    ///
    /// - Parameter field: The field.
    public subscript(field: MissingFieldsStep.Field) -> String {
        get { values[field]?.reveal() ?? "" }
        set {
            values[field] = Secret(newValue)
            form.edited(FormField(field))
        }
    }

    /// Returns whether the screen must hide the text in a field, like a password.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether the screen must hide the text.
    public func isSecret(_ field: MissingFieldsStep.Field) -> Bool { FormField(field).isSecret }

    private var answer: [MissingFieldsStep.Field: String] {
        values.filter { !$0.value.isEmpty }.mapValues { $0.reveal() }
    }

    /// Whether every field contains text, so that the button that sends the form can be enabled.
    public var canSubmit: Bool {
        !form.isBusy && !fields.contains { self[$0].isEmpty } && (try? ChallengeResponse.fields(answer).normalized()) != nil
    }

    /// Sends the fields to the backend.
    public func submit() async {
        let (flow, answer) = (step.flow, answer)
        await form.run(.answering, fields.map { (FormField($0), self[$0].isEmpty) }) { () async throws(AuthError) in
            try await self.context.respond(to: flow, with: .fields(answer))
            self.values = [:]
        }
    }

    /// Cancels the flow; the backend does not create an account.
    public func cancel() async {
        form.cancel()
        await context.leave(step.flow)
    }
}

/// The model of the screen that an app shows while a web page is open in the browser.
///
/// An app also shows this screen for a step that this version does not support.
///
/// ```swift
/// if case .step(.browser(let model)) = auth.screen, let page = model.page { print("open \(page)") }
/// ```
@MainActor @Observable
public final class BrowserModel {
    /// The flow that continues when the browser returns to the app.
    public let flow: Flow
    /// The URL of the page to open; `nil` if the step has no page.
    public let page: String?

    private let context: ModelContext

    init(_ flow: Flow, page: String?, _ auth: AuthModel) {
        self.flow = flow
        self.page = page
        context = ModelContext(auth)
    }

    /// Cancels the flow, because the user closed the page.
    ///
    /// The app returns to the screen on which the flow began.
    public func cancel() async {
        await context.leave(flow)
    }
}
