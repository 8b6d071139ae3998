public import Lockstep
public import Observation

/// The screens of a guest: becoming a user who keeps the user id, and signing out, by which everything would be lost.
@MainActor @Observable
public final class AnonymousUserModel {
    /// What became of the guest.
    public enum Outcome: Sendable, Hashable {
        /// The guest is a user now, with the same id and all that belongs to it.
        case kept(userID: String)
        /// Another account is signed in, and the guest's is lost.
        case replaced(by: String)
        /// The guest has signed out, and the account is lost.
        case lost
    }

    /// The guest's id.
    public let userID: String
    /// The form that makes the guest a user by address and password.
    public let signUp: SignUpModel
    /// The form that adds a way to sign in to the guest.
    public let signIn: SignInModel
    /// The form that signs in to another account: it appears with ``signInElsewhere()``.
    public private(set) var otherAccount: SignInModel?
    /// Whether the user is being asked if the guest's account may be lost.
    public private(set) var isAskingToSignOut = false
    /// What is under way, and what went wrong.
    public let form: FormState

    private let context: ModelContext
    private let identityProviders: [IdentityProvider]

    /// - Parameters:
    ///   - auth: The app's model, which shows a guest.
    ///   - identityProviders: Those that the app has set up.
    ///   - generateName: Makes up a name to show, where the app wants one.
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

    /// The way that could not be added, because it is another account's; the guest is still signed in.
    public var conflict: IdentityConflictStep? { signUp.conflict ?? signIn.conflict ?? context.auth?.conflict }

    /// Whether to offer a sign-in to the account that has the address or the identity.
    public var offersSignInElsewhere: Bool {
        conflict != nil || (signUp.form.problems + signIn.form.problems).contains { $0.error.code.isConflict }
    }

    /// Shows the form that signs in to the other account.
    ///
    /// The guest stays until that has succeeded, and is lost then: say so.
    public func signInElsewhere() {
        guard let auth = context.auth else { return }
        otherAccount = SignInModel(auth, identityProviders: identityProviders, discardingAnonymousUser: true)
    }

    /// Goes back to the guest, who has lost nothing.
    public func stayAnonymous() {
        otherAccount?.form.cancel()
        otherAccount = nil
        context.auth?.dismissConflict()
        isAskingToSignOut = false
    }

    /// Asks whether the guest's account may be lost; ``confirmSignOut()`` and ``stayAnonymous()`` answer it.
    ///
    /// Most apps show a guest no button for it.
    public func askToSignOut() { isAskingToSignOut = true }

    /// Signs the guest out: the account is lost.
    public func confirmSignOut() async {
        guard isAskingToSignOut else { return }
        let client = context.client
        await form.run(.signingOut) { () async throws(AuthError) in try await client.signOut(discardingAnonymousUser: true) }
        isAskingToSignOut = false
    }
}
