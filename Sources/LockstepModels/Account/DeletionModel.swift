internal import Lockstep
public import Observation

/// The model of the screen that deletes the account.
///
/// The user confirms the loss, and signs in again if the backend requires a recent sign-in. Then the model deletes the
/// account. If the user leaves the screen before that, nothing changes.
///
/// ```swift
/// let model = DeletionModel(auth)
/// model.isConfirmed = true
/// await model.submit()
/// print(model.isDeleted)
/// ```
@MainActor @Observable
public final class DeletionModel {
    /// Whether the user has confirmed the loss of all data.
    ///
    /// If another user signs in, that user must confirm again.
    public var isConfirmed = false { didSet { if !isConfirmed { dropReauthentication() } } }
    /// The screen on which the user signs in again; `nil` if no sign-in is required.
    public private(set) var reauthentication: ReauthenticationModel?
    /// Whether the account is deleted.
    public private(set) var isDeleted = false
    /// The current activity of the form, and its problems.
    public let form: FormState

    private let context: ModelContext
    private var userID: String?

    /// Creates the model.
    ///
    /// The user has not confirmed the deletion yet.
    ///
    /// - Parameter auth: The app's model.
    public init(_ auth: AuthModel) {
        context = ModelContext(auth)
        form = context.form()
        userID = auth.client.state.session?.user.id
        auth.followUser(self) { [weak self] id in self?.begin(for: id) }
    }

    private func begin(for id: String) {
        guard id != userID else { return }
        userID = id
        form.cancel()
        form.forget()
        isConfirmed = false
        isDeleted = false
    }

    /// Whether the provider lets users delete their accounts.
    public var isOffered: Bool { context.offers(.accountDeletion) }

    /// Whether the button that deletes the account can be enabled.
    public var canSubmit: Bool { isOffered && isConfirmed && !isDeleted && !form.isBusy && reauthentication == nil }

    /// Deletes the account, or asks the user to sign in again first.
    public func submit() async {
        context.update()
        guard isOffered, isConfirmed, !isDeleted, reauthentication == nil else { return }
        let client = context.client
        await form.run(.deleting) { () async throws(AuthError) in
            do throws(AuthError) {
                try await client.account.delete()
                self.isDeleted = true
            } catch {
                guard error.code == .reauthenticationRequired, let auth = self.context.auth else { throw error }
                // The user may have left the screen at the last moment.
                guard self.isConfirmed else { throw .cancelled }
                self.reauthentication = ReauthenticationModel(auth, ways: error.reauthenticationMethods, call: .deleteAccount) {
                    [weak self] model in
                    if self?.reauthentication === model { self?.reauthentication = nil }
                } ended: { [weak self] error in
                    // The next attempt needs no other sign-in, unless this one becomes too old as well.
                    self?.reauthentication = nil
                    if let error { self?.form.show(error) } else { self?.isDeleted = true }
                    return nil
                }
            }
        }
    }

    /// Leaves the screen without deleting the account.
    ///
    /// If the deletion request has already been sent, this method cannot undo the deletion.
    public func cancel() async {
        form.cancel()
        let flow = reauthentication?.stop()
        isConfirmed = false
        if let flow { await context.leave(flow) }
    }

    private func dropReauthentication() {
        guard let flow = reauthentication?.stop() else { return }
        Task { [context] in await context.leave(flow) }
    }
}

extension AuthError {
    /// The reauthentication methods that the remedies contain.
    var reauthenticationMethods: [Capability] {
        for case .reauthenticate(let ways) in remedies { return ways }
        return []
    }
}
