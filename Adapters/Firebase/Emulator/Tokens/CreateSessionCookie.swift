internal import LockstepPrimitives
internal import LockstepSQLite

/// `projects.createSessionCookie`: an ID token's claims under another issuer, for up to two weeks.
struct CreateSessionCookie: Operation {
    let shape = Shape.createSessionCookie
    let effort = Effort.tokens

    private static let lifetimes: ClosedRange<Int64> = 300...1_209_600

    func answer(_ call: Call) throws -> JSON {
        let token = try call.require(call.body.given("idToken"), .missingIDToken)
        let asked = call.body.text("validDuration").flatMap { Double($0) }.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
        let lifetime = asked == 0 ? Self.lifetimes.upperBound : asked
        try call.require(Self.lifetimes.contains(lifetime), .invalidDuration)
        var claims = try call.reading { db in try call.holder(of: token, &db).claims }
        claims["iat"] = .int(call.now.seconds)
        claims["exp"] = .int(call.now.seconds + lifetime)
        claims["iss"] = .string("https://session.firebase.google.com/\(claims["aud"]?.string ?? call.space.project)")
        return ["sessionCookie": .string(try call.backend.tokens.sign(claims))]
    }
}
