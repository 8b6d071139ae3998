public import Lockstep
public import Observation

/// The screens of a guest: creating an account with the same user id, and signing out, which loses all data.
@MainActor @Observable
public final class GuestModel {
    /// The outcome for the guest.
    public enum Outcome: Sendable, Hashable {
        /// The guest is now a user with the same id and all data.
        case kept(userID: String)
        /// Another account is signed in, and the guest's account is lost.
        case replaced(by: String)
        /// The guest has signed out, and the account is lost.
        case lost
    }

    /// The guest's id.
    public let userID: String
    /// The form that creates an account from an address and a password.
    public let signUp: SignUpModel
    /// The form that adds another sign-in method to the guest.
    public let signIn: SignInModel
    /// The form that signs in to another account: it appears with ``signInElsewhere()``.
    public private(set) var otherAccount: SignInModel?
    /// Whether the screen asks for a confirmation that the guest's account may be lost.
    public private(set) var isAskingToSignOut = false
    /// The activity and the errors of the form.
    public let form: FormState

    private let context: ModelContext
    private let identityProviders: [IdentityProvider]

    /// - Parameters:
    ///   - auth: The app's model, with a guest signed in.
    ///   - identityProviders: The identity providers that the app supports.
    ///   - generateName: Generates a display name; `nil` for none.
    public init(
        _ auth: AuthModel, identityProviders: [IdentityProvider] = [],
        generateName: (@Sendable (any Randomness) -> String)? = nil
    ) {
        context = ModelContext(auth)
        form = context.form()
        userID = auth.client.state.session?.user.id ?? ""
        self.identityProviders = identityProviders
        signUp = SignUpModel(auth, generateName: generateName)
        signIn = SignInModel(auth, identityProviders: identityProviders)
    }

    /// What became of the guest; `nil` while it is one.
    public var outcome: Outcome? {
        _ = context.auth?.screen.name
        switch context.client.state {
        case .anonymous(let session): return session.user.id == userID ? nil : .replaced(by: session.user.id)
        case .unverified(let account):
            guard let id = account.session?.user.id else { return nil }
            return id == userID ? .kept(userID: id) : .replaced(by: id)
        case .signedIn(let session): return session.user.id == userID ? .kept(userID: userID) : .replaced(by: session.user.id)
        case .signedOut(.requested): return .lost
        case .signedOut, .restoring, .unavailable: return nil
        }
    }

    /// The sign-in method that could not be added, because it belongs to another account.
    ///
    /// The guest is still signed in.
    public var conflict: IdentityConflictStep? { signUp.conflict ?? signIn.conflict ?? context.auth?.conflict }

    /// Whether to offer a sign-in to the account with the address or the identity.
    public var offersSignInElsewhere: Bool {
        conflict != nil || (signUp.form.problems + signIn.form.problems).contains { $0.error.code.isConflict }
    }

    /// Shows the form that signs in to the other account.
    ///
    /// The guest's account is lost when that sign-in succeeds. Tell the user before.
    public func signInElsewhere() {
        guard let auth = context.auth else { return }
        otherAccount = SignInModel(auth, identityProviders: identityProviders, discardingGuest: true)
    }

    /// Returns to the guest, without any loss.
    public func stayGuest() {
        otherAccount?.form.cancel()
        otherAccount = nil
        context.auth?.dismissConflict()
        isAskingToSignOut = false
    }

    /// Asks for a confirmation that the guest's account may be lost.
    ///
    /// Call ``confirmSignOut()`` or ``stayGuest()`` next.
    ///
    /// Most apps do not show this button to a guest.
    public func askToSignOut() { isAskingToSignOut = true }

    /// Signs the guest out: the account is lost.
    public func confirmSignOut() async {
        guard isAskingToSignOut else { return }
        let client = context.client
        await form.run(.signingOut) { () async throws(AuthError) in try await client.signOut(discardingGuest: true) }
        isAskingToSignOut = false
    }
}
