internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about responses from proxies and portals and about unknown error codes, in every call except a refresh.
    static let foreign: [Contract<World>] = [
        Contract(
            "session.call.foreign-refusal",
            "A proxy's error, a portal's page or an unknown code in response to a reload or a change of the user is "
                + "reported as such, and never ends the session.",
            needs: [.faults], buildsOn: ["session.refresh.bare-refusal", "session.refresh.unknown-code", "session.user.refresh"]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            var calls: [(name: String, target: FaultTarget, run: @Sendable () async throws(AuthError) -> Void)] = [
                ("a reload", .user, { () async throws(AuthError) in _ = try await client.refreshUser() })
            ]
            if w.can(.displayName) {
                calls.append(
                    (
                        "a new name", .change,
                        { () async throws(AuthError) in _ = try await client.update(displayName: "Grace", photoURL: nil) }
                    ))
            }
            if w.can(.passwordChange) {
                let new = w.stranger().password
                calls.append(
                    (
                        "a new password", .change,
                        { () async throws(AuthError) in try await client.changePassword(to: new, current: nil) }
                    ))
            }
            if w.can(.emailChange) {
                let address = w.stranger().email
                calls.append(
                    ("a new address", .any, { () async throws(AuthError) in _ = try await client.changeEmail(to: address) }))
            }
            if w.can(.factorEnrolment) {
                calls.append(("the list of factors", .any, { () async throws(AuthError) in _ = try await client.factors() }))
            }
            for refusal in ForeignRefusal.all {
                for call in calls {
                    try await w.fail(call.target, with: refusal.fault)
                    let outcome = await result(of: call.run)
                    try await w.heal()
                    refusal.expectTold(by: outcome.failure, of: call.name, in: w)
                    w.expect(
                        client.state.session?.user.id == session.user.id,
                        "\(refusal.fault) in response to \(call.name): the state is \(client.state.kind)")
                    w.expect(
                        try await device.hasStoredSession(),
                        "\(refusal.fault) in response to \(call.name): the store no longer contains the session")
                    guard client.state.session != nil else { return }
                }
            }
            w.expect(try await client.refreshUser().id == session.user.id, "afterwards the user is different")
        },

        Contract(
            "error.foreign.everywhere",
            "A proxy's error, a portal's page or an unknown code at a sign-in, a sign-up, a resend, a verification, a "
                + "reset or its new password is reported as such, not as the user's mistake, with the right retry advice. The "
                + "flow continues.",
            appliesTo: takingPersons, needs: [.faults, .mailbox, .clock],
            buildsOn: entering + proving
                + ["error.unknown-code", "reset.completes", "sign-in.step.kept", "verification.resend.newest-works"]
        ) { w in
            if w.can(.emailCodeSignIn) { try await w.refusingCodes() }
            guard w.can(.password) else { return }
            let person = try await w.member()
            let entering = w.client()
            _ = try await w.refusing("a sign-in", entering) { () async throws(AuthError) in
                try await entering.signIn(with: person.credential)
            }
            try await w.enter(entering, person)

            var newcomer = w.stranger()
            let joining = w.client()
            _ = try await w.refusing("a sign-up", joining) { [credential = newcomer.credential] () async throws(AuthError) in
                try await joining.signUp(with: credential)
            }
            let step = try await joining.signUp(with: newcomer.credential)
            if let challenge = step.challenge {
                try await w.refusingResend(joining, challenge)
                let proof = try await w.proof(joining, challenge, to: newcomer.email)
                let end = try await w.refusing("a verification", joining, proof)
                try await w.prove(joining, end == nil ? try await proof() : try w.require(end, "no step"), of: newcomer)
            }

            guard w.can(.passwordReset) else { return }
            newcomer = try await w.member()
            let client = w.client()
            _ = try await w.refusing("a reset", client) { [email = newcomer.email] () async throws(AuthError) in
                try await client.requestPasswordReset(email: email)
            }
            let begun = try await client.requestPasswordReset(email: newcomer.email)
            let challenge = try w.require(begun.challenge, "the request returned \(begun.kind)")
            try await w.refusingResend(client, challenge)
            let proof = try await w.proof(client, challenge, to: newcomer.email)
            // If the backend accepts the verification only together with the password, this call sends no request.
            let early = try await w.refusing("the verification of a reset", client, mayAskNothing: true, proof)
            let proven = if let early { early } else { try await proof() }
            guard case .newPassword(let entry) = proven else { try w.end("the verification returned \(proven.kind)") }
            newcomer.password = w.stranger().password
            _ = try await w.refusing("a new password", client) { [password = newcomer.password] () async throws(AuthError) in
                try await client.respond(to: entry.flow, with: .newPassword(password))
            }
            _ = try await client.respond(to: entry.flow, with: .newPassword(newcomer.password))
            try await w.enter(w.client(), newcomer)
        },
    ]
}

/// An error response that was not caused by the user, and the error codes with which the client may report it.
private struct ForeignRefusal: Sendable {
    let fault: Fault
    let codes: Set<AuthError.Code>

