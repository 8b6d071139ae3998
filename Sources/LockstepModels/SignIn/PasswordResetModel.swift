internal import Lockstep
public import Observation

/// The screen for a forgotten password: it asks for the message.
///
/// What follows are steps: the proof, then the new password.
///
/// Where the provider's own page takes the new password (``VerificationModel/endsOnWebPage``), the user comes back to the sign-in,
/// with the address filled in.
@MainActor @Observable
public final class PasswordResetModel {
    /// What is under way, and what went wrong.
    public let form: FormState
    /// The address.
    public var email: String { didSet { form.edited(.email) } }

    private let context: ModelContext

    /// Begins with the address that the user last gave.
    public init(_ auth: AuthModel) {
        context = ModelContext(auth)
        form = context.form()
        email = auth.client.state.session?.user.email ?? auth.email
    }

    /// Whether the provider replaces forgotten passwords.
    public var isOffered: Bool { context.offers(.passwordReset) }

    /// Whether the client would send the form.
    public var canSubmit: Bool { !form.isBusy && isOffered && (try? EmailAddress(email)) != nil }

    /// Checks the address when the user has left its field: the problem stands in ``form``, and nothing is sent.
    public func check() { form.check(.email, email, in: [.email]) }

    /// Asks for the message: the next screen is ``Step/verify(_:)``, also for an address that has no account, where the provider
    /// does not tell.
    public func submit() async {
        context.auth?.email = email
        let (client, email) = (context.client, email)
        await form.run(.sending, [(.email, email.isEmpty)]) { () async throws(AuthError) in
            _ = try await client.requestPasswordReset(email: email)
        }
    }
}
