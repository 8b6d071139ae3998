internal import LockstepPrimitives
internal import LockstepSQLite

/// `projects.createSessionCookie`: an ID token's claims under another issuer, for up to two weeks.
struct CreateSessionCookie: Endpoint {
    let shape = Shape.createSessionCookie
    let isReading = true

    private static let lifetimes: ClosedRange<Int64> = 300...1_209_600

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        let asked = request.body.text("validDuration").flatMap { Double($0) }.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
        let lifetime = asked == 0 ? Self.lifetimes.upperBound : asked
        try request.require(Self.lifetimes.contains(lifetime), .invalidDuration)
        var claims = try request.tokens.holder(of: token).claims
        claims["iat"] = .int(request.now.seconds)
        claims["exp"] = .int(request.now.seconds + lifetime)
        claims["iss"] = .string("https://session.firebase.google.com/\(claims["aud"]?.string ?? request.scope.project)")
        return ["sessionCookie": .string(try request.tokens.sign(claims))]
    }
}
