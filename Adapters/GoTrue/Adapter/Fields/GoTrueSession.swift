public import Lockstep
public import LockstepPrimitives

/// What GoTrue's access token says beyond the portable words.
///
/// It is read from the claims, which are not verified on the device: for screens, never for what a server grants.
public struct GoTrueSession: Sendable, Hashable {
    /// How strongly the user has signed in, in the server's words: `aal1` or `aal2`.
    public var assuranceLevel: String?
    /// By what the user has signed in, newest first (`amr`).
    public var methods: [Method]
    /// The role that the database sees, `authenticated` as a rule.
    public var role: String?
    /// The audience of the token.
    public var audience: String?
    /// What only the server may change of the user, as of the time of the token.
    public var appMetadata: JSONObject
    /// What the user may change, as of the time of the token.
    public var userMetadata: JSONObject

    /// A way in which the user has signed in.
    public struct Method: Sendable, Hashable {
        /// The server's name of it, such as `password`, `otp`, `oauth`, `totp` or `passkey`.
        public var name: String
        /// When, by the server's clock.
        public var at: Instant?
        /// Through whom, for single sign-on.
        public var provider: String?
    }
}

extension Session {
    /// What GoTrue's access token says beyond the portable words.
    public var goTrue: GoTrueSession {
        GoTrueSession(
            assuranceLevel: claims["aal"]?.filled,
            methods: (claims["amr"]?.array ?? []).compactMap(GoTrueSession.Method.init(goTrue:)),
            role: claims["role"]?.filled, audience: claims["aud"]?.filled,
            appMetadata: claims["app_metadata"]?.object ?? [:], userMetadata: claims["user_metadata"]?.object ?? [:])
    }
}

extension GoTrueSession.Method {
    /// Reads an entry; access token hooks may write bare names.
    fileprivate init?(goTrue entry: JSON) {
        guard let name = entry["method"]?.filled ?? entry.filled else { return nil }
        self.init(
            name: name, at: (entry["timestamp"]?.int).map { Instant(seconds: $0) }, provider: entry["provider"]?.filled)
    }
}
