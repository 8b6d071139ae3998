public import Lockstep
public import Observation

/// The model of the screens for an anonymous user.
///
/// The user can become a permanent user and keep the user id, or can sign out and lose the account.
///
/// ```swift
/// let model = AnonymousUserModel(auth)
/// model.signUp.email = "ada@example.com"
/// model.signUp.password = "correct horse battery staple"
/// await model.signUp.submit()
/// ```
@MainActor @Observable
public final class AnonymousUserModel {
    /// The outcome for the anonymous account.
    public enum Outcome: Sendable, Hashable {
        /// The anonymous user is a permanent user now, with the same id and all data.
        case kept(userID: String)
        /// The user signed in to another account.
        ///
        /// The anonymous account is lost.
        case replaced(by: String)
        /// The anonymous user signed out.
        ///
        /// The account is lost.
        case lost
    }

    /// The user id of the anonymous account.
    public let userID: String
    /// The form that adds an email address and a password to the anonymous user.
    public let signUp: SignUpModel
    /// The form that adds another way to sign in to the anonymous user.
    public let signIn: SignInModel
    /// The form that signs in to another account; `nil` until ``signInElsewhere()`` creates it.
    public private(set) var otherAccount: SignInModel?
    /// Whether the screen asks the user to confirm the loss of the anonymous account.
    public private(set) var isAskingToSignOut = false
    /// The current activity of the form, and its problems.
    public let form: FormState

    private let context: ModelContext
    private let identityProviders: [IdentityProvider]

    /// Creates the model of the signed-in anonymous user.
    ///
    /// - Parameters:
    ///   - auth: The app's model. An anonymous user must be signed in.
    ///   - identityProviders: The identity providers that the app has configured. Default: none.
    ///   - generateName: A function that suggests a display name. Default: no suggestion.
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

    /// The outcome for the anonymous account; `nil` while the user is anonymous.
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

    /// The identity that could not be added because it belongs to another account.
    ///
    /// The anonymous user is still signed in.
    public var conflict: IdentityConflictStep? { signUp.conflict ?? signIn.conflict ?? context.auth?.conflict }

    /// Whether the screen offers a sign-in to the account that already has the email address or the identity.
    public var offersSignInElsewhere: Bool {
        conflict != nil || (signUp.form.problems + signIn.form.problems).contains { $0.error.code.isConflict }
    }

    /// Creates ``otherAccount``, the form that signs in to the other account.
    ///
    /// If that sign-in succeeds, the anonymous account is lost, so warn the user. Until then, the account stays.
    public func signInElsewhere() {
        guard let auth = context.auth else { return }
        otherAccount = SignInModel(auth, identityProviders: identityProviders, discardingAnonymousUser: true)
    }

    /// Keeps the anonymous account, and closes the form for the other account or the question.
    public func stayAnonymous() {
        otherAccount?.form.cancel()
        otherAccount = nil
        context.auth?.dismissConflict()
        isAskingToSignOut = false
    }

    /// Asks the user to confirm the loss of the anonymous account.
    ///
    /// Continue with ``confirmSignOut()`` or ``stayAnonymous()``. Most apps do not let an anonymous user sign out.
    public func askToSignOut() { isAskingToSignOut = true }

    /// Signs the anonymous user out, so the user loses the account.
    public func confirmSignOut() async {
        guard isAskingToSignOut else { return }
        let client = context.client
        await form.run(.signingOut) { () async throws(AuthError) in try await client.signOut(discardingAnonymousUser: true) }
        isAskingToSignOut = false
    }
}