    static let all: [ForeignRefusal] =
        [401, 403, 404].flatMap { status in ProxyForm.allCases.map { proxy(status, $0) } }
        + [400, 407, 422, 451].map { proxy($0, .page) }
        + [400, 401, 403, 404, 422].map {
            ForeignRefusal(fault: .unknownCode("lockstep_unheard_of", status: $0), codes: [.unknown])
        } + [ForeignRefusal(fault: .garbage(.captivePortal), codes: [.invalidResponse])]

    /// Returns a proxy's error response, which may be JSON that looks like a provider's error without a code.
    private static func proxy(_ status: Int, _ form: ProxyForm) -> ForeignRefusal {
        ForeignRefusal(
            fault: .proxyRefusal(status, form), codes: form == .json ? [.invalidResponse, .unknown] : [.invalidResponse])
    }

    func expectTold(by error: AuthError?, of what: String, in world: World, line: Int = #line) {
        guard let error else { return world.found("\(fault) in response to \(what) was treated as a success", line: line) }
        world.expect(codes.contains(error.code), "\(fault) in response to \(what) was reported as \(error)", line: line)
        // A proxy's 4xx page rejects this request every time. A portal's page disappears after the user logs in to the portal.
        switch fault {
        case .proxyRefusal(_, .page):
            world.expect(
                error.retry == .never,
                "\(fault) in response to \(what): the error advises to repeat a request that is always rejected", line: line)
        case .garbage:
            world.expect(error.retry != .never, "\(fault) in response to \(what): the error advises never to retry", line: line)
        default: break
        }
    }
}

extension World {
    /// Checks for each foreign error response that the call fails with an allowed code and leaves the pending step unchanged.
    ///
    /// - Parameters:
    ///   - what: The subject of the check.
    ///   - mayAskNothing: Whether the call may succeed without a request.
    ///   - line: The line of the check in the source.
    /// - Returns: The step, if the call sent no request; otherwise `nil`.
    /// - Throws: An error of the backend's controls; it ends the check.
    fileprivate func refusing(
        _ what: String, _ client: any PortableClient, mayAskNothing: Bool = false, line: Int = #line,
        _ call: @Sendable () async throws(AuthError) -> AuthStep
    ) async throws -> AuthStep? {
        // A backend may give the user a limited session before the verification.
        let (pending, userID) = (client.pending, client.state.session?.user.id)
        for refusal in ForeignRefusal.all {
            try await fail(with: refusal.fault)
            let outcome = await result(of: call)
            try await heal()
            if mayAskNothing, case .success(let step) = outcome { return step }
            refusal.expectTold(by: outcome.failure, of: what, in: self, line: line)
            expect(
                client.pending == pending,
                "after \(refusal.fault) in response to \(what) the step is \(client.pending?.kind ?? "none")",
                line: line)
            expect(
                client.state.session?.user.id == userID,
                "after \(refusal.fault) in response to \(what) the state is \(client.state.kind)",
                line: line
            )
        }
        return nil
    }

    /// Checks a sign-in with an emailed code in the same way: at its start, at a resend, and when the code is entered.
    fileprivate func refusingCodes(line: Int = #line) async throws {
        let (person, client) = (try await member(), client())
        _ = try await refusing("a sign-in by code", client, line: line) { () async throws(AuthError) in
            try await client.signIn(with: .emailCode(person.email))
        }
        let begun = try await client.signIn(with: .emailCode(person.email))
        let challenge = try require(begun.challenge, "the sign-in returned \(begun.kind)", line: line)
        try await refusingResend(client, challenge, line: line)
        let proof = try await proof(client, challenge, to: person.email, line: line)
        let end = try await refusing("the code of a sign-in", client, line: line, proof)
        try await prove(client, end == nil ? try await proof() : try require(end, "no step", line: line), of: person, line: line)
    }

    /// Checks a resend in the same way, as soon as the backend allows a resend.
    fileprivate func refusingResend(_ client: any PortableClient, _ challenge: Challenge, line: Int = #line) async throws {
        guard let available = challenge.resendAvailableAt else { return }
        if available > clock.now { try await advance(by: available - clock.now + .seconds(1)) }
        _ = try await refusing("a resend", client, line: line) { () async throws(AuthError) in
            .verify(try await client.resend(challenge.flow))
        }
        _ = try await client.resend(challenge.flow)
    }

    /// Returns a repeatable call that verifies with the newest message.
    func proof(
        _ client: any PortableClient, _ challenge: Challenge, to address: String, line: Int = #line
    ) async throws -> @Sendable () async throws(AuthError) -> AuthStep {
        if challenge.accepts.contains(.code) {
            let code = try await code(for: address, line: line)
            return { () async throws(AuthError) in try await client.respond(to: challenge.flow, with: .code(code)) }
        }
        if challenge.accepts.contains(.link) {
            let url = try await url(for: address, line: line)
            return { () async throws(AuthError) in
                switch await client.handle(url) {
                case .step(let step): return step
                case .refused(let error): throw error
                case .notOurs: throw AuthError(.linkInvalid, "The client treated the app's own link as another app's.")
                }
            }
        }
        try await confirmElsewhere(address, line: line)
        return { () async throws(AuthError) in try await client.respond(to: challenge.flow, with: .poll) }
    }
}
