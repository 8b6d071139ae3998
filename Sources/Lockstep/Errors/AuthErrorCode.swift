extension AuthError {
    /// The kinds of failure; the set may grow, the raw values never change.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String

        /// A code by its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// The stable name.
        public var description: String { rawValue }

        // MARK: What the user typed

        /// The address is not an e-mail address.
        public static let invalidEmail = Code("invalidEmail")
        /// The number is not in E.164 form.
        public static let invalidPhone = Code("invalidPhone")
        /// A required value is missing or has the wrong form.
        public static let invalidInput = Code("invalidInput")
        /// The password is under the backend's policy; ``AuthError/reasons`` says why.
        public static let weakPassword = Code("weakPassword")
        /// The new password is the old one.
        public static let samePassword = Code("samePassword")
        /// Address and password do not belong together, or, where the backend does not reveal it, the address is unknown.
        public static let invalidCredentials = Code("invalidCredentials")
        /// The code is wrong.
        public static let invalidCode = Code("invalidCode")
        /// The code is too old, or a newer one was sent.
        public static let codeExpired = Code("codeExpired")
        /// The code was used before.
        public static let codeUsed = Code("codeUsed")

        // MARK: Accounts

        /// No account has this address (only where the backend reveals it).
        public static let userNotFound = Code("userNotFound")
        /// The account was disabled by an administrator.
        public static let userDisabled = Code("userDisabled")
        /// The account is gone.
        public static let userDeleted = Code("userDeleted")
        /// Another account has this address (only where the backend reveals it).
        public static let emailAlreadyInUse = Code("emailAlreadyInUse")
        /// Another account has this number.
        public static let phoneAlreadyInUse = Code("phoneAlreadyInUse")
        /// The identity belongs to another account.
        public static let identityAlreadyInUse = Code("identityAlreadyInUse")
        /// The last way to sign in cannot be removed.
        public static let lastIdentity = Code("lastIdentity")
        /// Another user than the one signed in gave the proof.
        public static let userMismatch = Code("userMismatch")
        /// A guest's account would be lost; say so with `discardingAnonymousUser`, or link it first.
        public static let anonymousUserWouldBeLost = Code("anonymousUserWouldBeLost")
        /// The project takes no new accounts.
        public static let signUpDisabled = Code("signUpDisabled")

        // MARK: Links and flows

        /// The link is too old.
        public static let linkExpired = Code("linkExpired")
        /// The link was used before.
        public static let linkUsed = Code("linkUsed")
        /// The link is broken, or was never given out.
        public static let linkInvalid = Code("linkInvalid")
        /// This device did not begin the flow that the link belongs to; ``AuthError/remedies`` has the ways to continue.
        public static let flowStartedElsewhere = Code("flowStartedElsewhere")
        /// A newer flow took this one's place.
        public static let flowAbandoned = Code("flowAbandoned")
        /// There is no such flow: it ended, or was never begun here.
        public static let flowNotFound = Code("flowNotFound")
        /// The step in progress does not take this kind of answer.
        public static let responseNotAccepted = Code("responseNotAccepted")
        /// The proof has not been given yet: what `poll` throws while it waits.
        public static let notConfirmedYet = Code("notConfirmedYet")
        /// The identity provider, or the user there, refused.
        public static let providerRefused = Code("providerRefused")
        /// An ID token is not genuine, not meant for this app, or too old.
        public static let invalidIDToken = Code("invalidIDToken")

        // MARK: Sessions

        /// There is no session.
        public static let notSignedIn = Code("notSignedIn")
        /// The backend refuses the access token, and also the new one that the client got for it; the session stays.
        public static let accessTokenRefused = Code("accessTokenRefused")
        /// The session's user must first prove the address.
        public static let verificationRequired = Code("verificationRequired")
        /// The session needs a second factor for this.
        public static let secondFactorRequired = Code("secondFactorRequired")
        /// The sign-in is too long ago for this call; ``AuthError/remedies`` names the ways to renew it.
        public static let reauthenticationRequired = Code("reauthenticationRequired")
        /// The session has ended by age.
        public static let sessionExpired = Code("sessionExpired")
        /// The session was ended by the user elsewhere, or by an administrator.
        public static let sessionRevoked = Code("sessionRevoked")
        /// The refresh token was used before.
        public static let refreshTokenReused = Code("refreshTokenReused")
        /// The backend does not know the refresh token.
        public static let refreshTokenUnknown = Code("refreshTokenUnknown")
        /// The session ended because password or address changed.
        public static let credentialChanged = Code("credentialChanged")
        /// The store of sessions cannot be read or written.
        public static let storeUnavailable = Code("storeUnavailable")

        // MARK: Backends and networks

        /// The adapter cannot do it: nothing was sent.
        public static let unsupported = Code("unsupported")
        /// The provider can do it and the project has switched it off.
        public static let notEnabled = Code("notEnabled")
        /// Too many tries; ``AuthError/retry`` says how long to wait.
        public static let tooManyRequests = Code("tooManyRequests")
        /// The backend could not send the message.
        public static let messageNotSent = Code("messageNotSent")
        /// The backend wants a proof of being human.
        public static let captchaRequired = Code("captchaRequired")
        /// No connection to the backend.
        public static let network = Code("network")
        /// No answer in time.
        public static let timedOut = Code("timedOut")
        /// The backend is in trouble (5xx).
        public static let serverUnavailable = Code("serverUnavailable")
        /// The answer is not one of the provider's (a captive portal, a proxy, a truncated body).
        public static let invalidResponse = Code("invalidResponse")
        /// The adapter or client is set up wrongly.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// The backend refuses the app's key.
        public static let invalidKey = Code("invalidKey")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The provider said something that this version does not know; see ``AuthError/provider``.
        public static let unknown = Code("unknown")
    }
}
