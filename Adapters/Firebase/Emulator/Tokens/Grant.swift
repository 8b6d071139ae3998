internal import LockstepPrimitives

/// The result of a sign-in: the part of a session that its tokens carry and a refresh keeps.
struct Grant: Sendable, Equatable {
    /// A second factor that was given.
    struct SecondFactor: Sendable, Equatable {
        let id: String
        /// `phone` or `totp`.
        let kind: String
    }

    /// Firebase's `sign_in_provider`.
    var provider: String
    /// The claims of a custom token.
    var claims: JSONObject = [:]
    var secondFactor: SecondFactor?
    /// When the user signed in, in seconds since 1970; `nil` for now.
    var authTime: Int64?

    init(provider: String, claims: JSONObject = [:], secondFactor: SecondFactor? = nil, authTime: Int64? = nil) {
        self.provider = provider
        self.claims = claims
        self.secondFactor = secondFactor
        self.authTime = authTime
    }
}
