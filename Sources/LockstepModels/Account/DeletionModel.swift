internal import Lockstep
public import Observation

/// The screen that deletes the account: confirmation, where it must be a sign-in, and then the call, once.
///
/// Leaving in the middle changes nothing.
@MainActor @Observable
public final class DeletionModel {
    /// Whether the user has confirmed that everything is lost.
    public var isConfirmed = false
    /// The screen on which the user signs in again; `nil` where that is not asked for.
    public private(set) var reauthentication: ReauthenticationModel?
    /// Whether the account is deleted.
    public private(set) var isDeleted = false
    /// What is under way, and what went wrong.
    public let form: FormState

    private let context: ModelContext

    /// A deletion that is not confirmed.
    public init(_ auth: AuthModel) {
        context = ModelContext(auth)
        form = context.form()
    }

    /// Whether users may delete their accounts here.
    public var isOffered: Bool { context.offers(.accountDeletion) }

    /// Whether the call would be made.
    public var canSubmit: Bool { isOffered && isConfirmed && !isDeleted && !form.isBusy && reauthentication == nil }

    /// Deletes the account, or asks the user to sign in again first.
    public func submit() async {
        guard isOffered, isConfirmed, !isDeleted, reauthentication == nil else { return }
        let client = context.client
        await form.run(.deleting) { () async throws(AuthError) in
            do throws(AuthError) {
                try await client.account.delete()
                self.isDeleted = true
            } catch {
                guard error.code == .reauthenticationRequired, let auth = self.context.auth else { throw error }
                self.reauthentication = ReauthenticationModel(auth, ways: error.waysToReauthenticate, call: .deleteAccount) {
                    [weak self] error in
                    // The next try needs no other sign-in, unless that gets old as well.
                    self?.reauthentication = nil
                    if let error { self?.form.show(error) } else { self?.isDeleted = true }
                }
            }
        }
    }

    /// Leaves: nothing has changed.
    public func leave() async {
        form.cancel()
        isConfirmed = false
        await reauthentication?.leave()
        reauthentication = nil
    }
}

extension AuthError {
    /// The ways that its remedies name.
    var waysToReauthenticate: [Capability] {
        for case .reauthenticate(let ways) in remedies { return ways }
        return []
    }
}
