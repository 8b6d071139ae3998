/// The behavior that an adapter declares where providers legitimately differ.
///
/// Much of it depends on a project's settings, so a harness declares it for each of its variants. The contract suite
/// checks every statement, and `lockstep compare` prints it.
public struct ProviderBehavior: Sendable, Hashable {
    /// The verification that a sign-up with a password requires.
    public enum SignUpProof: String, Sendable, CaseIterable { case required, automatic }
    /// The information that a sign-up reveals about an email address that has an account.
    public enum KnownAddress: String, Sendable, CaseIterable { case sameAsNew, refused }
    /// The information that a call reveals about an email address that has no account.
    public enum UnknownAddress: String, Sendable, CaseIterable { case likeKnown, told, createsAccount }
    /// The state of an older code or link after a newer one was sent.
    public enum OlderProof: String, Sendable, CaseIterable { case dies, lives }
    /// The result of opening a link again after it has worked.
    public enum UsedLink: String, Sendable, CaseIterable { case refused, sameSession }
    /// The state of a ticket after it was used to sign in.
    public enum UsedTicket: String, Sendable, CaseIterable { case refused, taken }
    /// The effect of a mail scanner that loads a link.
    public enum ScannedLink: String, Sendable, CaseIterable { case stays, spent }
    /// Whether a password sign-in on an unknown device requires more.
    public enum NewDevice: String, Sendable, CaseIterable { case trusted, asksForCode }
    /// The component that rejects a callback of another flow's redirect.
    public enum ForeignCallback: String, Sendable, CaseIterable { case refusedByClient, refusedByBackend }
    /// The identity providers whose ID tokens pass the nonce check.
    public enum Nonce: String, Sendable, CaseIterable { case required, checkedWhenPresent, ignored }
    /// The token of a session that a call sends.
    public enum ShownToken: String, Sendable, CaseIterable { case accessToken, refreshToken }
    /// The state of a token after its session was signed out.
    public enum TokenAfterSignOut: String, Sendable, CaseIterable { case dies, livesUntilExpiry, lives }
    /// The password of an account that was signed up twice before the verification.
    public enum UnprovenPassword: String, Sendable, CaseIterable { case first, latest }
    /// The treatment of an email address that an identity provider has not verified.
    public enum UnverifiedAddress: String, Sendable, CaseIterable { case staysUnproven, countsAsProven }
    /// Whether a call that changes the ways to sign in requires a new sign-in if the last one is old.
    public enum OldSession: String, Sendable, CaseIterable { case asksAgain, goesOn }
    /// The number of authenticator apps that a user can have.
    public enum AppCount: String, Sendable, CaseIterable { case several, one }
    /// The assurance level of a session right after its user added a second factor.
    public enum AddedFactor: String, Sendable, CaseIterable { case countsAtOnce, countsFromTheNextSignIn }
    /// Whether a list of passkeys contains the time of each one's last sign-in.
    public enum PasskeyUse: String, Sendable, CaseIterable { case told, untold }
    /// The calls for which a project with captchas requires one.
    public enum CaptchaCalls: String, Sendable, CaseIterable { case signUp, everyEntry }
    /// Whether a new password can be set without the current one.
    public enum CurrentPassword: String, Sendable, CaseIterable { case optional, required }
    /// The effect of the next refresh on a session: the reason with which it ends, or none.
    public enum NextRefresh: String, Sendable, CaseIterable {
        case userDeleted, userDisabled, revoked, credentialChanged, refreshReuse, goesOn

        /// The reason; `nil` if the session continues.
        public var reason: SignOutReason? { SignOutReason(rawValue: rawValue) }
    }

    /// The verification that a sign-up with a password requires.
    public var signUpProof: SignUpProof
    /// Sign-up with a verified email address.
    public var knownAddressAtSignUp: KnownAddress
    /// Sign-in by password with an unknown email address.
    public var unknownAddressAtSignIn: UnknownAddress
    /// Request for a sign-in link with an unknown email address.
    public var unknownAddressAtLink: UnknownAddress
    /// Request for a sign-in link or code with an unknown email address, if no account may be created
    /// (`createsAccount: false`).
    public var unknownAddressWithoutAccount: UnknownAddress
    /// Request for a password reset with an unknown email address.
    public var unknownAddressAtReset: UnknownAddress
    /// The older code or link after the message was sent again.
    public var olderProofAfterResend: OlderProof
    /// A confirmation link that is opened again.
    public var usedLink: UsedLink
    /// A ticket that was used to sign in, until it expires.
    public var usedTicket: UsedTicket
    /// Password sign-in on a new device.
    public var newDevice: NewDevice
    /// The callback of another flow's redirect while this client's own flow waits.
    public var callbackOfAnotherFlow: ForeignCallback
    /// The nonce check of ID tokens.
    public var nonce: Nonce
    /// The token that the client's own calls send to the backend: to read, to change, and to sign out.
    public var tokenOfCalls: ShownToken
    /// The access token after a local sign-out, checked at the backend.
    public var accessTokenAfterSignOut: TokenAfterSignOut
    /// The refresh token after a local sign-out.
    public var refreshTokenAfterSignOut: TokenAfterSignOut
    /// A session whose user an administrator has deleted.
    public var sessionOfDeletedUser: NextRefresh
    /// A session whose user an administrator has disabled.
    public var sessionOfDisabledUser: NextRefresh
    /// A session that an administrator has ended.
    public var endedSession: NextRefresh
    /// A session after an administrator set another password for its user.
    public var sessionAfterNewPassword: NextRefresh
    /// Another session of a user who replaced a forgotten password.
    public var sessionAfterReset: NextRefresh
    /// A confirmation link that a mail scanner loaded.
    public var scannedLink: ScannedLink
    /// A session whose only refresh token was used long ago by another client.
    public var sessionWithSpentToken: NextRefresh
    /// A session that the backend refreshed, but whose response was lost.
    public var sessionAfterLostRefresh: NextRefresh
    /// A user's other sessions after the user changed the password on one device.
    public var sessionsAfterPasswordChange: NextRefresh
    /// The session that changed its user's email address.
    public var sessionAfterAddressChange: NextRefresh
    /// A change to an email address that another account has.
    public var takenAddressAtChange: KnownAddress

    /// The password of an account whose email address was signed up again, with another password, before it was verified.
    public var passwordOfUnprovenAccount: UnprovenPassword
    /// The email address in an ID token that marks it as unverified.
    public var unverifiedAddressOfIDToken: UnverifiedAddress
    /// A change of the password, with the current one, in a session with an old sign-in.
    public var passwordChangeOnOldSession: OldSession
    /// The authenticator apps that a user can add.
    public var authenticatorApps: AppCount
    /// The session in which a user added a second factor with its first correct code.
    public var addedFactor: AddedFactor
    /// The time of a passkey's last sign-in (``Passkey/lastUsedAt``).
    public var passkeyUse: PasskeyUse
    /// The current password when a user who has one changes it.
    public var currentPassword: CurrentPassword
    /// The calls for which a project with captchas requires one: sign-ups, or also password sign-ins and messages.
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

    /// Every statement with the name of its property, in the order of declaration, for reports.
    ///
    /// They are read from the stored properties, so a report cannot leave out a new one.
    public var statements: [(name: String, value: String)] {
        Mirror(reflecting: self).children.compactMap { child in
            child.label.map { ($0, (child.value as? any RawRepresentable<String>)?.rawValue ?? String(describing: child.value)) }
        }
    }
}
