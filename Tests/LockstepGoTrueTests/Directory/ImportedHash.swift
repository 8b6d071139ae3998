/// A hash of a password that the real server has accepted (Fixtures/Recordings/gotrue, `admin-import-…`).
struct ImportedHash: Sendable {
    let text: String
    let password = "Correct-Horse-1"

    static let all = [
        "$2a$06$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm",
        "$2b$06$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2",
        "$2y$06$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2",
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bd0=,sk=2kdSMSevArBJ9ecw2Sohh6lTwEA1KliMinEnZm88UGV+sbRLPQ8PO4WsX3d5o3unq/MLQ0RSYurdNkVSNfpfiw==$c2FsdHNhbHQxMjM0NTY3OA==$zRpCYVjim5+PTFxzdjO/GpmF42YLqE37iP4mBPYmUL2cwgdNtfU0/z+kcf9Tu41O523V3H9Wvr0FlD5vABUOnw==",
    ].map { ImportedHash(text: $0) }
}
