/// Why no user is signed in.
public enum SignOutReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// No user has signed in yet.
    case neverSignedIn
    /// The user asked for it.
    case requested
    /// The session was ended elsewhere: by the user on another device, or by an administrator.
    case revoked
    /// The refresh token was used a second time, by another client.
    case refreshReuse
    /// The account is gone.
    case userDeleted
    /// The account was disabled.
    case userDisabled
    /// Password or address changed.
    case credentialChanged
    /// The session ended by age.
    case expired
    /// The store holds a session of another backend.
    case backendChanged
    /// What was stored could not be decoded; it is quarantined.
    case storeDamaged
    /// Another process on this device signed out.
    case endedElsewhere
}

extension AuthError.Code {
    /// The reason why a failed refresh ends the session; `nil` for a failure that says nothing about the session.
    ///
    /// This is the whole list: any other failure (no network, 429, 5xx, HTML, truncated JSON) keeps the session.
    var verdict: SignOutReason? {
        switch self {
        case .sessionRevoked, .refreshTokenUnknown: .revoked
        case .refreshTokenReused: .refreshReuse
        case .userDeleted: .userDeleted
        case .userDisabled: .userDisabled
        case .credentialChanged: .credentialChanged
        case .sessionExpired: .expired
        default: nil
        }
    }
}
