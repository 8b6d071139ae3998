internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A guest who becomes a user.
    static let guest = Journey("guest", "Begin as a guest, become a user") { traveller in
        var guest: String?
        let begun = try await traveller.see("begin as a guest") {
            guest = try await traveller.app.signIn(with: .anonymous).session?.user.id
            return traveller.state
        }
        guard begun == "anonymous" else { return }
        try await traveller.see("after a relaunch") {
            await traveller.relaunch()
            return traveller.app.state.session?.user.id == guest ? "the same guest" : traveller.state
        }
        try await traveller.see("sign out") {
            try await traveller.app.signOut()
            return traveller.state
        }
        if let issuer = traveller.stage.issuer, traveller.app.capabilities.contains(.idToken) {
            let nonce = IDTokenNonce(randomness: traveller.stage.randomness)
            let taken = IdentitySubject(
                id: "taken-\(traveller.stage.randomness.text(6))", email: traveller.address("taken"), nonce: nonce.hashed)
            _ = try await traveller.anotherDevice().signIn(
                with: .idToken(issuer.provider, token: try await issuer.idToken(for: taken, flaw: nil), nonce: nonce.raw))
            try await traveller.see("link what is another user's") {
                let token = try await issuer.idToken(for: taken, flaw: nil)
                return try await traveller.app.signIn(with: .idToken(issuer.provider, token: token, nonce: nonce.raw)).word
            }
            traveller.note("state after the conflict", traveller.state)
            let own = IdentitySubject(
                id: "own-\(traveller.stage.randomness.text(6))", email: traveller.address("own"), nonce: nonce.hashed)
            try await traveller.see("link an identity of one's own") {
                let token = try await issuer.idToken(for: own, flaw: nil)
                let step = try await traveller.app.signIn(
                    with: .idToken(issuer.provider, token: token, nonce: nonce.raw, name: "Ada Lovelace"))
                guard let user = step.session?.user else { return step.word }
                return user.id == guest ? "signed in, same user id" : "signed in, another user id"
            }
            try await traveller.see("display name") { traveller.app.state.session?.user.displayName == nil ? "empty" : "copied" }
        }
    }
}
