public import Lockstep
public import Observation

/// The screen for a new password, at the end of a reset, or if the backend requires one.
@MainActor @Observable
public final class NewPasswordModel {
    /// The step and its reason.
||||||| base
    /// What is asked for, and why.
    public let step: NewPasswordStep
    /// The current activity and the problems of the form.
||||||| base
    /// What is under way, and what went wrong.
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

    /// The password that the user types.
    public var password: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.newPassword)
        }
    }

    /// The strength of the password; `nil` if there is no meter or if the field is empty.
||||||| base
    /// How strong it is; `nil` without a meter, and where nothing is typed.
||||||| base
    /// How strong it is; `nil` without a meter, and if nothing is typed.
    public var strength: PasswordStrength? {
        advice.strength(of: typed, weakWords: [context.auth?.email, context.client.state.session?.user.displayName])
    }

    /// Whether the password can be sent.
||||||| base
    /// Whether it can be sent.
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
||||||| base
    /// Leaves the flow: the password stays as it is.
||||||| base
    /// Leaves the flow. The password stays the same.
    public func leave() async {
        form.cancel()
        await context.leave(step.flow)
    }
}

/// The screen for fields that the provider requires before it creates the account.
@MainActor @Observable
public final class MissingFieldsModel {
    /// The step.
    public let step: MissingFieldsStep
    /// The activity and the errors of the form.
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
||||||| base
    /// What stands in a field.
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
||||||| base
    /// Whether what is typed into a field must not be shown: a password.
    public func isSecret(_ field: MissingFieldsStep.Field) -> Bool { FormField(field).isSecret }

    private var answer: [MissingFieldsStep.Field: String] {
        values.filter { !$0.value.isEmpty }.mapValues { $0.reveal() }
    }

    /// Whether every field has text, and the form can be sent.
||||||| base
    /// Whether something stands in each field, and the client would send it.
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
    public func leave() async {
        form.cancel()
        await context.leave(step.flow)
    }
}

/// The screen while a web page is open in the browser, or for a step that this version does not support.
||||||| base
/// The screen while the user is at a page in the browser, or at a step that this version does not know.
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
||||||| base
    /// The user has closed the page: back to where the flow began.
||||||| base
    /// Call this when the user has closed the page. The app returns to the start of the flow.
    public func leave() async {
        await context.leave(flow)
    }
}
