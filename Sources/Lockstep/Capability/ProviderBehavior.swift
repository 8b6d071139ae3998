/// The behavior of a provider in cases for which the contracts allow differences.
///
/// The behavior often depends on a project's settings, so a harness declares it for each of its variants. The contract
/// suite checks each statement, and `lockstep compare` prints it.
///
/// ```swift
/// var behavior = ProviderBehavior()            // the strictest behavior
/// behavior.newDevice = .asksForCode
/// for statement in behavior.statements { print(statement.name, statement.value) }
/// ```
public struct ProviderBehavior: Sendable, Hashable {
    /// The verification that a backend requires when a user signs up with a password.
    ///
    /// `required`: the user must verify the email address first. `automatic`: the backend accepts any address without
    /// verification.
    public enum SignUpProof: String, Sendable, CaseIterable { case required, automatic }
    /// The response to a request with an email address that already has an account.
    ///
    /// `sameAsNew`: the response is the same as for a new address. `refused`: the request fails with
    /// `emailAlreadyInUse`.
    public enum KnownAddress: String, Sendable, CaseIterable { case sameAsNew, refused }
    /// The response to a request with an email address that has no account.
    ///
    /// `likeKnown`: the response is the same as for a known address. `told`: the request fails with `userNotFound`.
    /// `createsAccount`: the backend creates an account.
    public enum UnknownAddress: String, Sendable, CaseIterable { case likeKnown, told, createsAccount }
    /// The validity of an earlier code or link after the backend has sent a newer code or link.
    ///
    /// `dies`: the older code or link is invalid. `lives`: the older code or link still works.
    public enum OlderProof: String, Sendable, CaseIterable { case dies, lives }
    /// The result if a user opens a used link again.
    ///
    /// `refused`: the backend rejects the link. `sameSession`: the backend returns the same session.
    public enum UsedLink: String, Sendable, CaseIterable { case refused, sameSession }
    /// The result if a ticket is used again after a sign-in.
    ///
    /// `refused`: the backend rejects the ticket. `taken`: the backend accepts the ticket until it expires.
    public enum UsedTicket: String, Sendable, CaseIterable { case refused, taken }
    /// The effect of a mail scanner that loads a link.
    ///
    /// `stays`: the link still works. `spent`: the link no longer works.
    public enum ScannedLink: String, Sendable, CaseIterable { case stays, spent }
    /// The result of a password sign-in on a new device.
    ///
    /// `trusted`: the password is sufficient. `asksForCode`: the backend also requires a code by email.
    public enum NewDevice: String, Sendable, CaseIterable { case trusted, asksForCode }
    /// The side that rejects a callback from another redirect: the client or the backend.
    ///
    /// `refusedByClient`: the client rejects the callback without a request. `refusedByBackend`: the backend rejects
    /// the callback.
    public enum ForeignCallback: String, Sendable, CaseIterable { case refusedByClient, refusedByBackend }
    /// The check of the nonce in an ID token.
    ///
    /// `required`: each token must have a nonce, and the backend checks the nonce. `checkedWhenPresent`: the backend
    /// checks the nonce of a token that contains a nonce. `ignored`: the backend does not check the nonce.
    public enum Nonce: String, Sendable, CaseIterable { case required, checkedWhenPresent, ignored }
    /// The token that the client sends with the calls of a session.
    public enum ShownToken: String, Sendable, CaseIterable { case accessToken, refreshToken }
    /// What decides whether a session has ended, after the backend has rejected the credential of one request.
    ///
    /// `asksBackend`: the backend can be asked about the session, and its response decides. `endsSession`: the backend cannot be
    /// asked, so its rejection ends the session.
    public enum RefusedCredential: String, Sendable, CaseIterable { case endsSession, asksBackend }
    /// The validity of a token after a sign-out.
    ///
    /// `dies`: the token is invalid. `livesUntilExpiry`: the token is valid until it expires. `lives`: the token stays
    /// valid.
    public enum TokenAfterSignOut: String, Sendable, CaseIterable { case dies, livesUntilExpiry, lives }
    /// The password that is valid after two people have signed up with the same unverified email address.
    ///
    /// `first`: the password of the first sign-up. `latest`: the password of the last sign-up.
    public enum UnprovenPassword: String, Sendable, CaseIterable { case first, latest }
    /// The validity of a password that someone else has set in a sign-up with an address, after the owner has verified the
    /// address.
    ///
    /// `dies`: the password is invalid. `works`: the password signs in to the owner's account.
    public enum StrangersPassword: String, Sendable, CaseIterable { case dies, works }
    /// The treatment of an email address that the identity provider has not verified.
    ///
    /// `staysUnproven`: the address stays unverified. `countsAsProven`: the backend treats the address as verified.
    public enum UnverifiedAddress: String, Sendable, CaseIterable { case staysUnproven, countsAsProven }
    /// The result of a password change if the last sign-in is old.
    ///
    /// `asksAgain`: the user must sign in again. `goesOn`: the current password is sufficient.
    public enum OldSession: String, Sendable, CaseIterable { case asksAgain, goesOn }
    /// The number of authenticator apps that a user can add.
    public enum AppCount: String, Sendable, CaseIterable { case several, one }
    /// The assurance level of a session right after the user has added a second factor.
    ///
    /// `countsAtOnce`: two factors. `countsFromTheNextSignIn`: one factor until the next sign-in.
    public enum AddedFactor: String, Sendable, CaseIterable { case countsAtOnce, countsFromTheNextSignIn }
    /// Whether the backend reports the last sign-in with a passkey.
    ///
    /// `told`: the list of passkeys contains the time. `untold`: the list does not contain the time.
    public enum PasskeyUse: String, Sendable, CaseIterable { case told, untold }
    /// The calls that require a captcha if the project uses captchas.
    ///
    /// `signUp`: only sign-ups. `everyEntry`: sign-ups, password sign-ins and requests for messages.
    public enum CaptchaCalls: String, Sendable, CaseIterable { case signUp, everyEntry }
    /// Whether a user must enter the current password to set a new password.
    public enum CurrentPassword: String, Sendable, CaseIterable { case optional, required }
    /// The result of the next refresh of a session: the reason for the sign-out, or `goesOn` if the session continues.
    public enum NextRefresh: String, Sendable, CaseIterable {
        case userDeleted, userDisabled, revoked, credentialChanged, refreshReuse, goesOn

