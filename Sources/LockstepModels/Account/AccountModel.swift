public import Lockstep
public import Observation

/// The account screen: name, photo, email address, password, identities, second factors, sign-out.
///
/// It offers only what the provider supports. If a change requires a recent sign-in, the user signs in again
/// (``reauthentication``). Then the model makes the change, once.
///
/// ```swift
/// let model = AccountModel(auth, identityProviders: [.apple])
/// model.displayName = "Ada"
/// await model.saveProfile()
/// if let problem = model.form.problem { print(problem.text()) }
/// ```
@MainActor @Observable
public final class AccountModel {
    /// The current activity and the problems of the form.
    public let form: FormState
    /// The identity providers that the app has configured.
    public let identityProviders: [IdentityProvider]
    /// The screen on which the user signs in again; `nil` if no sign-in is required.
    public internal(set) var reauthentication: ReauthenticationModel?
    /// An identity that could not be added by the call itself, because it is another account's.
    var linkConflict: IdentityConflictStep?
    /// The form that signs in to the other account.
    ///
    /// ``signInElsewhere()`` creates it.
    public private(set) var otherAccount: SignInModel?
    /// The latest change, for a confirmation message.
    ///
    /// If the change has a step to complete first, it is set after that step.
    public internal(set) var lastChange: Change?
    /// The user's second factors; `nil` until they are loaded.
    public internal(set) var factors: [FactorChoice]?
    /// The factor that is being added, with the key to show.
    ///
    /// ``AuthModel/sheet`` asks for its code.
    public internal(set) var enrolment: FactorEnrolment?

    /// The display name.
    public var displayName: String { didSet { form.edited(.displayName) } }
    /// The URL of the photo.
    public var photoURL: String { didSet { form.edited(.photoURL) } }
    /// The new email address.
    public var newEmail = "" { didSet { form.edited(.email) } }
    /// The phone number for a new second factor.
    public var factorPhone = "" { didSet { form.edited(.phone) } }

    private var typedNew: Secret = ""
    private var typedCurrent: Secret = ""
    let context: ModelContext
    private let advice: PasswordAdvice?
    private var userID: String?

