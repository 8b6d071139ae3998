/// Why nobody is signed in.
public enum SignOutReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody has signed in yet.
    case neverSignedIn
    /// The user asked for it.
    case requested
    /// The session was ended elsewhere: by the user on another device, or by an administrator.
    case revoked
    /// The refresh token was used by somebody else.
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
    /// What was stored could not be understood; it is kept aside.
    case storeDamaged
    /// Another process on this device signed out.
    case endedElsewhere
}

extension AuthError.Code {
    /// The reason why a session ends when its refresh fails so; `nil` for all that says nothing about the session.
    ///
    /// This is the whole list: whatever is not in it (no network, 429, 5xx, HTML, truncated JSON) keeps the session.
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
