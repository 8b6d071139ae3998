internal import Lockstep
internal import LockstepPrimitives

extension WatchedClient {
    /// The values that are recorded before a call.
    struct Start: Sendable {
        /// The number of sent messages; `nil` if it is unknown.
        let messages: Int?
        /// How far the device's clock has been moved.
        let offset: Duration
    }

    func begin(_ effect: CallEffect) async -> Start {
        if case .none = effect {} else { watch.sessionsMayEnd() }
        return Start(messages: await world.sentMessages(), offset: world.clock.offset)
    }

    /// Checks the result of a call, and the state after the call.
    func lookAfterwards(_ name: String, _ effect: CallEffect, since start: Start, at result: CallResult) async {
        if case .none = effect {} else { watch.sessionsMayEnd() }
        await look(at: result, name, effect, since: start)
        guard let session = base.state.session else { return }
        watch.keep(session.accessToken, "the access token")
        watch.keep(session.refreshToken, "the refresh token")
        guard !isAltered else { return }
        watch.expect(
            .oneUser, known.has(session.user.id), "after \(name) the state contains a user who did not sign in on this device")
    }

    func look(at result: CallResult, _ name: String, _ effect: CallEffect = .none, since start: Start? = nil) async {
        switch result {
        case .step(let step):
            if let session = step.session { await look(at: session, name, effect) }
            if let challenge = step.challenge { await look(at: challenge, name, since: start) }
        case .session(let session): await look(at: session, name, effect)
        case .user(let user): look(at: user, name)
        case .token(let token):
            watch.keep(token, "an access token")
            await look(at: token, name, nil)
        case .challenge(let challenge): await look(at: challenge, name, since: start)
        case .enrolment(let enrolment):
            watch.keep(enrolment.key, "the key of a second factor")
            if let uri = enrolment.uri { watch.keep(link: uri.reveal()) }
            show(enrolment, "the enrollment of \(name)")
            await look(at: enrolment.challenge, name, since: start)
        case .refusal(let error):
            if case .enters = effect, error.code == .timedOut || error.code == .cancelled { known.open() }
            look(at: error, name)
        case .codes(let codes):
            for code in codes { watch.keep(code, "a backup code") }
        case .state, .response, .factors, .passkeys, .organizations, .done, .notOurs, .failed: break
        }
    }

    private func look(at session: Session, _ name: String, _ effect: CallEffect) async {
        watch.keep(session.accessToken, "the access token")
        watch.keep(session.refreshToken, "the refresh token")
        show(session, "the session of \(name)")
        if !isAltered {
            watch.looked(at: .oneUser)
            if case .enters(let address) = effect {
                known.note(session.user.id)
                await lookForUser(of: session, address, name)
            } else {
                watch.expect(
                    .oneUser, known.has(session.user.id),
                    "\(name) returned a session of a user who did not sign in on this device")
            }
        }
        look(at: session.user, name)
        await look(at: session.accessToken, name, session.lifetime)
    }

    private func look(at user: User, _ name: String) {
        watch.looked(at: .secretsStayInside)
        watch.expectNoSecret(in: JSON.object(user.fields).text() + JSON.object(user.metadata ?? [:]).text()) { secret in
            "\(secret) is in the app's user fields after \(name)\(lastExchange)"
        }
        guard !isAltered else { return }
        watch.expect(.oneUser, known.has(user.id), "\(name) returned a user who did not sign in on this device")
    }

    /// Checks that the backend has this user, with the email address of the sign-in.
    private func lookForUser(of session: Session, _ address: String?, _ name: String) async {
        guard !watch.isBlocked, watch.looks(.oneUser) < 24, let administrator = world.environment.administrator else { return }
        let epoch = watch.epoch
        guard let users = await world.told({ try await administrator.users() }), epoch == watch.epoch else { return }
        let stored = users.first { $0.id == session.user.id }
        watch.expect(.oneUser, stored != nil, "the backend does not know the user id that \(name) returned")
        // An international domain has two forms. Another contract checks which form is stored.
        guard let address, let email = stored?.email, address.utf8.allSatisfy({ $0 < 0x80 }), !email.contains("xn--") else {
            return
        }
        watch.expect(
            .oneUser, email.lowercased() == address.trimmedSpaces.lowercased(),
            "\(name) signed in a user with another address")
    }

