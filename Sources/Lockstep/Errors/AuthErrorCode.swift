extension AuthError {
    /// The kind of a failure.
    ///
    /// Later versions may add kinds. The raw values never change.
    ///
    /// ```swift
    /// do {
    ///     _ = try await client.signUp(with: .password(email: "ada@example.com", password: "short"))
    /// } catch {
    ///     guard error.code == .weakPassword else { throw error }
    ///     print(error.reasons)                     // for example ["length"]
    /// }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// The stable name.
        public var description: String { rawValue }

        // MARK: User input

        /// The text is not an email address.
        public static let invalidEmail = Code("invalidEmail")
        /// The phone number is not in E.164 form.
        public static let invalidPhone = Code("invalidPhone")
        /// A required value is missing or has the wrong format.
        public static let invalidInput = Code("invalidInput")
        /// The password does not satisfy the backend's policy; ``AuthError/reasons`` contains the reasons.
        public static let weakPassword = Code("weakPassword")
        /// The new password equals the current password.
        public static let samePassword = Code("samePassword")
        /// The email address or the password is incorrect.
        ///
        /// The backend may return this error for an unknown address, too. Otherwise anyone could find out which
        /// addresses have an account.
        public static let invalidCredentials = Code("invalidCredentials")
        /// The code is wrong.
        public static let invalidCode = Code("invalidCode")
        /// The code has expired, or the backend has sent a newer code.
        public static let codeExpired = Code("codeExpired")
        /// The code has already been used.
        public static let codeUsed = Code("codeUsed")

        // MARK: Accounts

        /// No account has this email address.
        ///
        /// A backend returns this error only if it reveals which addresses have an account.
        public static let userNotFound = Code("userNotFound")
        /// The account was disabled by an administrator.
        public static let userDisabled = Code("userDisabled")
        /// The account was deleted.
        public static let userDeleted = Code("userDeleted")
        /// Another account has this email address.
        ///
        /// A backend returns this error only if it reveals which addresses have an account.
        public static let emailAlreadyInUse = Code("emailAlreadyInUse")
        /// Another account has this phone number.
        public static let phoneAlreadyInUse = Code("phoneAlreadyInUse")
        /// The identity belongs to another account.
        public static let identityAlreadyInUse = Code("identityAlreadyInUse")
        /// The backend cannot remove the user's last sign-in method.
        public static let lastIdentity = Code("lastIdentity")
        /// The user signed in again, but with the credential of a different user.
        public static let userMismatch = Code("userMismatch")
        /// With this call, the user would lose an anonymous account.
        ///
        /// To allow this, pass `discardingAnonymousUser`. To keep the account, first link a credential to it.
        public static let anonymousUserWouldBeLost = Code("anonymousUserWouldBeLost")
        /// The project accepts no new accounts.
        public static let signUpDisabled = Code("signUpDisabled")

        // MARK: Links and flows

        /// The link has expired.
        public static let linkExpired = Code("linkExpired")
        /// The link has already been used.
        public static let linkUsed = Code("linkUsed")
        /// The link is invalid.
        public static let linkInvalid = Code("linkInvalid")
        /// This device did not start the link's flow; ``AuthError/remedies`` lists the ways to continue.
        public static let flowStartedElsewhere = Code("flowStartedElsewhere")
        /// A newer flow replaced this flow.
        public static let flowAbandoned = Code("flowAbandoned")
        /// The flow does not exist on this device.
        ///
        /// It has ended, or another device started it.
        public static let flowNotFound = Code("flowNotFound")
        /// The current step does not accept this kind of response.
        public static let responseNotAccepted = Code("responseNotAccepted")
        /// The user has not opened the link yet.
        ///
        /// The response `poll` throws this error until the user has opened the link.
        public static let notConfirmedYet = Code("notConfirmedYet")
        /// The identity provider rejected the sign-in, or the user cancelled it there.
        public static let providerRefused = Code("providerRefused")
        /// The backend rejects the ID token, because it is not authentic, is for another app, or has expired.
        public static let invalidIDToken = Code("invalidIDToken")

        // MARK: Sessions

        /// There is no session.
        public static let notSignedIn = Code("notSignedIn")
        /// The backend rejects the access token, and also rejects a new access token after a refresh.
        ///
        /// The session stays.
        public static let accessTokenRefused = Code("accessTokenRefused")
        /// The user must first verify the email address.
        public static let verificationRequired = Code("verificationRequired")
        /// The call requires a second factor.
        public static let secondFactorRequired = Code("secondFactorRequired")
        /// The sign-in is too old for this call; ``AuthError/remedies`` lists the ways to sign in again.
        public static let reauthenticationRequired = Code("reauthenticationRequired")
        /// The session expired.
        public static let sessionExpired = Code("sessionExpired")
        /// The user ended the session elsewhere, or an administrator ended it.
        public static let sessionRevoked = Code("sessionRevoked")
        /// The refresh token has already been used.
        public static let refreshTokenReused = Code("refreshTokenReused")
        /// The refresh token is unknown to the backend.
        public static let refreshTokenUnknown = Code("refreshTokenUnknown")
        /// The session ended because the password or the email address changed.
        public static let credentialChanged = Code("credentialChanged")
        /// The session store cannot be read or written.
        public static let storeUnavailable = Code("storeUnavailable")

        // MARK: Backends and networks

        /// The adapter does not support the call.
        ///
        /// The client sent no request.
        public static let unsupported = Code("unsupported")
        /// The provider supports the call, but the project has not enabled the feature.
        public static let notEnabled = Code("notEnabled")
        /// The user or the app has made too many attempts; ``AuthError/retry`` contains the time to wait.
        public static let tooManyRequests = Code("tooManyRequests")
        /// The backend could not send the message.
        public static let messageNotSent = Code("messageNotSent")
        /// The backend requires a captcha.
        public static let captchaRequired = Code("captchaRequired")
        /// The backend cannot be reached.
        public static let network = Code("network")
        /// The backend did not respond in time.
        public static let timedOut = Code("timedOut")
        /// The backend failed: it returned a status from 500 to 599.
        public static let serverUnavailable = Code("serverUnavailable")
        /// The client cannot use the response.
        ///
        /// A captive portal or a proxy responded in place of the provider, or the body was truncated.
        public static let invalidResponse = Code("invalidResponse")
        /// The configuration of the adapter or the client is invalid.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// The backend rejects the app's key.
        public static let invalidKey = Code("invalidKey")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The provider returned an error that this version does not know; see ``AuthError/provider``.
        public static let unknown = Code("unknown")
    }
}
