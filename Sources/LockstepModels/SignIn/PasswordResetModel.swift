internal import Lockstep
public import Observation

/// The model of the screen that requests a message for a forgotten password.
///
/// Afterwards, the user verifies the email address and sets a new password. Some providers ask for the new password on
/// their own web page (``VerificationModel/endsOnWebPage``). In that case, the user signs in afterwards, and the
/// sign-in form already contains the email address.
///
/// ```swift
/// let model = PasswordResetModel(auth)
/// model.email = "ada@example.com"
/// await model.submit()
/// ```
@MainActor @Observable
public final class PasswordResetModel {
    /// The current activity of the form, and its problems.
    public let form: FormState
    /// The text in the field for the email address.
    public var email: String { didSet { form.edited(.email) } }

    private let context: ModelContext

    /// Creates the model with the email address that the user entered last.
    ///
    /// - Parameter auth: The app's model.
    public init(_ auth: AuthModel) {
        context = ModelContext(auth)
        form = context.form()
        email = auth.client.state.session?.user.email ?? auth.email
    }

    /// Whether the provider supports password resets.
    public var isOffered: Bool { context.offers(.passwordReset) }

    /// Whether the button that sends the form can be enabled.
    public var canSubmit: Bool { !form.isBusy && isOffered && (try? EmailAddress(email)) != nil }

    /// Checks the email address after the user left its field.
    ///
    /// If the address is invalid, ``form`` contains the problem. The check sends no request.
    public func check() { form.check(.email, email, in: [.email]) }

    /// Requests the message; the next screen is ``Step/verify(_:)``.
    ///
    /// If the provider does not reveal whether an account exists, an unknown address gets the same screen.
    public func submit() async {
        context.auth?.email = email
        let (client, email) = (context.client, email)
        await form.run(.sending, [(.email, email.isEmpty)]) { () async throws(AuthError) in
            _ = try await client.requestPasswordReset(email: email)
        }
    }
}