        /// The reason for the sign-out; `nil` if the session continues.
        public var reason: SignOutReason? { SignOutReason(rawValue: rawValue) }
    }

    /// The verification that is required when a user signs up with a password.
    public var signUpProof: SignUpProof
    /// The response to a sign-up with an email address that already has a verified account.
    public var knownAddressAtSignUp: KnownAddress
    /// The response to a password sign-in with an unknown email address.
    public var unknownAddressAtSignIn: UnknownAddress
    /// The response to a request for a sign-in link with an unknown email address.
    public var unknownAddressAtLink: UnknownAddress
    /// The response to a request for a sign-in link or code with an unknown email address, if the request forbids a new
    /// account.
    ///
    /// A request forbids a new account with `createsAccount: false`.
    public var unknownAddressWithoutAccount: UnknownAddress
    /// The response to a request for a password reset with an unknown email address.
    public var unknownAddressAtReset: UnknownAddress
    /// The validity of the older code or link after the backend has sent the message again.
    public var olderProofAfterResend: OlderProof
    /// The result if a user opens a used confirmation link again.
    public var usedLink: UsedLink
    /// The result if a ticket is used for a second sign-in before it expires.
    public var usedTicket: UsedTicket
    /// The result of a password sign-in on a new device.
    public var newDevice: NewDevice
    /// The side that rejects a callback from another redirect, while this client's own redirect is in progress.
    public var callbackOfAnotherFlow: ForeignCallback
    /// The check of the nonce in an ID token.
    public var nonce: Nonce
    /// The token that the client sends when it reads the user, changes the account or signs out.
    public var tokenOfCalls: ShownToken
    /// The validity of the access token after a local sign-out, for a backend that checks the token.
    public var accessTokenAfterSignOut: TokenAfterSignOut
    /// The validity of the refresh token after a local sign-out.
    public var refreshTokenAfterSignOut: TokenAfterSignOut
    /// The result of the next refresh after an administrator has deleted the user.
    public var sessionOfDeletedUser: NextRefresh
    /// The result of the next refresh after an administrator has disabled the user.
    public var sessionOfDisabledUser: NextRefresh
    /// The result of the next refresh after an administrator has ended the session.
    public var endedSession: NextRefresh
    /// What decides whether a session has ended, after the backend has rejected the credential of one request.
    public var refusedCredential: RefusedCredential
    /// The result of the next refresh after an administrator has set a new password for the user.
    public var sessionAfterNewPassword: NextRefresh
    /// The result of the next refresh after the user has reset a forgotten password in another session.
    public var sessionAfterReset: NextRefresh
    /// The effect of a mail scanner that loads a confirmation link.
    public var scannedLink: ScannedLink
    /// The result of the next refresh long after another client used the session's refresh token.
    public var sessionWithSpentToken: NextRefresh
    /// The result of the owner's next refresh after someone else has sent a spent refresh token of the session again.
    public var sessionAfterReplay: NextRefresh
    /// The result of the next refresh after the response of a successful refresh was lost.
    public var sessionAfterLostRefresh: NextRefresh
    /// The result of the next refresh after the user has changed the password in another session.
    public var sessionsAfterPasswordChange: NextRefresh
    /// The result of the next refresh after the user has changed the email address in this session.
    public var sessionAfterAddressChange: NextRefresh
    /// The response to a change of the email address if another account has the new address.
    public var takenAddressAtChange: KnownAddress

