internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey with an emailed link that opens the app, and with invalid links.
    static let magicLink = Journey("magic-link", "Sign in with a link that opens the app") { driver in
        let email = try await driver.user("barbara")
        var good: String?
        let asked = try await driver.see("request the link") { try await driver.app.signIn(with: .emailLink(email)).word }
        guard asked == "verify" else { return }
        try await driver.see("open the link") {
            guard let message = try await driver.message(to: email) else { return "no message" }
            let url = try await driver.delivered(message)
            good = url
            _ = try await driver.open(url)
            return driver.state
        }
        try await driver.see("open the link again") {
            guard let good else { return "no link" }
            return try await driver.open(good).word
        }
        try await driver.see("open a link that belongs to another app") {
            switch await driver.app.handle("https://elsewhere.example/callback?code=1234") {
            case .notOurs: "not a link of this app"
            case .step(let step): step.word
            case .refused(let error): "refused: \(error.code)"
            }
        }
        try await driver.app.signOut()
        try await driver.wait(.seconds(120))
        try await driver.see("open an expired link") {
            let step = try await driver.app.signIn(with: .emailLink(email))
            guard let message = try await driver.message(to: email) else { return "no message" }
            let life = step.challenge?.expiresAt.map { $0 - driver.environment.clock.now } ?? .seconds(6 * 24 * 3600)
            try await driver.wait(life + .seconds(1))
            return try await driver.open(try await driver.delivered(message)).word
        }
        try await driver.see("open the link on another device") {
            _ = try await driver.app.signIn(with: .emailLink(email))
            guard let message = try await driver.message(to: email) else { return "no message" }
            let url = try await driver.delivered(message)
            switch await driver.anotherDevice().handle(url) {
            case .step(let step): return step.word
            case .refused(let error): return "refused: \(error.code)"
            case .notOurs: return "not a link of this app"
            }
        }
        try await driver.see("open the link with another address in the URL") {
            try await driver.wait(.seconds(120))
            _ = try await driver.app.signIn(with: .emailLink(email))
            guard let message = try await driver.message(to: email) else { return "no message" }
            let url = try await driver.delivered(message)
            let mark = url.contains("?") ? "&" : "?"
            let step = try await driver.open(url + "\(mark)email=mallory%40example.com")
            return step.session?.user.email == email ? "the right user is signed in" : step.word
        }
    }

    /// A journey with an identity provider's ID token, a nonce, and a name that is sent only once.
    static let appleSignIn = Journey("apple", "Sign in with Apple") { driver in
        let issuer = try driver.need(driver.environment.issuer, "an identity provider")
        let email = driver.address("apple")
        let subject = driver.environment.randomness.text(12)
        func credential(_ name: String?, flaw: IDTokenFlaw? = nil, nonce: Bool = true) async throws -> IDTokenCredential {
            let pair = IDTokenNonce(randomness: driver.environment.randomness)
            let token = try await issuer.idToken(
                for: IdentitySubject(id: subject, email: email, nonce: pair.hashed), flaw: flaw)
            return .idToken(
                issuer.provider, token: token,
                nonce: nonce ? pair.raw : IDTokenNonce(randomness: driver.environment.randomness).raw,
                name: name)
        }
        var first: String?
        let begun = try await driver.see("first time") {
            let step = try await driver.app.signIn(with: try await credential("Ada Lovelace"))
            first = step.session?.user.id
            return step.session == nil ? step.word : driver.state
        }
        guard begun == "signedIn" else { return }
        try await driver.see("name from the first sign-in") {
            driver.app.state.session?.user.displayName == "Ada Lovelace" ? "kept" : "lost"
        }
        try await driver.app.signOut()
        try await driver.see("again") {
            let step = try await driver.app.signIn(with: try await credential(nil))
            return step.session?.user.id == first ? "the same user" : "another user"
        }
        try await driver.app.signOut()
        try await driver.see("token signed with a wrong key") {
            try await driver.app.signIn(with: try await credential(nil, flaw: .foreignKey)).word
        }
        try await driver.see("token with another flow's nonce") {
            try await driver.app.signIn(with: try await credential(nil, nonce: false)).word
        }
    }
}
