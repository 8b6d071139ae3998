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
    public private(set) var reauthentication: ReauthenticationModel?
    /// An identity that could not be added, because it is another account's.
    public private(set) var conflict: IdentityConflictStep?
    /// What was changed last, for a line that says so.
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

    /// What was changed.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        case profile, password, email, identityAdded, identityRemoved, factorAdded, factorRemoved, othersSignedOut
    }

    /// Begins with the user who is signed in.
    public init(_ auth: AuthModel, identityProviders: [IdentityProvider] = []) {
        context = ModelContext(auth)
        form = context.form()
        advice = auth.passwordAdvice
        self.identityProviders = identityProviders
        displayName = auth.client.state.session?.user.displayName ?? ""
        photoURL = auth.client.state.session?.user.photoURL ?? ""
    }

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

    private var passwordChange: SensitiveCall {
        .changePassword(to: typedNew, current: typedCurrent.isEmpty ? nil : typedCurrent)
    }

    // MARK: What the user does

    /// Stores name and photo.
    public func saveProfile() async {
        let client = context.client
        let name = offersName && displayName != user?.displayName ?? "" ? displayName : nil
        let photo = offersPhoto && photoURL != user?.photoURL ?? "" ? photoURL : nil
        await change(.profile, .saving, [(.displayName, displayName.isEmpty), (.photoURL, photoURL.isEmpty)]) {
            () async throws(AuthError) in
            _ = try await client.account.update(displayName: name, photoURL: photo)
        }
    }

    /// Asks for the proof of the new address, which the next screen takes; until it is given the old address stays.
    public func changeEmail() async {
        let (client, email) = (context.client, newEmail)
        await change(.email, .sending, [(.email, email.isEmpty)], call: .changeEmail(to: email)) { () async throws(AuthError) in
            _ = try await client.account.changeEmail(to: email)
        }
    }

    /// Sets the new password; where the backend wants a code for it, that is the next screen.
    public func changePassword() async {
        guard advice.allows(strength) else { return }
        let (client, new, current) = (context.client, typedNew, typedCurrent)
        let fields = [(FormField.currentPassword, false), (.newPassword, new.isEmpty)]
        await change(.password, .saving, fields, call: passwordChange) { () async throws(AuthError) in
            if current.isEmpty {
                _ = try await client.account.beginPasswordChange(to: new)
            } else {
                try await client.account.changePassword(to: new, current: current)
            }
            self.typedNew = ""
            self.typedCurrent = ""
        }
    }

    /// What the platform's sheet of a provider is asked for.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Adds the identity that the platform's sheet has given.
    public func add(_ answer: IdentityAnswer) async { await link(answer.credential) }

    /// Adds an identity at the provider's page.
    public func add(_ provider: IdentityProvider) async { await link(.oauth(provider)) }

    /// Removes an identity.
    public func remove(_ identity: Identity) async {
        let client = context.client
        await change(.identityRemoved, .saving) { () async throws(AuthError) in try await client.account.unlink(identity) }
    }

    /// Signs out on this device.
    public func signOut() async {
        let client = context.client
        await form.run(.signingOut) { () async throws(AuthError) in try await client.signOut() }
    }

    /// Signs the user's other devices out.
    public func signOutOthers() async {
        let client = context.client
        await change(.othersSignedOut, .signingOut) { () async throws(AuthError) in try await client.signOut(.others) }
    }

    private func link<C: Credential>(_ credential: C) async {
        let client = context.client
        conflict = nil
        await change(.identityAdded, .saving) { () async throws(AuthError) in
            let step = try await client.account.link(credential)
            if case .identityConflict(let conflict) = step { self.conflict = conflict }
        }
        if conflict != nil { lastChange = nil }
    }

    /// Makes a change; where the sign-in is too old for it, asks the user to sign in again, and goes on then.
    func change(
        _ change: Change, _ activity: Activity, _ fields: [(FormField, isBlank: Bool)] = [], call: SensitiveCall? = nil,
        _ body: @escaping @MainActor () async throws(AuthError) -> Void
    ) async {
        lastChange = nil
        reauthentication = nil
        let isMade = await form.run(activity, fields) { () async throws(AuthError) in
            do throws(AuthError) {
                try await body()
            } catch {
                guard error.code == .reauthenticationRequired, let auth = self.context.auth else { throw error }
                self.askToSignInAgain(auth, error, change, fields.map(\.0), call)
            }
        }
        if isMade, reauthentication == nil { lastChange = change }
    }

    private func askToSignInAgain(
        _ auth: AuthModel, _ error: AuthError, _ change: Change, _ fields: [FormField], _ call: SensitiveCall?
    ) {
        reauthentication = ReauthenticationModel(auth, ways: error.waysToReauthenticate, call: call) { [weak self] error in
            guard let self else { return }
            self.reauthentication = nil
            if let error {
                self.form.show(error, in: fields)
            } else if call != nil {
                self.lastChange = change
                self.typedNew = ""
                self.typedCurrent = ""
            }
        }
    }

    /// Leaves the sign-in that a change has asked for: the change is not made.
    public func leaveReauthentication() async {
        await reauthentication?.leave()
        reauthentication = nil
    }
}
