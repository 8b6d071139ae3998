/// The behavior that an adapter declares where providers rightly differ.
///
/// Much of it depends on a project's settings and not on the provider, so a harness states it for each of its variants. The
/// contract suite checks that every statement is true, and `lockstep compare` prints it.
public struct ProviderBehavior: Sendable, Hashable {
    /// What a sign-up by password asks for.
    public enum SignUpProof: String, Sendable, CaseIterable { case required, automatic }
    /// What a sign-up reveals about an address that has an account.
    public enum KnownAddress: String, Sendable, CaseIterable { case sameAsNew, refused }
    /// What a call reveals about an address that has no account.
    public enum UnknownAddress: String, Sendable, CaseIterable { case likeKnown, told, createsAccount }
    /// What happens to the older proof after a newer one was sent.
    public enum OlderProof: String, Sendable, CaseIterable { case dies, lives }
    /// What opening a link again does after it has worked.
    public enum UsedLink: String, Sendable, CaseIterable { case refused, sameSession }
    /// What a ticket is good for after it has signed in.
    public enum UsedTicket: String, Sendable, CaseIterable { case refused, taken }
    /// What a mail scanner that loads a link does to it.
    public enum ScannedLink: String, Sendable, CaseIterable { case stays, spent }
    /// Whether a password sign-in on an unknown device asks for more.
    public enum NewDevice: String, Sendable, CaseIterable { case trusted, asksForCode }
    /// Who refuses the callback of a round trip that another flow has begun.
    public enum ForeignCallback: String, Sendable, CaseIterable { case refusedByClient, refusedByBackend }
    /// Whose ID tokens pass the nonce check.
    public enum Nonce: String, Sendable, CaseIterable { case required, checkedWhenPresent, ignored }
    /// Which of a session's tokens a call shows.
    public enum ShownToken: String, Sendable, CaseIterable { case accessToken, refreshToken }
    /// What happens to a token after its session was signed out.
    public enum TokenAfterSignOut: String, Sendable, CaseIterable { case dies, livesUntilExpiry, lives }
    /// Which password opens an account that was signed up twice before its proof.
    public enum UnprovenPassword: String, Sendable, CaseIterable { case first, latest }
    /// What becomes of an address that an identity provider has not verified.
    public enum UnverifiedAddress: String, Sendable, CaseIterable { case staysUnproven, countsAsProven }
    /// Whether a call that changes how the user signs in wants a new sign-in first, where the last one is long ago.
    public enum OldSession: String, Sendable, CaseIterable { case asksAgain, goesOn }
    /// How many authenticator apps a user can have.
    public enum AppCount: String, Sendable, CaseIterable { case several, one }
    /// What a session is worth in which its user has added a second factor.
    public enum AddedFactor: String, Sendable, CaseIterable { case countsAtOnce, countsFromTheNextSignIn }
    /// Whether a list of passkeys says when each last signed in.
    public enum PasskeyUse: String, Sendable, CaseIterable { case told, untold }
    /// Which calls a project asks a captcha for, where it does.
    public enum CaptchaCalls: String, Sendable, CaseIterable { case signUp, everyEntry }
    /// Whether a new password is set without the current one.
    public enum CurrentPassword: String, Sendable, CaseIterable { case optional, required }
    /// The effect of the next refresh on a session: the reason with which it ends, or none.
    public enum NextRefresh: String, Sendable, CaseIterable {
        case userDeleted, userDisabled, revoked, credentialChanged, refreshReuse, goesOn

        /// The reason; `nil` where the session goes on.
        public var reason: SignOutReason? { SignOutReason(rawValue: rawValue) }
    }

