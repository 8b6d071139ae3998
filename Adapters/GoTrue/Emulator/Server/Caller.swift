/// The user of a bearer token.
struct Caller: Sendable {
    var claims: AccessClaims
    var user: User?
    var session: Session?
}
