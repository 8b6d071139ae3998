internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    private static let resetting = ["reset.completes"]

    /// Contracts about failures during a password reset, and about the sessions and codes that a reset ends.
    static let resetRules: [Contract<World>] = [
        Contract(
            "reset.weak-keeps-proof", "A weak new password is rejected, and the reset can still be completed with another one.",
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
            "reset.late",
            "A new password that is entered after an access token of the link or code has expired completes the reset, or fails with "
                + "the advice to start again.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox, .clock], buildsOn: resetting
        ) { w in
            var person = try await w.member()
            let life = try await w.enter(w.client(), person).lifetime.life
            let client = w.client()
            let entry = try await w.entry(client, person)
            person.password = w.stranger().password
            try await w.advance(by: life + .seconds(1))
            do throws(AuthError) {
                _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
            } catch {
                w.expectNewStart(error, "the new password")
                let again = try await w.entry(client, person)
                _ = try await client.respond(to: again.flow, with: .newPassword(person.password))
            }
            try await w.enter(w.client(), person)
        },

        Contract(
            "reset.others-end",
            "After a reset, the user's other sessions continue or end, as declared: new ones and ones that were renewed before.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox, .clock],
            buildsOn: ["session.end.credential-changed"] + resetting + entering,
            declares: Declaration("sessionAfterReset")
        ) { w in
            let (person, bystander) = (try await w.member(), try await w.member())
            let old = try await w.renewedSession(of: person)
            let device = w.device()
            let (other, theirs, client) = (device.launch(), w.client(), w.client())
            let session = try await w.enter(other, person)
            try await w.enter(theirs, bystander)
            // Backends compare times in whole seconds, so the change must come in a later second than the sign-in.
            try await w.advance(by: .seconds(2))
            let entry = try await w.entry(client, person)
            _ = try await client.respond(to: entry.flow, with: .newPassword(w.stranger().password))
            try await w.outliveToken(of: session)
            try await w.expectNextRefresh(of: other, on: device, session, w.behavior.sessionAfterReset)
            try await w.expectNextRefresh(of: old.client, on: old.device, old.session, w.behavior.sessionAfterReset)
            _ = try await theirs.accessToken()
        },

        Contract(
            "reset.link-and-code",
            "Each kind of answer that a reset accepts is enough to complete it, also after a relaunch.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox],
            buildsOn: ["verification.survives-relaunch"] + resetting + ["sign-in.step.kept"]
        ) { w in
            for way in [ChallengeResponse.Kind.code, .link] {
                for isRelaunched in [false, true] {
                    var person = try await w.member()
                    let device = w.device()
                    var client = device.launch()
                    let step = try await client.requestPasswordReset(email: person.email)
                    var challenge = try w.require(step.challenge, "the request returned \(step.kind)")
                    guard challenge.accepts.contains(way) else { continue }
                    if isRelaunched {
                        client = device.launch()
                        await client.restore()
                        challenge = try w.require(
                            client.pending?.challenge, "after a relaunch the challenge is no longer pending")
                    }
                    let proven = try await w.give(client, challenge, to: person.email, way: way)
                    guard case .newPassword(let entry) = proven else {
                        w.found("the \(way) returned \(proven.kind)", line: #line)
                        continue
                    }
                    person.password = w.stranger().password
                    _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
                    try await w.enter(w.client(), person)
                }
            }
        },

        Contract(
            "reset.wrong-then-right", "After a wrong code at a reset, the right one still allows the new password.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox], buildsOn: resetting
        ) { w in
            var person = try await w.member()
            let client = w.client()
            let step = try await client.requestPasswordReset(email: person.email)
            let challenge = try w.require(step.challenge, "the request returned \(step.kind)")
            guard challenge.accepts.contains(.code) else { throw NotApplicable("a reset does not accept a code here") }
            let code = try await w.code(for: person.email)
            person.password = w.stranger().password
            // If the backend accepts the code only together with the password, it rejects a wrong code only then.
            do throws(AuthError) {
                let early = try await client.respond(to: challenge.flow, with: .code(code.wrong))
                guard case .newPassword(let entry) = early else {
                    return w.found("a wrong code returned \(early.kind)", line: #line)
                }
                await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                    try await client.respond(to: entry.flow, with: .newPassword("Another-\(w.stranger().password.reveal())"))
                }
            } catch {
                w.expect(error.code == .invalidCode, "a wrong code failed with \(error)")
            }
            w.expect(client.pending?.flow?.id == challenge.flow.id, "after a wrong code the flow is no longer pending")
            let proven = try await client.respond(to: challenge.flow, with: .code(code))
            guard case .newPassword(let entry) = proven else {
                return w.found("the right code returned \(proven.kind)", line: #line)
            }
            _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
            try await w.enter(w.client(), person)
        },

        Contract(
            "reset.fault",
            "If any request of a reset fails before the backend has processed it, a repeated call continues there. If only the response "
                + "was lost, a repeated call continues there too, or the used answer is rejected and the reset starts again. The user's "
                + "password is then the old or the new one.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox, .faults, .clock],
            buildsOn: ["reset.single-use"] + resetting
        ) { w in
            for fault in [Fault.status(503, retryAfter: nil), .answerLost] {
                for skipped in 0..<8 {
                    let reset = FailingReset(world: w, fault: fault, skipped: skipped)
                    guard try await reset.run() else { break }
                }
            }
        },
    ]
}

extension World {
    /// Requests a reset, enters its code or link, and returns the step that asks for the new password.
    fileprivate func entry(_ client: any PortableClient, _ person: Person, line: Int = #line) async throws -> NewPasswordStep {
        let step = try await client.requestPasswordReset(email: person.email)
        let challenge = try require(step.challenge, "the request returned \(step.kind)", line: line)
        let proven = try await give(client, challenge, to: person.email, line: line)
        guard case .newPassword(let entry) = proven else { try end("the code or link returned \(proven.kind)", line: line) }
        return entry
    }
}

/// A reset in which one request fails and the failed call is repeated.
private struct FailingReset: Sendable {
    let world: World
    let fault: Fault
    let skipped: Int

    private var what: String { "after \(fault) at request \(skipped + 1)" }

    /// - Returns: Whether a request has failed.
    func run() async throws -> Bool {
        var person = try await world.member()
        let old = person
        person.password = world.stranger().password
        let client = world.client()
        try await world.fail(with: fault, skipping: skipped, times: 1)
        var failures = 0
        guard
            let begun = try await twice(
                &failures,
                { [email = person.email] () async throws(AuthError) in
                    try await client.requestPasswordReset(email: email)
                })
        else { return try await anew(&person) }
        let challenge = try world.require(begun.challenge, "\(what) the request returned \(begun.kind)")
        let message = try await world.newestMessage(to: person.email)
        let url = challenge.accepts.contains(.code) ? nil : try await world.url(of: message)
        let proven = try await twice(&failures) { () async throws(AuthError) in
            guard let url else { return try await client.respond(to: challenge.flow, with: .code(Secret(message.code ?? ""))) }
            switch await client.handle(url) {
            case .step(let step): return step
            case .refused(let error): throw error
            case .notOurs: throw AuthError(.linkInvalid, "The client treated the app's own link as another app's.")
            }
        }
        guard let proven else { return try await anew(&person) }
        guard case .newPassword(let entry) = proven else { try world.end("\(what) the code or link returned \(proven.kind)") }
        let end = try await twice(&failures) { [password = person.password] () async throws(AuthError) in
            try await client.respond(to: entry.flow, with: .newPassword(password))
        }
        try await world.heal()
        if end == nil {
            // The backend has set the new password and its response was lost, or it has not set the password.
            let entered = await result(of: { [person] () async throws(AuthError) in
                try await world.client().signIn(with: person.credential)
            })
            if !entered.isSuccess { try await world.enter(world.client(), old) }
        } else {
            try await world.enter(world.client(), person)
        }
        return failures > 0
    }

    /// Makes the call, and repeats it if it fails.
    ///
    /// - Returns: The step, or `nil` if the response was lost and the backend accepts each code or link only once.
    private func twice(
        _ failures: inout Int, _ call: @Sendable () async throws(AuthError) -> AuthStep
    ) async throws -> AuthStep? {
        switch await result(of: call) {
        case .success(let step): return step
        case .failure(let error):
            failures += 1
            let codes: Set<AuthError.Code> = fault == .answerLost ? [.network, .timedOut] : [.serverUnavailable]
            world.expect(codes.contains(error.code), "\(what) the call failed with \(error)")
        }
        // A backend limits how often it sends messages to one address.
        try await world.advance(by: .seconds(90))
        switch await result(of: call) {
        case .success(let step): return step
        case .failure(let error):
            world.expect(
                fault == .answerLost && error.code.isRefusalOfProof, "\(what) the repeated call failed with \(error)")
            return nil
        }
    }

    /// Starts the reset again, after a code or link was used without a result.
    private func anew(_ person: inout Person) async throws -> Bool {
        try await world.heal()
        try await world.advance(by: .seconds(90))
        let client = world.client()
        let entry = try await world.entry(client, person)
        person.password = world.stranger().password
        _ = try await client.respond(to: entry.flow, with: .newPassword(person.password))
        try await world.enter(world.client(), person)
        return true
    }
}