    /// A change of the account.
    ///
    /// `email` means that it was requested, and `emailProven` that the new address is verified.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        case profile, password, email, emailProven, identityAdded, identityRemoved, factorAdded, factorRemoved, othersSignedOut
    }

    /// Creates the screen with the data of the signed-in user.
    ///
    /// - Parameters:
    ///   - auth: The app's model.
    ///   - identityProviders: The identity providers that the app has configured. Default: none.
    public init(_ auth: AuthModel, identityProviders: [IdentityProvider] = []) {
        context = ModelContext(auth)
        form = context.form(isDoneByOne: false)
        advice = auth.passwordAdvice
        self.identityProviders = identityProviders
        let user = auth.client.state.session?.user
        displayName = user?.displayName ?? ""
        photoURL = user?.photoURL ?? ""
        userID = user?.id
        auth.followUser(self) { [weak self] id in self?.begin(for: id) }
    }

    /// Begins anew with another user: nothing that the first one has typed or begun is left.
    private func begin(for id: String) {
        guard id != userID else { return }
        userID = id
        form.cancel()
        form.forget()
        reauthentication?.stop()
        let user = context.client.state.session?.user
        (displayName, photoURL) = (user?.displayName ?? "", user?.photoURL ?? "")
        (newEmail, factorPhone) = ("", "")
        forgetPasswords()
        (factors, enrolment, lastChange, linkConflict, otherAccount) = (nil, nil, nil, nil, nil)
    }

    func forgetPasswords() { (typedNew, typedCurrent) = ("", "") }

    /// The signed-in user.
    public var user: User? {
        // The screen changes with the user.
        context.auth?.screen.session?.user ?? context.client.state.session?.user
    }

    /// The new password, as the user types it.
    public var newPassword: String {
        get { typedNew.reveal() }
        set {
            typedNew = Secret(newValue)
            form.edited(.newPassword)
        }
    }

    /// The current password, as the user types it.
    ///
    /// If it is empty, the backend decides whether the session is sufficient.
    public var currentPassword: String {
        get { typedCurrent.reveal() }
        set {
            typedCurrent = Secret(newValue)
            form.edited(.currentPassword)
        }
    }

    /// The strength of the new password; `nil` if there is no meter or if the field is empty.
    public var strength: PasswordStrength? {
        advice.strength(of: typedNew, weakWords: [user?.email, user?.displayName])
    }

    // MARK: What to offer

    /// Whether the name can be changed.
    public var offersName: Bool { context.offers(.displayName) }
    /// Whether the photo can be changed.
    public var offersPhoto: Bool { context.offers(.photo) }
    /// Whether the email address can be changed.
    public var offersEmailChange: Bool { context.offers(.emailChange) }
    /// Whether the password can be changed.
    public var offersPasswordChange: Bool { context.offers(.passwordChange) }
    /// Whether second factors can be added and removed.
    public var offersFactors: Bool { context.offers(.factorEnrolment) }
    /// Whether users can delete their accounts; see ``DeletionModel``.
    public var offersDeletion: Bool { context.offers(.accountDeletion) }
    /// Whether the user's other devices can be signed out.
    public var offersSigningOutOthers: Bool { context.offers(.signOutOthers) }
    /// The identities that can be removed.
    ///
    /// The last way to sign in cannot be removed.
    public var removableIdentities: [Identity] {
        guard context.offers(.linking), let identities = user?.identities, identities.count > 1 else { return [] }
        return identities
    }
    /// The providers that can be added with the system dialog.
    public var addableSheetProviders: [IdentityProvider] { addable(.idToken) }
    /// The providers that can be added on their web page.
    public var addablePageProviders: [IdentityProvider] { addable(.oauth) }
    /// Whether to show a button that adds a passkey for sign-in.
    ///
    /// For a passkey as a second factor, see ``canAdd(_:)``.
    public var offersPasskey: Bool { context.waysToLink.contains(.passkey) }

    private func addable(_ way: Capability) -> [IdentityProvider] {
        guard context.waysToLink.contains(way) else { return [] }
        return identityProviders.filter { provider in user?.identities.contains { $0.provider == provider } != true }
    }

    /// Whether the name or the photo was edited.
    public var canSaveProfile: Bool {
        !form.isBusy && (offersName && displayName != user?.displayName ?? "" || offersPhoto && photoURL != user?.photoURL ?? "")
    }
    /// Whether the change of the email address can be requested.
    public var canChangeEmail: Bool {
        !form.isBusy && offersEmailChange && (try? SensitiveCall.changeEmail(to: newEmail).normalized()) != nil
    }
    /// Whether the new password can be sent, and satisfies the app's minimum strength if there is one.
    public var canChangePassword: Bool {
        !form.isBusy && offersPasswordChange && advice.allows(strength) && (try? passwordChange.normalized()) != nil
    }

    /// The identity that could not be added because it belongs to another account.
    ///
    /// The user is still signed in.
    public var conflict: IdentityConflictStep? { linkConflict ?? context.auth?.conflict }

    private var passwordChange: SensitiveCall {
        .changePassword(to: typedNew, current: typedCurrent.isEmpty ? nil : typedCurrent)
    }

    // MARK: What the user does

    /// Saves name and photo.
    public func saveProfile() async {
        context.update()
        let client = context.client
        let name = offersName && displayName != user?.displayName ?? "" ? displayName : nil
        let photo = offersPhoto && photoURL != user?.photoURL ?? "" ? photoURL : nil
        let fields = [(FormField.displayName, isBlank: displayName.isEmpty), (.photoURL, isBlank: photoURL.isEmpty)]
        await make(WantedChange(change: .profile, activity: .saving, fields: fields)) { () async throws(AuthError) in
            _ = try await client.account.update(displayName: name, photoURL: photo)
            return nil
        }
    }

    /// Requests a change of the email address.
    ///
    /// The next screen asks for the verification; until then, the old address stays.
    public func changeEmail() async {
        context.update()
        let (client, email) = (context.client, newEmail)
        let wanted = WantedChange(
            change: .email, activity: .sending, fields: [(.email, isBlank: email.isEmpty)], call: .changeEmail(to: email))
        await make(wanted) { () async throws(AuthError) in try await client.account.changeEmail(to: email) }
    }

    /// Sets the new password.
    ///
    /// If the backend requires a code for it, the next screen asks for the code.
    public func changePassword() async {
        context.update()
        guard advice.allows(strength) else { return form.show(weakerThan: advice?.minimum, in: [.newPassword]) }
        let (client, new, current) = (context.client, typedNew, typedCurrent)
        let fields = [(FormField.currentPassword, isBlank: false), (.newPassword, isBlank: new.isEmpty)]
        await make(WantedChange(change: .password, activity: .saving, fields: fields, call: passwordChange)) {
            () async throws(AuthError) in
            var step: SignInStep?
            if current.isEmpty {
                step = try await client.account.beginPasswordChange(to: new)
            } else {
                try await client.account.changePassword(to: new, current: current)
            }
            self.forgetPasswords()
            return step
        }
    }

    /// Creates the request for the system dialog of a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The request.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Adds the identity that the system dialog returned.
    ///
    /// - Parameter answer: The result of the dialog.
    public func add(_ answer: IdentityAnswer) async {
        await link(answer.credential, named: "sheet of \(answer.request.provider.rawValue)")
    }

    /// Adds an identity on the provider's web page.
    ///
    /// - Parameter provider: The provider.
    public func add(_ provider: IdentityProvider) async { await link(.oauth(provider), named: "page of \(provider.rawValue)") }

    /// Starts to add a passkey.
    ///
    /// ``AuthModel/sheet`` has the request for the system dialog (``VerificationModel/passkeyRequest``).
    public func addPasskey() async { await link(.passkey, named: "passkey") }

    /// Removes an identity.
    ///
    /// - Parameter identity: The identity.
    public func remove(_ identity: Identity) async {
        context.update()
        // Another user may have come, who has it not.
        guard user?.identities.contains(where: { $0.id == identity.id }) == true else { return }
        let client = context.client
        await make(WantedChange(change: .identityRemoved, activity: .saving, name: identity.id)) { () async throws(AuthError) in
            try await client.account.unlink(identity)
            return nil
        }
    }

    /// Shows the form that signs in to the account of the ``conflict``.
    ///
    /// The user stays signed in here until that sign-in succeeds.
    public func signInElsewhere() {
        guard let auth = context.auth else { return }
        otherAccount = SignInModel(auth, identityProviders: identityProviders, discardingAnonymousUser: true)
    }

    /// Stays in this account.
    public func stay() {
        otherAccount?.form.cancel()
        (otherAccount, linkConflict) = (nil, nil)
        context.auth?.dismissConflict()
    }

    /// Signs out on this device and ends the current call.
    public func signOut() async {
        let client = context.client
        await form.run(.signingOut, endsOthers: true) { () async throws(AuthError) in try await client.signOut() }
    }

    /// Signs the user out on all other devices.
    public func signOutOthers() async {
        let client = context.client
        await make(WantedChange(change: .othersSignedOut, activity: .signingOut)) { () async throws(AuthError) in
            try await client.signOut(.others)
            return nil
        }
    }

    private func link<C: Credential>(_ credential: C, named name: String) async {
        let client = context.client
        context.update()
        context.auth?.dismissConflict()
        await make(WantedChange(change: .identityAdded, activity: .saving, name: name)) { () async throws(AuthError) in
            self.linkConflict = nil
            return try await client.account.link(credential)
        }
    }
}
