internal import LockstepPrimitives

/// The claims of a verified access token.
struct AccessClaims: Sendable {
    var subject: String
    var audience: String
    var role: String
    var sessionID: String
    /// All of them.
    var all: JSONObject

    init(_ claims: JSONObject) {
        all = claims
        subject = claims["sub"]?.string ?? ""
        audience = claims["aud"]?.string ?? claims["aud"]?.array?.first?.string ?? ""
        role = claims["role"]?.string ?? ""
        sessionID = claims["session_id"]?.string ?? ""
    }
}
