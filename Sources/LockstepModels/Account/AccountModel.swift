public import Lockstep
public import Observation

/// The screen of the account: name, photo, address, password, identities, second factors, sign-out.
///
/// What the provider cannot do is not offered. A change that is let through only soon after a sign-in asks for one
/// (``reauthentication``) and goes on afterwards, once.
@MainActor @Observable
public final class AccountModel {
    /// What is under way, and what went wrong.
    public let form: FormState
    /// The identity providers that the app has set up.
    public let identityProviders: [IdentityProvider]
    /// The screen on which the user signs in again; `nil` where that is not asked for.
    public internal(set) var reauthentication: ReauthenticationModel?
    /// An identity that could not be added by the call itself, because it is another account's.
    var linkConflict: IdentityConflictStep?
    /// The form that signs in to the other account: it appears with ``signInElsewhere()``.
    public private(set) var otherAccount: SignInModel?
    /// What was changed last, for a line that says so; where a step has to be answered first, it is said when that is done.
    public internal(set) var lastChange: Change?
    /// The user's second factors, once they are loaded.
    public internal(set) var factors: [FactorChoice]?
    /// A factor that is being added, with the key to show; its code is asked for by ``AuthModel/sheet``.
    public internal(set) var enrolment: FactorEnrolment?

    /// The name to show.
    public var displayName: String { didSet { form.edited(.displayName) } }
    /// The address of the photo.
    public var photoURL: String { didSet { form.edited(.photoURL) } }
    /// The new address.
    public var newEmail = "" { didSet { form.edited(.email) } }
    /// The number of a phone that is to be a second factor.
    public var factorPhone = "" { didSet { form.edited(.phone) } }

    private var typedNew: Secret = ""
    private var typedCurrent: Secret = ""
    let context: ModelContext
    private let advice: PasswordAdvice?
    private var userID: String?

    /// What was changed; `email` is asked for, and `emailProven` is so.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        case profile, password, email, emailProven, identityAdded, identityRemoved, factorAdded, factorRemoved, othersSignedOut
    }

    /// Begins with the user who is signed in.
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

    /// The user.
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

    /// The current password, as the user types it; empty where the backend is to decide whether the session is enough.
    public var currentPassword: String {
        get { typedCurrent.reveal() }
        set {
            typedCurrent = Secret(newValue)
            form.edited(.currentPassword)
        }
    }

    /// How strong the new password is; `nil` without a meter, and where nothing is typed.
    public var strength: PasswordStrength? {
        advice.strength(of: typedNew, weakWords: [user?.email, user?.displayName])
    }

    // MARK: What to offer

    /// Whether the name can be changed.
    public var offersName: Bool { context.offers(.displayName) }
    /// Whether the photo can be changed.
    public var offersPhoto: Bool { context.offers(.photo) }
    /// Whether the address can be changed.
    public var offersEmailChange: Bool { context.offers(.emailChange) }
    /// Whether the password can be changed.
    public var offersPasswordChange: Bool { context.offers(.passwordChange) }
    /// Whether second factors can be added and removed.
    public var offersFactors: Bool { context.offers(.factorEnrolment) }
    /// Whether users may delete their accounts; see ``DeletionModel``.
    public var offersDeletion: Bool { context.offers(.accountDeletion) }
    /// Whether the user's other devices can be signed out.
    public var offersSigningOutOthers: Bool { context.offers(.signOutOthers) }
    /// The identities that can be removed: none where it would be the last way to sign in.
    public var removableIdentities: [Identity] {
        guard context.offers(.linking), let identities = user?.identities, identities.count > 1 else { return [] }
        return identities
    }
    /// The providers that can be added by the platform's own sheet.
    public var addableSheetProviders: [IdentityProvider] { addable(.idToken) }
    /// The providers that can be added at their page.
    public var addablePageProviders: [IdentityProvider] { addable(.oauth) }
    /// Whether to show a button that adds a passkey to sign in by; one as a second factor is ``canAdd(_:)``'s.
    public var offersPasskey: Bool { context.waysToLink.contains(.passkey) }

    private func addable(_ way: Capability) -> [IdentityProvider] {
        guard context.waysToLink.contains(way) else { return [] }
        return identityProviders.filter { provider in user?.identities.contains { $0.provider == provider } != true }
    }

    /// Whether name or photo are others than the user's.
    public var canSaveProfile: Bool {
        !form.isBusy && (offersName && displayName != user?.displayName ?? "" || offersPhoto && photoURL != user?.photoURL ?? "")
    }
    /// Whether the client would ask for the proof of the new address.
    public var canChangeEmail: Bool {
        !form.isBusy && offersEmailChange && (try? SensitiveCall.changeEmail(to: newEmail).normalized()) != nil
    }
    /// Whether the client would send the new password; and the app's own minimum of strength, where it has one.
    public var canChangePassword: Bool {
        !form.isBusy && offersPasswordChange && advice.allows(strength) && (try? passwordChange.normalized()) != nil
    }

    /// The identity that could not be added, because it is another account's; the user is still signed in.
    public var conflict: IdentityConflictStep? { linkConflict ?? context.auth?.conflict }

    private var passwordChange: SensitiveCall {
        .changePassword(to: typedNew, current: typedCurrent.isEmpty ? nil : typedCurrent)
    }

    // MARK: What the user does

    /// Stores name and photo.
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

    /// Asks for the proof of the new address, which the next screen takes; until it is given the old address stays.
    public func changeEmail() async {
        context.update()
        let (client, email) = (context.client, newEmail)
        let wanted = WantedChange(
            change: .email, activity: .sending, fields: [(.email, isBlank: email.isEmpty)], call: .changeEmail(to: email))
        await make(wanted) { () async throws(AuthError) in try await client.account.changeEmail(to: email) }
    }

    /// Sets the new password; where the backend wants a code for it, that is the next screen.
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

    /// What the platform's sheet of a provider is asked for.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Adds the identity that the platform's sheet has given.
    public func add(_ answer: IdentityAnswer) async {
        await link(answer.credential, named: "sheet of \(answer.request.provider.rawValue)")
    }

    /// Adds an identity at the provider's page.
    public func add(_ provider: IdentityProvider) async { await link(.oauth(provider), named: "page of \(provider.rawValue)") }

    /// Begins to add a passkey: ``AuthModel/sheet`` has what the platform's sheet is asked for (``VerificationModel/passkeyRequest``).
    public func addPasskey() async { await link(.passkey, named: "passkey") }

    /// Removes an identity.
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

    /// Shows the form that signs in to the account of the ``conflict``; this one stays until that has succeeded.
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

    /// Signs out on this device; what is under way is ended.
    public func signOut() async {
        let client = context.client
        await form.run(.signingOut, endsOthers: true) { () async throws(AuthError) in try await client.signOut() }
    }

    /// Signs the user's other devices out.
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
