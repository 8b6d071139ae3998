internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// Sign up by e-mail and password, and prove the address in every way that is offered.
    static let signUp = Journey("sign-up", "Sign up by e-mail and password") { traveller in
        let email = traveller.address("ada")
        let name = "Ada \(traveller.stage.randomness.text(4))"
        var first: Challenge?
        try await traveller.see("submit") {
            let step = try await traveller.app.signUp(
                with: .password(email: email, password: traveller.password), displayName: name)
            first = step.challenge
            guard case .verify = step else { return step.word }
            return traveller.app.state.session == nil ? "verify, no session" : "verify, limited session"
        }
        guard let challenge = first else { throw StageError("the sign-up asked for no proof") }
        traveller.note("state before the proof", traveller.state)
        traveller.note("proof offered", challenge.accepts.words)
        traveller.note(
            "message",
            try await traveller.message(to: email) == nil
                ? "none" : "one, to \(challenge.destination.isEmpty ? "?" : "the address")")
        try await traveller.see("a feature for verified users") {
            _ = try await traveller.app.session(requiring: .verified)
            return "opened"
        }
        try await traveller.see("ask again at once") {
            try await traveller.app.resend(challenge.flow)
            return "sent"
        }
        try await traveller.wait(.seconds(61))
        try await traveller.see("ask again after a minute") {
            try await traveller.app.resend(challenge.flow)
            return "sent"
        }
        for kind in [Answer.Kind.link, .code, .poll] {
            try await traveller.see("proof by \(kind.rawValue)") {
                guard challenge.accepts.contains(kind) else { return "not offered" }
                return try await confirmed(by: kind, traveller)
            }
        }
        try await traveller.see("display name afterwards") {
            let user = try await traveller.app.refreshUser()
            return user.displayName == nil ? "lost" : "kept"
        }
    }

    /// A sign-up of a new person up to the proof, given in one way.
    private static func confirmed(by kind: Answer.Kind, _ traveller: JourneyDriver) async throws -> String {
        if traveller.app.state.session != nil { try await traveller.app.signOut() }
        let email = traveller.address(kind.rawValue)
        let step = try await traveller.app.signUp(
            with: .password(email: email, password: traveller.password), displayName: "Grace Hopper")
        guard case .verify(let challenge) = step else { return step.word }
        let last = try await traveller.prove(challenge, by: kind, to: email)
        return last.session == nil ? last.word : traveller.state
    }

    /// The same where the project confirms addresses by itself.
    static let automaticSignUp = Journey(
        "automatic-sign-up", "Sign up where the project confirms by itself",
        on: { variants in variants.first { $0.behavior.signUpProof == .automatic } }
    ) { traveller in
        let email = traveller.address("auto")
        try await traveller.see("submit") {
            try await traveller.app.signUp(
                with: .password(email: email, password: traveller.password), displayName: "Ada Lovelace"
            ).word
        }
        traveller.note("message", try await traveller.message(to: email) == nil ? "none" : "one")
    }
}
