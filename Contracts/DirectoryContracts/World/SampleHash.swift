internal import LockstepPrimitives

/// Password hashes from other systems.
enum SampleHash {
    static let password: Secret = "Correct-Horse-1"

    /// A bcrypt hash with the lowest cost in use.
    static let bcrypt: Secret = "$2b$06$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2"
    /// A hash of Firebase's scrypt, from a project outside these tests.
    static let firebase: Secret =
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bd0=,sk=2kdSMSevArBJ9ecw2Sohh6lTwEA1KliMinEnZm88UGV+sbRLPQ8PO4WsX3d5o3unq/MLQ0RSYurdNkVSNfpfiw==$c2FsdHNhbHQxMjM0NTY3OA==$zRpCYVjim5+PTFxzdjO/GpmF42YLqE37iP4mBPYmUL2cwgdNtfU0/z+kcf9Tu41O523V3H9Wvr0FlD5vABUOnw=="

    /// A text that does not match the hash format of any system.
    static let unreadable: Secret = "$argon2d$v=19$m=8,t=1,p=1$c2FsdHNhbHQ"

    static let all = [bcrypt, firebase]
}
