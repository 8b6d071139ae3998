internal import Lockstep
public import Observation

/// The screen for a forgotten password: it requests the message.
///
/// The steps that follow are the verification and the new password. If the provider has its own web page for the new
/// password (``VerificationModel/endsOnWebPage``), the user then returns to the sign-in with the email address filled in.
///
/// ```swift
/// let model = PasswordResetModel(auth)
/// model.email = "ada@example.com"
/// await model.submit()
/// ```
@MainActor @Observable
public final class PasswordResetModel {
    /// The current activity and the problems of the form.
    public let form: FormState
    /// The email address.
    public var email: String { didSet { form.edited(.email) } }

    private let context: ModelContext

    /// Creates the screen with the email address that the user entered last.
    ///
    /// - Parameter auth: The app's model.
    public init(_ auth: AuthModel) {
        context = ModelContext(auth)
        form = context.form()
        email = auth.client.state.session?.user.email ?? auth.email
    }

    /// Whether the provider supports password resets.
    public var isOffered: Bool { context.offers(.passwordReset) }

    /// Whether the form can be sent.
    public var canSubmit: Bool { !form.isBusy && isOffered && (try? EmailAddress(email)) != nil }

    /// Checks the email address after the user left its field.
    ///
    /// A problem is shown in ``form``; nothing is sent.
    public func check() { form.check(.email, email, in: [.email]) }

    /// Requests the message.
    ///
    /// The next screen is ``Step/verify(_:)``.
    ///
    /// If the provider does not reveal whether an account exists, this screen is shown for unknown addresses, too.
    public func submit() async {
        context.auth?.email = email
        let (client, email) = (context.client, email)
        await form.run(.sending, [(.email, email.isEmpty)]) { () async throws(AuthError) in
            _ = try await client.requestPasswordReset(email: email)
        }
    }
}
