/// Who a bearer names.
struct Caller: Sendable {
    var claims: AccessClaims
    var user: User?
    var session: Session?
}
