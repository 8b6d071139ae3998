public import Lockstep
public import Observation

/// The screen for a new password: at the end of a reset, or if the backend requires one.
@MainActor @Observable
public final class NewPasswordModel {
    /// The step and its reason.
    public let step: NewPasswordStep
    /// The current activity and the problems of the form.
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

    /// The strength of the password; `nil` if there is no meter or if the field is empty.
    public var strength: PasswordStrength? {
        advice.strength(of: typed, weakWords: [context.auth?.email, context.client.state.session?.user.displayName])
    }

    /// Whether the password can be sent.
    public var canSubmit: Bool {
        !form.isBusy && (try? ChallengeResponse.newPassword(typed).normalized()) != nil && advice.allows(strength)
    }

    /// Sets the password.
    public func submit() async {
        guard advice.allows(strength) else { return form.show(weakerThan: advice?.minimum, in: [.newPassword]) }
        let (flow, password) = (step.flow, typed)
        await form.run(.answering, [(.newPassword, typed.isEmpty)]) { () async throws(AuthError) in
            try await self.context.respond(to: flow, with: .newPassword(password))
            self.typed = ""
        }
    }

    /// Leaves the flow.
    ///
    /// The password is unchanged.
    public func cancel() async {
        form.cancel()
        await context.leave(step.flow)
    }
}

/// The screen for fields that the provider requires before it creates the account.
@MainActor @Observable
public final class MissingFieldsModel {
    /// The step.
    public let step: MissingFieldsStep
    /// The current activity and the problems of the form.
    public let form: FormState

    /// Secrets all of them: a provider may ask for a password here.
    private var values: [MissingFieldsStep.Field: Secret] = [:]
    private let context: ModelContext

    init(_ step: MissingFieldsStep, _ auth: AuthModel) {
        self.step = step
        context = ModelContext(auth)
        form = context.form()
    }

    /// The fields, in the provider's order.
    public var fields: [MissingFieldsStep.Field] { step.fields }

    /// The text in a field.
    public subscript(field: MissingFieldsStep.Field) -> String {
        get { values[field]?.reveal() ?? "" }
        set {
            values[field] = Secret(newValue)
            form.edited(FormField(field))
        }
    }

    /// Returns whether the text in a field must not be shown, as for a password.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether the field is secret.
    public func isSecret(_ field: MissingFieldsStep.Field) -> Bool { FormField(field).isSecret }

    private var answer: [MissingFieldsStep.Field: String] {
        values.filter { !$0.value.isEmpty }.mapValues { $0.reveal() }
    }

    /// Whether every field has text, and the form can be sent.
    public var canSubmit: Bool {
        !form.isBusy && !fields.contains { self[$0].isEmpty } && (try? ChallengeResponse.fields(answer).normalized()) != nil
    }

    /// Sends the fields.
    public func submit() async {
        let (flow, answer) = (step.flow, answer)
        await form.run(.answering, fields.map { (FormField($0), self[$0].isEmpty) }) { () async throws(AuthError) in
            try await self.context.respond(to: flow, with: .fields(answer))
            self.values = [:]
        }
    }

    /// Leaves the flow.
    ///
    /// No account is created.
    public func cancel() async {
        form.cancel()
        await context.leave(step.flow)
    }
}

/// The screen while a web page is open in the browser, or for a step that this version does not support.
@MainActor @Observable
public final class BrowserModel {
    /// The flow.
    public let flow: Flow
    /// The URL of the page to open; `nil` if there is none.
    public let page: String?

    private let context: ModelContext

    init(_ flow: Flow, page: String?, _ auth: AuthModel) {
        self.flow = flow
        self.page = page
        context = ModelContext(auth)
    }

    /// Leaves the flow because the user closed the page.
    ///
    /// The app shows the screen where the flow began.
    public func cancel() async {
        await context.leave(flow)
    }
}