    /// The password that is valid after two people have signed up with the same email address before its verification.
    public var passwordOfUnprovenAccount: UnprovenPassword
    /// The validity of the password of an unverified sign-up, after the owner of the address has signed in with a code or
    /// link.
    public var strangersPassword: StrangersPassword
    /// Whether the backend treats an email address as verified, although the ID token says that it is unverified.
    public var unverifiedAddressOfIDToken: UnverifiedAddress
    /// The result of a password change with the current password, long after the last sign-in.
    public var passwordChangeOnOldSession: OldSession
    /// The number of authenticator apps that a user can add.
    public var authenticatorApps: AppCount
    /// The assurance level of a session right after the user has added a second factor.
    public var addedFactor: AddedFactor
    /// Whether the backend reports the last sign-in with a passkey (``Passkey/lastUsedAt``).
    public var passkeyUse: PasskeyUse
    /// Whether a user must enter the current password to set a new password.
    public var currentPassword: CurrentPassword
    /// The calls that require a captcha if the project uses captchas.
    public var captcha: CaptchaCalls

    /// Creates a behavior; each parameter that you omit has the strictest value.
    ///
    /// - Parameters:
    ///   - signUpProof: The verification that is required when a user signs up with a password.
    ///   - knownAddressAtSignUp: The response to a sign-up with an email address that already has a verified account.
    ///   - unknownAddressAtSignIn: The response to a password sign-in with an unknown email address.
    ///   - unknownAddressAtLink: The response to a request for a sign-in link with an unknown email address.
    ///   - unknownAddressWithoutAccount: The response to a request for a sign-in link or code with an unknown email
    ///     address, if the request forbids a new account.
    ///   - unknownAddressAtReset: The response to a request for a password reset with an unknown email address.
    ///   - olderProofAfterResend: The validity of the older code or link after the backend has sent the message again.
    ///   - usedLink: The result if a user opens a used confirmation link again.
    ///   - usedTicket: The result if a ticket is used for a second sign-in before it expires.
    ///   - newDevice: The result of a password sign-in on a new device.
    ///   - callbackOfAnotherFlow: The side that rejects a callback from another redirect, while this client's own
    ///     redirect is in progress.
    ///   - nonce: The check of the nonce in an ID token.
    ///   - tokenOfCalls: The token that the client sends when it reads the user, changes the account or signs out.
    ///   - accessTokenAfterSignOut: The validity of the access token after a local sign-out, for a backend that checks
    ///     the token.
    ///   - refreshTokenAfterSignOut: The validity of the refresh token after a local sign-out.
    ///   - sessionOfDeletedUser: The result of the next refresh after an administrator has deleted the user.
    ///   - sessionOfDisabledUser: The result of the next refresh after an administrator has disabled the user.
    ///   - endedSession: The result of the next refresh after an administrator has ended the session.
    ///   - refusedCredential: What decides whether a session has ended, after the backend has rejected the credential of
    ///     one request.
    ///   - sessionAfterNewPassword: The result of the next refresh after an administrator has set a new password for
    ///     the user.
    ///   - sessionWithSpentToken: The result of the next refresh long after another client used the session's refresh
    ///     token.
    ///   - sessionAfterReplay: The result of the owner's next refresh after someone else has sent a spent refresh token of
    ///     the session again.
    ///   - sessionAfterLostRefresh: The result of the next refresh after the response of a successful refresh was lost.
    ///   - sessionsAfterPasswordChange: The result of the next refresh after the user has changed the password in
    ///     another session.
    ///   - sessionAfterAddressChange: The result of the next refresh after the user has changed the email address in
    ///     this session.
    ///   - takenAddressAtChange: The response to a change of the email address if another account has the new address.
    ///   - sessionAfterReset: The result of the next refresh after the user has reset a forgotten password in another
    ///     session.
    ///   - scannedLink: The effect of a mail scanner that loads a confirmation link.
    ///   - passwordOfUnprovenAccount: The password that is valid after two people have signed up with the same email
    ///     address before its verification.
    ///   - strangersPassword: The validity of the password of an unverified sign-up, after the owner of the address has
    ///     signed in with a code or link.
    ///   - unverifiedAddressOfIDToken: Whether the backend treats an email address as verified, although the ID token
    ///     says that it is unverified.
    ///   - passwordChangeOnOldSession: The result of a password change with the current password, long after the last
    ///     sign-in.
    ///   - authenticatorApps: The number of authenticator apps that a user can add.
    ///   - addedFactor: The assurance level of a session right after the user has added a second factor.
    ///   - passkeyUse: Whether the backend reports the last sign-in with a passkey (``Passkey/lastUsedAt``).
    ///   - currentPassword: Whether a user must enter the current password to set a new password.
    ///   - captcha: The calls that require a captcha if the project uses captchas.
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
        refusedCredential: RefusedCredential = .endsSession,
        sessionAfterNewPassword: NextRefresh = .credentialChanged, sessionWithSpentToken: NextRefresh = .refreshReuse,
        sessionAfterReplay: NextRefresh = .refreshReuse,
        sessionAfterLostRefresh: NextRefresh = .refreshReuse, sessionsAfterPasswordChange: NextRefresh = .credentialChanged,
        sessionAfterAddressChange: NextRefresh = .goesOn, takenAddressAtChange: KnownAddress = .refused,
        sessionAfterReset: NextRefresh = .credentialChanged, scannedLink: ScannedLink = .stays,
        passwordOfUnprovenAccount: UnprovenPassword = .latest, strangersPassword: StrangersPassword = .dies,
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
        self.refusedCredential = refusedCredential
        self.sessionAfterNewPassword = sessionAfterNewPassword
        self.sessionWithSpentToken = sessionWithSpentToken
        self.sessionAfterReplay = sessionAfterReplay
        self.sessionAfterLostRefresh = sessionAfterLostRefresh
        self.sessionsAfterPasswordChange = sessionsAfterPasswordChange
        self.sessionAfterAddressChange = sessionAfterAddressChange
        self.takenAddressAtChange = takenAddressAtChange
        self.sessionAfterReset = sessionAfterReset
        self.scannedLink = scannedLink
        self.passwordOfUnprovenAccount = passwordOfUnprovenAccount
        self.strangersPassword = strangersPassword
        self.unverifiedAddressOfIDToken = unverifiedAddressOfIDToken
        self.passwordChangeOnOldSession = passwordChangeOnOldSession
        self.authenticatorApps = authenticatorApps
        self.addedFactor = addedFactor
        self.passkeyUse = passkeyUse
        self.currentPassword = currentPassword
        self.captcha = captcha
    }

    /// All statements with the names of their properties, in the order of declaration, for reports.
    ///
    /// The list is read from the stored properties, so a report cannot omit a new statement.
    public var statements: [(name: String, value: String)] {
        Mirror(reflecting: self).children.compactMap { child in
            child.label.map { ($0, (child.value as? any RawRepresentable<String>)?.rawValue ?? String(describing: child.value)) }
        }
    }
}
