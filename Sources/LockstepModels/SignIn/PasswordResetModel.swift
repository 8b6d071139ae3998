internal import Lockstep
public import Observation

/// The screen for a forgotten password, which requests the message.
///
/// The steps that follow are the verification and the new password. If the provider has its own web page for the new
/// password (``VerificationModel/endsOnWebPage``), the user then returns to the sign-in with the email address filled in.
||||||| base
/// What follows are steps: the proof, then the new password.
///
/// ```swift
/// let model = PasswordResetModel(auth)
/// model.email = "ada@example.com"
/// await model.submit()
/// ```
||||||| base
/// Where the provider's own page takes the new password (``VerificationModel/endsOnWebPage``), the user comes back to the sign-in,
/// with the address filled in.
@MainActor @Observable
public final class PasswordResetModel {
    /// The current activity and the problems of the form.
||||||| base
    /// What is under way, and what went wrong.
    public let form: FormState
    /// The email address.
    public var email: String { didSet { form.edited(.email) } }

    private let context: ModelContext

    /// Creates the screen with the email address that the user entered last.
    ///
    /// - Parameter auth: The app's model.
||||||| base
    /// Begins with the address that the user last gave.
    public init(_ auth: AuthModel) {
        context = ModelContext(auth)
        form = context.form()
        email = auth.client.state.session?.user.email ?? auth.email
    }

    /// Whether the provider supports password resets.
    public var isOffered: Bool { context.offers(.passwordReset) }

    /// Whether the form can be sent.
||||||| base
    /// Whether the client would send the form.
    public var canSubmit: Bool { !form.isBusy && isOffered && (try? EmailAddress(email)) != nil }

    /// Checks the email address after the user left its field.
    ///
    /// A problem is shown in ``form``; nothing is sent.
||||||| base
    /// Checks the address when the user has left its field: the problem stands in ``form``, and nothing is sent.
||||||| base
    /// Validates the address when the user leaves its field. The error is in ``form``, and nothing is sent.
    public func check() { form.check(.email, email, in: [.email]) }

    /// Requests the message.
    ///
    /// The next screen is ``Step/verify(_:)``.
    ///
    /// If the provider does not reveal whether an account exists, this screen is shown for unknown addresses, too.
||||||| base
    /// Asks for the message: the next screen is ``Step/verify(_:)``, also for an address that has no account, where the provider
    /// does not tell.
||||||| base
    /// Requests the message. The next screen is ``Step/verify(_:)``, also for an unknown address if the provider does not reveal
    /// it.
    public func submit() async {
        context.auth?.email = email
        let (client, email) = (context.client, email)
        await form.run(.sending, [(.email, email.isEmpty)]) { () async throws(AuthError) in
            _ = try await client.requestPasswordReset(email: email)
        }
    }
}
