public import Lockstep
public import Observation

/// The model of the account screen.
///
/// The user can change the name, the photo, the email address, the password, the identities and the second factors, and
/// can sign out. The screen offers only changes that the provider supports. If a change requires a recent sign-in, the
/// user signs in again (``reauthentication``), and then the model makes the change once.
///
/// ```swift
/// let model = AccountModel(auth, identityProviders: [.apple])
/// model.displayName = "Ada"
/// await model.saveProfile()
/// if let problem = model.form.problem { print(problem.text()) }
/// ```
@MainActor @Observable
public final class AccountModel {
    /// The current activity of the form, and its problems.
    public let form: FormState
    /// The identity providers that the app has configured.
    public let identityProviders: [IdentityProvider]
    /// The screen on which the user signs in again; `nil` if no sign-in is required.
    public internal(set) var reauthentication: ReauthenticationModel?
    /// The conflict of a call that could not add an identity, because another account has it.
    var linkConflict: IdentityConflictStep?
    /// The form with which the user signs in to another account; `nil` until ``signInElsewhere()`` creates it.
    public private(set) var otherAccount: SignInModel?
    /// The latest change, for a message that confirms it.
    ///
    /// If the user must complete a step before the change takes effect, the model sets this value after that step.
    public internal(set) var lastChange: Change?
    /// The user's second factors; `nil` until ``loadFactors()`` has loaded them.
    public internal(set) var factors: [FactorChoice]?
    /// The factor that the user is adding, with the key that the screen shows; `nil` if the user is not adding a factor.
    ///
    /// Meanwhile ``AuthModel/sheet`` asks for the first code.
    public internal(set) var enrolment: FactorEnrolment?

    /// The text in the field for the display name.
    public var displayName: String { didSet { form.edited(.displayName) } }
    /// The text in the field for the URL of the photo.
    public var photoURL: String { didSet { form.edited(.photoURL) } }
    /// The text in the field for the new email address.
    public var newEmail = "" { didSet { form.edited(.email) } }
    /// The text in the field for the phone number of a new second factor.
    public var factorPhone = "" { didSet { form.edited(.phone) } }

    private var typedNew: Secret = ""
    private var typedCurrent: Secret = ""
    let context: ModelContext
    private let advice: PasswordAdvice?
    private var userID: String?