    private func look(at token: Secret, _ name: String, _ lifetime: TokenLifetime?) async {
        guard !isAltered, let administrator = world.environment.administrator,
            let epoch = watch.epochToLook(at: token, now: world.clock.uptime)
        else { return }
        guard let isTaken = await world.told({ try await administrator.accepts(accessToken: token) }), epoch == watch.epoch else {
            return
        }
        watch.looked(at: .tokenIsTaken)
        let told = lifetime ?? base.state.session?.lifetime
        let age = told.map { told in
            ": the token is \((told.life - told.remaining(on: world.clock)).components.seconds) s old, and its reported lifetime is "
                + "\(told.life.components.seconds) s (the wrong unit?)"
        }
        watch.expect(.tokenIsTaken, isTaken, "the backend rejects the token that \(name) returned\(age ?? "")")
    }

    private func look(at challenge: Challenge, _ name: String, since start: Start?) async {
        show(challenge, "the challenge of \(name)")
        // If the device's clock was moved during the call, the start of the time limit is unknown.
        guard !isAltered, let times = world.environment.proofTimes, let start, let before = start.messages,
            world.clock.offset == start.offset, let after = await world.sentMessages(), after > before
        else { return }
        var (life, interval): (Duration?, Duration?)
        switch challenge.channel {
        case .email: (life, interval) = (times.emailLife, times.emailInterval)
        case .sms: (life, interval) = (times.smsLife, times.smsInterval)
        case .authenticatorApp, .backupCode, .passkey, .captcha: return
        }
        // The message for a second factor is different from the message of a sign-in by phone.
        if case .secondFactor? = base.pending { life = times.factorLife }
        if name == AddFactor.name { life = times.factorLife }
        let now = world.clock.now
        func told(_ time: Instant?) -> String { time.map { "in \(($0 - now).components.seconds) s" } ?? "unknown" }
        if let life {
            watch.looked(at: .waitsTellTruth)
            watch.expect(
                .waitsTellTruth, challenge.expiresAt.map { ($0 - now).isWithinFiveSeconds(of: life) } ?? false,
                "\(name): the reported expiry is \(told(challenge.expiresAt)); on the backend it is in \(life.components.seconds) s"
            )
        }
        if let interval {
            watch.looked(at: .waitsTellTruth)
            watch.expect(
                .waitsTellTruth, challenge.resendAvailableAt.map { ($0 - now).isWithinFiveSeconds(of: interval) } ?? false,
                "\(name): the reported resend time is \(told(challenge.resendAvailableAt)); on the backend it is in "
                    + "\(interval.components.seconds) s")
        }
    }

    private func look(at error: AuthError, _ name: String) {
        watch.looked(at: .secretsStayInside)
        let parts: [(String, String)] = [
            ("its message", error.message), ("the provider's code", error.provider?.code ?? ""),
            ("the provider's message", error.provider?.message ?? ""),
            ("the provider's body", error.provider?.body?.text() ?? ""),
            ("its reasons", error.reasons.joined(separator: " ")),
            ("its completed parts", error.completed.joined(separator: " ")),
            ("its reflection", visibleForms(of: error).joined()),
        ]
        let shown = parts.first { !watch.secrets(in: $0.1).isEmpty }
        watch.expectNoSecret(in: shown?.1 ?? "") { secret in
            "\(secret) is in the error of \(name), in \(shown?.0 ?? "it")\(lastExchange)"
        }
    }

    private func show(_ value: some Any, _ what: String) {
        watch.looked(at: .secretsStayInside)
        guard let forms = watch.newForms(of: value, what) else { return }
        watch.expectNoSecret(in: forms) { secret in
            "\(secret) is in \(what), in its reflection\(lastExchange)"
        }
    }

    /// The newest request, for findings.
    ///
    /// It shows where the secret may come from.
    private var lastExchange: String {
        guard let last = world.events.all.last(where: { $0.name == .requestBegan }) else { return "" }
        return ", after \(last[.method] ?? "") \(last[.route] ?? "")"
    }
}

extension String {
    fileprivate var trimmedSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension Duration {
    fileprivate func isWithinFiveSeconds(of other: Duration) -> Bool {
        let difference = self - other
        return difference >= .seconds(-5) && difference <= .seconds(5)
    }
}
