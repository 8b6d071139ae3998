internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A link by e-mail that opens the app, and every way in which it can be the wrong one.
    static let magicLink = Journey("magic-link", "Sign in by a link that opens the app") { traveller in
        let email = try await traveller.user("barbara")
        var good: String?
        let asked = try await traveller.see("ask for the link") { try await traveller.app.signIn(with: .emailLink(email)).word }
        guard asked == "verify" else { return }
        try await traveller.see("the link, opened") {
            guard let message = try await traveller.message(to: email) else { return "no message" }
            let url = try await traveller.delivered(message)
            good = url
            _ = try await traveller.open(url)
            return traveller.state
        }
        try await traveller.see("opened again") {
            guard let good else { return "no link" }
            return try await traveller.open(good).word
        }
        try await traveller.see("somebody else's address") {
            switch await traveller.app.handle("https://elsewhere.example/callback?code=1234") {
            case .notOurs: "not ours"
            case .step(let step): step.word
            case .refused(let error): "refused: \(error.code)"
            }
        }
        try await traveller.app.signOut()
        try await traveller.wait(.seconds(120))
        try await traveller.see("a link that expired") {
            _ = try await traveller.app.signIn(with: .emailLink(email))
            guard let message = try await traveller.message(to: email) else { return "no message" }
            try await traveller.wait(.seconds(8 * 24 * 3600))
            return try await traveller.open(try await traveller.delivered(message)).word
        }
        try await traveller.see("opened where no flow began") {
            _ = try await traveller.app.signIn(with: .emailLink(email))
            guard let message = try await traveller.message(to: email) else { return "no message" }
            let url = try await traveller.delivered(message)
            switch await traveller.anotherDevice().handle(url) {
            case .step(let step): return step.word
            case .refused(let error): return "refused: \(error.code)"
            case .notOurs: return "not ours"
            }
        }
        try await traveller.see("with another address in the URL") {
            try await traveller.wait(.seconds(120))
            _ = try await traveller.app.signIn(with: .emailLink(email))
            guard let message = try await traveller.message(to: email) else { return "no message" }
            let url = try await traveller.delivered(message)
            let mark = url.contains("?") ? "&" : "?"
            let step = try await traveller.open(url + "\(mark)email=mallory%40example.com")
            return step.session?.user.email == email ? "the asker is signed in" : step.word
        }
    }

    /// An ID token of an identity provider, with a nonce and a name that is sent only once.
    static let appleSignIn = Journey("apple", "Sign in with Apple") { traveller in
        let issuer = try traveller.need(traveller.stage.issuer, "an identity provider")
        let email = traveller.address("apple")
        let subject = traveller.stage.randomness.text(12)
        func credential(_ name: String?, flaw: IDTokenFlaw? = nil, nonce: Bool = true) async throws -> IDTokenCredential {
            let pair = IDTokenNonce(randomness: traveller.stage.randomness)
            let token = try await issuer.idToken(
                for: IdentitySubject(id: subject, email: email, nonce: pair.hashed), flaw: flaw)
            return .idToken(
                issuer.provider, token: token, nonce: nonce ? pair.raw : IDTokenNonce(randomness: traveller.stage.randomness).raw,
                name: name)
        }
        var first: String?
        let begun = try await traveller.see("first time") {
            let step = try await traveller.app.signIn(with: try await credential("Ada Lovelace"))
            first = step.session?.user.id
            return step.session == nil ? step.word : traveller.state
        }
        guard begun == "signedIn" else { return }
        try await traveller.see("name told once") {
            traveller.app.state.session?.user.displayName == "Ada Lovelace" ? "kept" : "lost"
        }
        try await traveller.app.signOut()
        try await traveller.see("again") {
            let step = try await traveller.app.signIn(with: try await credential(nil))
            return step.session?.user.id == first ? "the same user" : "another user"
        }
        try await traveller.app.signOut()
        try await traveller.see("signed by a stranger's key") {
            try await traveller.app.signIn(with: try await credential(nil, flaw: .foreignKey)).word
        }
        try await traveller.see("another flow's nonce") {
            try await traveller.app.signIn(with: try await credential(nil, nonce: false)).word
        }
    }
}
