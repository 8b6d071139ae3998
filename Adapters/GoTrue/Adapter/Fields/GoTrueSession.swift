public import Lockstep
public import LockstepPrimitives
internal import LockstepWire

/// The claims of GoTrue's access token that the portable API does not contain.
///
/// The device does not verify these claims. An app can show the claims, but must never use them for authorization.
///
/// ```swift
/// if let level = client.state.session?.goTrue.assuranceLevel { print(level) }     // aal1 or aal2
/// ```
public struct GoTrueSession: Sendable, Hashable {
    /// The authenticator assurance level of the sign-in: `aal1` or `aal2`.
    public var assuranceLevel: String?
    /// The authentication methods of the session (claim `amr`), newest first.
    public var methods: [Method]
    /// The role of the user in the database, usually `authenticated`.
    public var role: String?
    /// The audience of the token.
    public var audience: String?
    /// The user's `app_metadata` at the time when the token was issued.
    ///
    /// Only the server can change this metadata.
    public var appMetadata: JSONObject
    /// The user's `user_metadata` at the time when the token was issued.
    ///
    /// The user can change this metadata.
    public var userMetadata: JSONObject

    /// An authentication method of the session.
    public struct Method: Sendable, Hashable {
        /// The name that the server gives to the method, such as `password`, `otp`, `oauth`, `totp` or `passkey`.
        public var name: String
        /// The time when the user used the method, by the server's clock.
        public var at: Instant?
        /// The identity provider, if the method is single sign-on.
        public var provider: String?
    }
}

extension Session {
    /// The claims of GoTrue's access token that the portable API does not contain.
    public var goTrue: GoTrueSession {
        GoTrueSession(
            assuranceLevel: claims["aal"]?.filled,
            methods: (claims["amr"]?.array ?? []).compactMap(GoTrueSession.Method.init(goTrue:)),
            role: claims["role"]?.filled, audience: claims["aud"]?.filled,
            appMetadata: claims["app_metadata"]?.object ?? [:], userMetadata: claims["user_metadata"]?.object ?? [:])
    }
}

extension GoTrueSession.Method {
    /// Reads an entry; hooks for access tokens may write only a name.
    fileprivate init?(goTrue entry: JSON) {
        guard let name = entry["method"]?.filled ?? entry.filled else { return nil }
        self.init(
            name: name, at: (entry["timestamp"]?.int).map { Instant(seconds: $0) }, provider: entry["provider"]?.filled)
    }
}
