internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A sign-up as a sequence of steps, with the app ended and started again between two of them.
    static let steps = Journey("steps", "Go on with a sign-up after a relaunch") { traveller in
        let email = traveller.address("steps")
        try await traveller.see("begin") {
            try await traveller.app.signUp(
                with: .password(email: email, password: traveller.password), displayName: "Katherine Johnson"
            ).word
        }
        try await traveller.see("relaunch") {
            await traveller.relaunch()
            return traveller.app.pending.map { "\($0.word) is still pending" } ?? "forgotten"
        }
        guard case .verify(let challenge) = traveller.app.pending else { throw StageError("no step was kept") }
        try await traveller.see("an answer that is not accepted") {
            try await traveller.app.proceed(challenge.flow, with: .newPassword("something Else 1")).word
        }
        if challenge.accepts.contains(.code) {
            try await traveller.see("a wrong code") {
                try await traveller.app.proceed(challenge.flow, with: .code("000000")).word
            }
        } else {
            traveller.note("a wrong code", "no code here")
        }
        try await traveller.see("the proof") {
            let kind = [Answer.Kind.code, .poll, .link].first(where: challenge.accepts.contains) ?? .code
            let step = try await traveller.prove(challenge, by: kind, to: email)
            return step.session == nil ? step.word : traveller.state
        }
    }

    /// A valid token for every caller, in any state of the network.
    static let token = Journey("token", "Get a token: expired, offline, throttled, behind a portal") { traveller in
        let email = try await traveller.user("donald")
        _ = try await traveller.app.signIn(with: .password(email: email, password: traveller.password))
        let app = traveller.app
        guard let life = app.state.session?.lifetime.life else { throw StageError("the sign-in did not complete") }
        traveller.note("life of a token", "\(life.components.seconds) s")
        try await traveller.see("valid: 100 callers") { try await tokens(app) }
        try await traveller.wait(life)
        try await traveller.see("expired: 100 callers") { try await tokens(app) }
        let faults = try traveller.need(traveller.stage.faults, "faults")
        let troubles: [(String, Fault)] = [
            ("offline", .offline), ("429", .rateLimited(retryAfter: .seconds(20))),
            ("a captive portal's HTML", .garbage(.captivePortal)),
        ]
        for (name, fault) in troubles {
            try await traveller.wait(life)
            try await faults.inject(fault, on: .any, skipping: 0, times: nil)
            try await traveller.see("expired: \(name)") {
                do throws(AuthError) {
                    _ = try await app.accessToken()
                    return "a token"
                } catch {
                    return "\(error.code), \(traveller.state)"
                }
            }
            try await faults.clear()
        }
        try await traveller.see("the network is back") {
            _ = try await app.accessToken()
            return traveller.state
        }
    }

    private static func tokens(_ app: AuthClient) async throws -> String {
        let different = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<100 { group.addTask { try await app.accessToken() } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        return different.count == 1 ? "one token for all" : "\(different.count) tokens"
    }
}
