internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey of an anonymous user who becomes a user.
    static let guest = Journey("guest", "Sign in anonymously, then create an account") { driver in
        var guest: String?
        let begun = try await driver.see("sign in anonymously") {
            guest = try await driver.app.signIn(with: .anonymous).session?.user.id
            return driver.state
        }
        guard begun == "anonymous" else { return }
        try await driver.see("after a relaunch") {
            await driver.relaunch()
            return driver.app.state.session?.user.id == guest ? "the same anonymous user" : driver.state
        }
        try await driver.see("sign out") {
            try await driver.app.signOut()
            return driver.state
        }
        if let issuer = driver.environment.issuer, driver.app.capabilities.contains(.idToken) {
            let nonce = IDTokenNonce(randomness: driver.environment.randomness)
            let taken = IdentitySubject(
                id: "taken-\(driver.environment.randomness.text(6))", email: driver.address("taken"), nonce: nonce.hashed)
            _ = try await driver.anotherDevice().signIn(
                with: .idToken(issuer.provider, token: try await issuer.idToken(for: taken, flaw: nil), nonce: nonce.raw))
            try await driver.see("link another user's identity") {
                let token = try await issuer.idToken(for: taken, flaw: nil)
                return try await driver.app.signIn(with: .idToken(issuer.provider, token: token, nonce: nonce.raw)).word
            }
            driver.note("state after the conflict", driver.state)
            let own = IdentitySubject(
                id: "own-\(driver.environment.randomness.text(6))", email: driver.address("own"), nonce: nonce.hashed)
            try await driver.see("link a new identity") {
                let token = try await issuer.idToken(for: own, flaw: nil)
                let step = try await driver.app.signIn(
                    with: .idToken(issuer.provider, token: token, nonce: nonce.raw, name: "Ada Lovelace"))
                guard let user = step.session?.user else { return step.word }
                return user.id == guest ? "signed in, same user id" : "signed in, another user id"
            }
            try await driver.see("display name") { driver.app.state.session?.user.displayName == nil ? "empty" : "copied" }
        }
    }
}
