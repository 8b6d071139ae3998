internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey with a sign-up in several steps, and a restart of the app between two of them.
    static let steps = Journey("steps", "Continue a sign-up after a relaunch") { driver in
        let email = driver.address("steps")
        try await driver.see("begin") {
            try await driver.app.signUp(
                with: .password(email: email, password: driver.password), displayName: "Katherine Johnson"
            ).word
        }
        try await driver.see("relaunch") {
            await driver.relaunch()
            return driver.app.pending.map { "\($0.word) is still pending" } ?? "forgotten"
        }
        guard case .verify(let challenge) = driver.app.pending else { return }
        try await driver.see("a response that the step does not accept") {
            try await driver.app.respond(to: challenge.flow, with: .newPassword("something Else 1")).word
        }
        let hasCode = try await driver.message(to: email)?.code != nil
        if challenge.accepts.contains(.code), hasCode {
            try await driver.see("a wrong code") {
                try await driver.app.respond(to: challenge.flow, with: .code("000000")).word
            }
        } else {
            driver.note("a wrong code", "no code in the message")
        }
        try await driver.see("complete the verification") {
            let kinds: [ChallengeResponse.Kind] = hasCode ? [.code, .poll, .link] : [.poll, .link]
            let kind = kinds.first(where: challenge.accepts.contains) ?? .code
            let step = try await driver.prove(challenge, by: kind, to: email)
            return step.session == nil ? step.word : driver.state
        }
    }

    /// A journey that requests valid tokens in different states of the network.
    static let token = Journey("token", "Get a token: expired, offline, throttled, behind a portal") { driver in
        let email = try await driver.user("donald")
        try await driver.enter(email)
        let app = driver.app
        guard let life = app.state.session?.lifetime.life else { throw EnvironmentError("the sign-in did not complete") }
        driver.note("lifetime of a token", "\(life.components.seconds) s")
        try await driver.see("valid: 100 callers") { try await tokens(app) }
        try await driver.wait(life)
        try await driver.see("expired: 100 callers") { try await tokens(app) }
        let faults = try driver.need(driver.environment.faults, "faults")
        let troubles: [(String, Fault)] = [
            ("offline", .offline), ("429", .rateLimited(retryAfter: .seconds(20))),
            ("a captive portal's HTML", .garbage(.captivePortal)),
        ]
        for (name, fault) in troubles {
            try await driver.wait(life)
            try await faults.inject(fault, on: .any, skipping: 0, times: nil)
            try await driver.see("expired: \(name)") {
                do throws(AuthError) {
                    _ = try await app.accessToken()
                    return "a token"
                } catch {
                    return "\(error.code), \(driver.state)"
                }
            }
            try await faults.clear()
        }
        // The client asks no more often than its budget allows, and gives the last failure until then.
        try await driver.wait(.seconds(600))
        try await driver.see("ten minutes after the network is back") {
            _ = try await app.accessToken()
            return driver.state
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
