internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey that shows the ids and claims that an app's own data may use.
    static let idsAndClaims = Journey("ids-and-claims", "Ids of users and sessions, and the claims of a token") { driver in
        let email = try await driver.user("annie")
        try await driver.enter(email)
        guard let session = driver.app.state.session else { return driver.note("sign in", driver.state) }
        driver.note("id of a user", session.user.id.form)
        driver.note("id of a session", session.id?.form ?? "none")
        let known: Set = ["iss", "aud", "sub", "iat", "exp", "nbf", "jti"]
        let own = session.claims.map(\.name).filter { !known.contains($0) }.sorted()
        driver.note("claims of the provider", own.isEmpty ? "none" : own.joined(separator: ", "))
    }

    /// A journey that shows what a server must check in a token.
    static let server = Journey("server", "Verify a token on your own server") { driver in
        let email = try await driver.user("margaret")
        try await driver.enter(email)
        guard let session = driver.app.state.session else { return driver.note("sign in", driver.state) }
        let parts = session.accessToken.reveal().pieces(at: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64.decode(parts[0], .url).flatMap({ try? JSON.parse($0) }) else {
            return driver.note("form", "opaque: only the backend can read it")
        }
        driver.note("form", "a signed JSON Web Token")
        driver.note("signed with", head["alg"]?.string ?? "no algorithm")
        driver.note("names its key", head["kid"] == nil ? "no" : "yes")
        driver.note("issuer", session.claims["iss"]?.string.map { $0.namingProject(of: driver.title) } ?? "none")
        let audience = session.claims["aud"]
        driver.note("audience", audience?.string ?? audience?.array?.compactMap(\.string).joined(separator: ", ") ?? "none")
        driver.note("subject", session.subject == session.user.id ? "the user's id" : "not the user's id")
    }
}

extension String {
    /// The format of an id, for a column of a database.
    fileprivate var form: String {
        let groups = pieces(at: "-", omittingEmptySubsequences: false)
        if groups.map(\.count) == [8, 4, 4, 4, 12], allSatisfy({ $0.isHexDigit || $0 == "-" }) { return "a UUID" }
        let kind = pieces(at: "_").count > 1 ? "\(prefix { $0 != "_" })_ and " : ""
        let rest = kind.isEmpty ? self[...] : drop { $0 != "_" }.dropFirst()
        return "\(kind)\(rest.count) letters and digits"
    }

    /// Replaces an address on this machine, which has another port in each run.
    fileprivate func namingProject(of provider: String) -> String {
        guard let start = firstRange(of: "://127.0.0.1:") else { return self }
        return "the address of your project on \(provider)" + self[start.upperBound...].drop { $0.isNumber }
    }
}