    /// A change of the account.
    ///
    /// `email`: the user has requested a change of the email address. `emailProven`: the user has verified the new
    /// address.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        case profile, password, email, emailProven, identityAdded, identityRemoved, factorAdded, factorRemoved, othersSignedOut
    }

    /// Creates the model with the data of the signed-in user.
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

    /// Starts again with another user: removes all input and unfinished changes of the previous user.
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
        // The screen changes when the user changes.
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
    /// If the field is empty, the backend decides whether it changes the password without the current one.
    public var currentPassword: String {
        get { typedCurrent.reveal() }
        set {
            typedCurrent = Secret(newValue)
            form.edited(.currentPassword)
        }
    }

    /// The strength of the new password; `nil` if the app has no meter or the field is empty.
    public var strength: PasswordStrength? {
        advice.strength(of: typedNew, weakWords: [user?.email, user?.displayName])
    }

    // MARK: Offers

    /// Whether the screen offers to change the display name.
    public var offersName: Bool { context.offers(.displayName) }
    /// Whether the screen offers to change the URL of the photo.
    public var offersPhoto: Bool { context.offers(.photo) }
    /// Whether the screen offers to change the email address.
    public var offersEmailChange: Bool { context.offers(.emailChange) }
    /// Whether the screen offers to change the password.
    public var offersPasswordChange: Bool { context.offers(.passwordChange) }
    /// Whether the screen offers to add and remove second factors.
    public var offersFactors: Bool { context.offers(.factorEnrolment) }
    /// Whether the screen offers to delete the account; see ``DeletionModel``.
    public var offersDeletion: Bool { context.offers(.accountDeletion) }
    /// Whether the screen offers to sign out the user's other devices.
    public var offersSigningOutOthers: Bool { context.offers(.signOutOthers) }
    /// The identities that the user can remove.
    ///
    /// The user cannot remove the last way to sign in.
    public var removableIdentities: [Identity] {
        guard context.offers(.linking), let identities = user?.identities, identities.count > 1 else { return [] }
        return identities
    }
    /// The identity providers that the user can add with the system's dialog.
    public var addableSheetProviders: [IdentityProvider] { addable(.idToken) }
    /// The identity providers that the user can add on the provider's web page.
    public var addablePageProviders: [IdentityProvider] { addable(.oauth) }
    /// Whether to show a button that adds a passkey for sign-in.
    ///
    /// For a passkey as a second factor, see ``canAdd(_:)``.
    public var offersPasskey: Bool { context.linkMethods.contains(.passkey) }

    private func addable(_ way: Capability) -> [IdentityProvider] {
        guard context.linkMethods.contains(way) else { return [] }
        return identityProviders.filter { provider in user?.identities.contains { $0.provider == provider } != true }
    }

    /// Whether the user has changed the name or the photo, so that the save button can be enabled.
    public var canSaveProfile: Bool {
        !form.isBusy && (offersName && displayName != user?.displayName ?? "" || offersPhoto && photoURL != user?.photoURL ?? "")
    }
    /// Whether the button that changes the email address can be enabled.
    public var canChangeEmail: Bool {
        !form.isBusy && offersEmailChange && (try? SensitiveCall.changeEmail(to: newEmail).normalized()) != nil
    }
    /// Whether the button that changes the password can be enabled.
    ///
    /// If the app has a minimum strength, the new password must satisfy it.
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

    // MARK: User actions

    /// Saves the display name and the URL of the photo.
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

    /// Starts a change to ``newEmail``.
    ///
    /// The next screen asks the user to verify the new address. The old address stays valid until then.
    public func changeEmail() async {
        context.update()
        let (client, email) = (context.client, newEmail)
        let wanted = WantedChange(
            change: .email, activity: .sending, fields: [(.email, isBlank: email.isEmpty)], call: .changeEmail(to: email))
        await make(wanted) { () async throws(AuthError) in try await client.account.changeEmail(to: email) }
    }

    /// Sets the new password, or asks the user for a code if the backend requires one.
    public func changePassword() async {
        context.update()
        guard advice.allows(strength) else { return form.show(weakerThan: advice?.minimum, in: [.newPassword]) }
        let (client, new, current) = (context.client, typedNew, typedCurrent)
        let fields = [(FormField.currentPassword, isBlank: false), (.newPassword, isBlank: new.isEmpty)]
        await make(WantedChange(change: .password, activity: .saving, fields: fields, call: passwordChange)) {
            () async throws(AuthError) in
            var step: AuthStep?
            if current.isEmpty {
                step = try await client.account.beginPasswordChange(to: new)
            } else {
                try await client.account.changePassword(to: new, current: current)
            }
            self.forgetPasswords()
            return step
        }
    }

    /// Creates a request for the system's dialog of an identity provider.
    ///
    /// - Parameter provider: The identity provider.
    /// - Returns: The request for the dialog.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Adds the identity that the system's dialog returned.
    ///
    /// - Parameter answer: The result of the dialog.
    public func add(_ answer: IdentityAnswer) async {
        await link(answer.credential, named: "sheet of \(answer.request.provider.rawValue)")
    }

    /// Adds an identity on the provider's web page.
    ///
    /// - Parameter provider: The identity provider.
    public func add(_ provider: IdentityProvider) async { await link(.oauth(provider), named: "page of \(provider.rawValue)") }

    /// Starts to add a passkey.
    ///
    /// Afterwards, the model in ``AuthModel/sheet`` contains the request for the system's dialog
    /// (``VerificationModel/passkeyRequest``).
    public func addPasskey() async { await link(.passkey, named: "passkey") }

    /// Removes an identity.
    ///
    /// - Parameter identity: One of ``removableIdentities``.
    public func remove(_ identity: Identity) async {
        context.update()
        // Another user, without this identity, may have signed in.
        guard user?.identities.contains(where: { $0.id == identity.id }) == true else { return }
        let client = context.client
        await make(WantedChange(change: .identityRemoved, activity: .saving, name: identity.id)) { () async throws(AuthError) in
            try await client.account.unlink(identity)
            return nil
        }
    }

    /// Creates ``otherAccount``, the form for a sign-in to the other account in the ``conflict``.
    ///
    /// The user stays signed in to the current account until that sign-in succeeds.
    public func signInElsewhere() {
        guard let auth = context.auth else { return }
        otherAccount = SignInModel(auth, identityProviders: identityProviders, discardingAnonymousUser: true)
    }

    /// Closes the form for the other account; the user stays in the current account.
    public func stay() {
        otherAccount?.form.cancel()
        (otherAccount, linkConflict) = (nil, nil)
        context.auth?.dismissConflict()
    }

    /// Signs the user out on this device, and ends the current call.
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