    /// What a sign-up by password asks for.
    public var signUpProof: SignUpProof
    /// Signing up with a confirmed address.
    public var knownAddressAtSignUp: KnownAddress
    /// Signing in by password with an unknown address.
    public var unknownAddressAtSignIn: UnknownAddress
    /// Asking for a sign-in link with an unknown address.
    public var unknownAddressAtLink: UnknownAddress
    /// Asking for a sign-in link or code that may make no account (`createsAccount: false`) with an unknown address.
    public var unknownAddressWithoutAccount: UnknownAddress
    /// Asking for a password reset with an unknown address.
    public var unknownAddressAtReset: UnknownAddress
    /// The older proof after a resend.
    public var olderProofAfterResend: OlderProof
    /// A confirmation link opened again.
    public var usedLink: UsedLink
    /// A ticket that has signed its user in, until it ends.
    public var usedTicket: UsedTicket
    /// A password sign-in on a new device.
    public var newDevice: NewDevice
    /// The callback of another flow's round trip, while an own one waits.
    public var callbackOfAnotherFlow: ForeignCallback
    /// ID tokens and nonces.
    public var nonce: Nonce
    /// The token that the client's own calls send to the backend: to read, to change, and to sign out.
    public var tokenOfCalls: ShownToken
    /// The access token after a local sign-out, checked at the backend itself.
    public var accessTokenAfterSignOut: TokenAfterSignOut
    /// The refresh token after a local sign-out.
    public var refreshTokenAfterSignOut: TokenAfterSignOut
    /// A session whose user an administrator has deleted.
    public var sessionOfDeletedUser: NextRefresh
    /// A session whose user an administrator has disabled.
    public var sessionOfDisabledUser: NextRefresh
    /// A session that an administrator has ended.
    public var endedSession: NextRefresh
    /// A session whose user was given another password by an administrator.
    public var sessionAfterNewPassword: NextRefresh
    /// Another session of a user who has replaced a forgotten password.
    public var sessionAfterReset: NextRefresh
    /// A confirmation link that a mail scanner has loaded.
    public var scannedLink: ScannedLink
    /// A session whose only refresh token was used long ago by another client.
    public var sessionWithSpentToken: NextRefresh
    /// A session whose refresh was done by the backend, and whose answer was lost.
    public var sessionAfterLostRefresh: NextRefresh
    /// A user's other sessions after the user has changed the password on one device.
    public var sessionsAfterPasswordChange: NextRefresh
    /// The session that has changed its user's address.
    public var sessionAfterAddressChange: NextRefresh
    /// Changing the address to one that another account has.
    public var takenAddressAtChange: KnownAddress

    /// The password of an account whose address was signed up again, with another password, before it was proven.
    public var passwordOfUnprovenAccount: UnprovenPassword
    /// The address of an ID token that says of it that it is not verified.
    public var unverifiedAddressOfIDToken: UnverifiedAddress
    /// A change of the password, with the current one, on a session whose sign-in is long ago.
    public var passwordChangeOnOldSession: OldSession
    /// The authenticator apps that a user can add.
    public var authenticatorApps: AppCount
    /// The session in which a user has added a second factor, by its first right code.
    public var addedFactor: AddedFactor
    /// The time of a passkey's last sign-in (``Passkey/lastUsedAt``).
    public var passkeyUse: PasskeyUse
    /// The current password at a change of the password, of a user who has one.
    public var currentPassword: CurrentPassword
    /// What a project that has captchas asks one for: sign-ups; or sign-ins by password and messages as well.
    public var captcha: CaptchaCalls

