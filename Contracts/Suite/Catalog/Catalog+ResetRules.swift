internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    private static let resetting = ["reset.completes"]

    /// What may go wrong in a reset, and what it ends.
    static let resetRules: [Contract] = [
        Contract(
            "reset.weak-keeps-proof", "A weak new password is refused, and the proof stays usable: another one is set with it.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox], buildsOn: resetting
        ) { w in
            var person = try await w.member()
            let client = w.client()
            let entry = try await w.entry(client, person)
            for _ in 0..<2 {
                await w.refused(.weakPassword, of: "a weak new password") { () async throws(AuthError) in
                    try await client.respond(to: entry.flow, with: .newPassword("abc"))
                }
            }
            try await w.enter(w.client(), person)
            person.password = w.stranger().password
            _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
            try await w.enter(w.client(), person)
        },

        Contract(
            "reset.others-end", "Other sessions of the user go on after a reset or end, as declared.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox, .clock], buildsOn: resetting + entering,
            declares: Declaration("sessionAfterReset")
        ) { w in
            let (person, bystander) = (try await w.member(), try await w.member())
            let (other, theirs, client) = (w.client(), w.client(), w.client())
            let session = try await w.enter(other, person)
            try await w.enter(theirs, bystander)
            // The credentials of a second count as changed in that second.
            try await w.advance(by: .seconds(2))
            let entry = try await w.entry(client, person)
            _ = try await client.respond(to: entry.flow, with: .newPassword(w.stranger().password))
            try await w.outliveToken(of: session)
            let next = await result(of: { () async throws(AuthError) in try await other.accessToken() })
            if let reason = w.behavior.sessionAfterReset.reason {
                w.expect(!next.isSuccess, "another session goes on after the reset")
                w.expect(other.state.kind == "signedOut(\(reason.rawValue))", "another session's state is \(other.state.kind)")
            } else {
                w.expect(next.isSuccess, "another session has ended by the reset: \(named(next))")
            }
            _ = try await theirs.accessToken()
        },

        Contract(
            "reset.link-and-code", "Each way that a reset accepts completes it by itself, also after a relaunch.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox, .browser],
            buildsOn: resetting + ["sign-in.step.kept"]
        ) { w in
            for way in [ChallengeResponse.Kind.code, .link] {
                for isRelaunched in [false, true] {
                    var person = try await w.member()
                    let device = w.device()
                    var client = device.launch()
                    let step = try await client.requestPasswordReset(email: person.email)
                    var challenge = try w.require(step.challenge, "the request leads to \(step.kind)")
                    guard challenge.accepts.contains(way) else { continue }
                    if isRelaunched {
                        client = device.launch()
                        await client.restore()
                        challenge = try w.require(client.pending?.challenge, "after a relaunch the challenge is gone")
                    }
                    let proven = try await w.give(client, challenge, to: person.email, way: way)
                    guard case .newPassword(let entry) = proven else {
                        w.found("the \(way) leads to \(proven.kind)", line: #line)
                        continue
                    }
                    person.password = w.stranger().password
                    _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
                    try await w.enter(w.client(), person)
                }
            }
        },

        Contract(
            "reset.wrong-then-right", "A wrong code at a reset is no dead end: the right one still leads to the new password.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox], buildsOn: resetting
        ) { w in
            var person = try await w.member()
            let client = w.client()
            let step = try await client.requestPasswordReset(email: person.email)
            let challenge = try w.require(step.challenge, "the request leads to \(step.kind)")
            guard challenge.accepts.contains(.code) else { throw NotApplicable("a reset takes no code here") }
            let code = try await w.code(for: person.email)
            person.password = w.stranger().password
            // A backend that takes code and password together refuses the code with the password.
            do throws(AuthError) {
                let early = try await client.respond(to: challenge.flow, with: .code(code.wrong))
                guard case .newPassword(let entry) = early else {
                    return w.found("a wrong code leads to \(early.kind)", line: #line)
                }
                await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                    try await client.respond(to: entry.flow, with: .newPassword("Another-\(w.stranger().password.reveal())"))
                }
            } catch {
                w.expect(error.code == .invalidCode, "a wrong code is refused as \(error)")
            }
            w.expect(client.pending?.flow?.id == challenge.flow.id, "after a wrong code the flow is gone")
            let proven = try await client.respond(to: challenge.flow, with: .code(code))
            guard case .newPassword(let entry) = proven else {
                return w.found("the right code leads to \(proven.kind)", line: #line)
            }
            _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
            try await w.enter(w.client(), person)
        },

        Contract(
            "reset.fault",
            "Every request of a reset may fail before the backend has done anything, and repeating the call goes on there.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox, .faults, .clock], buildsOn: resetting
        ) { w in
            for skipped in 0..<8 {
                var person = try await w.member()
                let client = w.client()
                let step = try await client.requestPasswordReset(email: person.email)
                let challenge = try w.require(step.challenge, "the request leads to \(step.kind)")
                person.password = w.stranger().password
                let message = try await w.newestMessage(to: person.email)
                let url = challenge.accepts.contains(.code) ? nil : try await w.url(of: message)
                var failures = 0
                try await w.fail(with: .status(503, retryAfter: nil), skipping: skipped, times: 1)
                /// Calls twice where the first call fails.
                func twice(_ call: @Sendable () async throws(AuthError) -> SignInStep) async throws -> SignInStep {
                    do throws(AuthError) {
                        return try await call()
                    } catch {
                        failures += 1
                        w.expect(error.code == .serverUnavailable, "request \(skipped + 1) failed as \(error)")
                        return try await call()
                    }
                }
                let proven = try await twice { () async throws(AuthError) in
                    if let url {
                        switch await client.handle(url) {
                        case .step(let step): return step
                        case .refused(let error): throw error
                        case .notOurs: throw AuthError(.linkInvalid, "The link is taken for another app's.")
                        }
                    }
                    return try await client.respond(to: challenge.flow, with: .code(Secret(message.code ?? "")))
                }
                guard case .newPassword(let entry) = proven else {
                    return w.found("the proof leads to \(proven.kind)", line: #line)
                }
                let password = person.password
                _ = try await twice { () async throws(AuthError) in
                    try await client.respond(to: entry.flow, with: .newPassword(password))
                }
                try await w.heal()
                try await w.enter(w.client(), person)
                if failures == 0 { break }
            }
        },
    ]
}

extension World {
    /// Asks for a reset and gives its proof.
    fileprivate func entry(_ client: any PortableClient, _ person: Person, line: Int = #line) async throws -> NewPasswordStep {
        let step = try await client.requestPasswordReset(email: person.email)
        let challenge = try require(step.challenge, "the request leads to \(step.kind)", line: line)
        let proven = try await give(client, challenge, to: person.email, line: line)
        guard case .newPassword(let entry) = proven else {
            found("the proof leads to \(proven.kind)", line: line)
            throw Unmet()
        }
        return entry
    }
}