    /// The strictest behavior; adapters change what differs.
    public init(
        signUpProof: SignUpProof = .required, knownAddressAtSignUp: KnownAddress = .sameAsNew,
        unknownAddressAtSignIn: UnknownAddress = .likeKnown, unknownAddressAtLink: UnknownAddress = .likeKnown,
        unknownAddressWithoutAccount: UnknownAddress = .likeKnown,
        unknownAddressAtReset: UnknownAddress = .likeKnown, olderProofAfterResend: OlderProof = .dies,
        usedLink: UsedLink = .refused, usedTicket: UsedTicket = .refused,
        newDevice: NewDevice = .trusted, callbackOfAnotherFlow: ForeignCallback = .refusedByClient, nonce: Nonce = .required,
        tokenOfCalls: ShownToken = .accessToken,
        accessTokenAfterSignOut: TokenAfterSignOut = .dies,
        refreshTokenAfterSignOut: TokenAfterSignOut = .dies, sessionOfDeletedUser: NextRefresh = .userDeleted,
        sessionOfDisabledUser: NextRefresh = .userDisabled, endedSession: NextRefresh = .revoked,
        sessionAfterNewPassword: NextRefresh = .credentialChanged, sessionWithSpentToken: NextRefresh = .refreshReuse,
        sessionAfterLostRefresh: NextRefresh = .refreshReuse, sessionsAfterPasswordChange: NextRefresh = .credentialChanged,
        sessionAfterAddressChange: NextRefresh = .goesOn, takenAddressAtChange: KnownAddress = .refused,
        sessionAfterReset: NextRefresh = .credentialChanged, scannedLink: ScannedLink = .stays,
        passwordOfUnprovenAccount: UnprovenPassword = .latest,
        unverifiedAddressOfIDToken: UnverifiedAddress = .staysUnproven, passwordChangeOnOldSession: OldSession = .asksAgain,
        authenticatorApps: AppCount = .several,
        addedFactor: AddedFactor = .countsAtOnce, passkeyUse: PasskeyUse = .told, currentPassword: CurrentPassword = .optional,
        captcha: CaptchaCalls = .everyEntry
    ) {
        self.signUpProof = signUpProof
        self.knownAddressAtSignUp = knownAddressAtSignUp
        self.unknownAddressAtSignIn = unknownAddressAtSignIn
        self.unknownAddressAtLink = unknownAddressAtLink
        self.unknownAddressWithoutAccount = unknownAddressWithoutAccount
        self.unknownAddressAtReset = unknownAddressAtReset
        self.olderProofAfterResend = olderProofAfterResend
        self.usedLink = usedLink
        self.usedTicket = usedTicket
        self.newDevice = newDevice
        self.callbackOfAnotherFlow = callbackOfAnotherFlow
        self.nonce = nonce
        self.tokenOfCalls = tokenOfCalls
        self.accessTokenAfterSignOut = accessTokenAfterSignOut
        self.refreshTokenAfterSignOut = refreshTokenAfterSignOut
        self.sessionOfDeletedUser = sessionOfDeletedUser
        self.sessionOfDisabledUser = sessionOfDisabledUser
        self.endedSession = endedSession
        self.sessionAfterNewPassword = sessionAfterNewPassword
        self.sessionWithSpentToken = sessionWithSpentToken
        self.sessionAfterLostRefresh = sessionAfterLostRefresh
        self.sessionsAfterPasswordChange = sessionsAfterPasswordChange
        self.sessionAfterAddressChange = sessionAfterAddressChange
        self.takenAddressAtChange = takenAddressAtChange
        self.sessionAfterReset = sessionAfterReset
        self.scannedLink = scannedLink
        self.passwordOfUnprovenAccount = passwordOfUnprovenAccount
        self.unverifiedAddressOfIDToken = unverifiedAddressOfIDToken
        self.passwordChangeOnOldSession = passwordChangeOnOldSession
        self.authenticatorApps = authenticatorApps
        self.addedFactor = addedFactor
        self.passkeyUse = passkeyUse
        self.currentPassword = currentPassword
        self.captcha = captcha
    }

    /// Every statement by the name of what it is about, in the order of declaration, for reports.
    ///
    /// Read from the stored properties themselves, so that a report cannot leave out one that is added.
    public var statements: [(name: String, value: String)] {
        Mirror(reflecting: self).children.compactMap { child in
            child.label.map { ($0, (child.value as? any RawRepresentable<String>)?.rawValue ?? String(describing: child.value)) }
        }
    }
}
