internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension UserMove {
    /// Creates canaries, and tries whether they can sign in.
    func prove(
        _ canaries: [Canary], through adapter: any AuthAdapter, _ report: inout CanaryReport
    ) async throws(MigrationError) {
        let refusals = try await create(canaries)
        try await trustNewDevices(of: canaries)
        var end: String?
        for canary in canaries {
            let result: CanaryReport.Result =
                if let refusal = refusals[canary.key.exact] {
                    .fails("the target does not create such a user: \(refusal.message)")
                } else {
                    try await result(of: canary, through: adapter, &end)
                }
            report.checks.append(.init(claim: canary.claim, hashKind: canary.hashKind, result: result))
        }
        // Once more, now that all requests for them have arrived: at no moment means also later.
        for (index, canary) in canaries.enumerated() where canary.expectation != .session && report.checks[index].result == .holds
        {
            let result = try await result(of: canary, through: adapter, &end)
            report.checks[index] = .init(claim: canary.claim, hashKind: canary.hashKind, result: result)
        }
    }

    /// Lets the canaries sign in on a new device without a code, if the operator has chosen this.
    private func trustNewDevices(of canaries: [Canary]) async throws(MigrationError) {
        guard let trust = target.trustNewDevices else { return }
        for user in try await targetUsers(canaries.map { request(for: $0.new) }).values {
            try await asking("the target does not change a temporary user") { () throws(AuthError) in try await trust(user.id) }
        }
    }

    /// Creates canaries.
    ///
    /// If a request fails on the way, looks the canary up, and sends it again if it is missing.
    ///
    /// - Returns: The rejections by the target, by id.
    private func create(_ canaries: [Canary]) async throws(MigrationError) -> [ExactString: AuthError] {
        var refusals: [ExactString: AuthError] = [:]
        var open = canaries
        var patience = Patience(self)
        while !open.isEmpty {
            guard !Task.isCancelled else { throw Self.cancelled }
            let outcomes = await target.directory.create(open.map(\.new))
            var rest: [Canary] = []
            var failure: AuthError?
            for (canary, outcome) in zip(open, outcomes) {
                switch outcome {
                case .done: break
                case .refused(let error): refusals[canary.key.exact] = error
                case .unknown(let error), .notSent(let error):
                    rest.append(canary)
                    failure = failure ?? error
                }
            }
            if let failure { try await patience.wait(after: failure, "the target did not create temporary users") }
            let there = try await targetUsers(rest.map { request(for: $0.new) })
            open = rest.filter { there[request(for: $0.new).key] == nil }
        }
        return refusals
    }

    /// Returns whether the claim of a canary is true.
    ///
    /// - Parameters:
    ///   - canary: The canary.
    ///   - adapter: The adapter that signs in.
    ///   - end: The reason why no sign-in can show anything; `nil` as long as there is none.
    /// - Returns: The result.
    /// - Throws: `stopped`, `cancelled`.
    private func result(
        of canary: Canary, through adapter: any AuthAdapter, _ end: inout String?
    ) async throws(MigrationError) -> CanaryReport.Result {
        if let end { return .notTried(end) }
        switch (canary.expectation, try await signIn(canary, canary.password, through: adapter)) {
        case (.session, .session):
            // The session shows something only if another password gives none.
            switch try await signIn(canary, CanaryMaker(self).password(), through: adapter) {
            case .session, .asksForMore: return .fails("the target accepts any password")
            case .refused(let error): return judge(error, expecting: [.invalidCredentials], &end)
            }
        case (.refusal, .session), (.noSession, .session): return .fails("the user has signed in")
        case (.session, .asksForMore) where target.asksNewDevices:
            return .notTried("the target may ask for a code at the first sign-in on a device, and did")
        case (.session, .asksForMore), (.refusal, .asksForMore): return .fails("the target requires more than the password")
        case (.noSession, .asksForMore): return .holds
        case (let expectation, .refused(let error)): return judge(error, expecting: expectation.refusals, &end)
        }
    }

    /// Judges an error: only an expected one supports a claim.
    ///
    /// An error about the app, such as a key that a gateway rejects, says nothing about the user.
    private func judge(_ error: AuthError, expecting codes: Set<AuthError.Code>, _ end: inout String?) -> CanaryReport.Result {
        let words = "\(error.message) (\(error.code))"
        if codes.contains(error.code) { return .holds }
        if AuthError.Code.ofUsers.contains(error.code) { return .fails("the target rejected the sign-in: \(words)") }
        let reason = "the target did not check the password: \(words)"
        if AuthError.Code.ofApps.contains(error.code) { end = reason }
        return .notTried(reason)
    }

    private enum SignInOutcome {
        case session
        case asksForMore
        case refused(AuthError)
    }

    /// Signs in like an app; repeats a request that fails on the way.
    private func signIn(
        _ canary: Canary, _ password: Secret, through adapter: any AuthAdapter
    ) async throws(MigrationError) -> SignInOutcome {
        var patience = Patience(self)
        while true {
            let client = AuthClient(adapter: adapter, store: MemorySessionStore())
            do throws(AuthError) {
                let step = try await client.signIn(with: .password(email: canary.email, password: password))
                if case .verify(let challenge) = step, challenge.channel == .captcha {
                    return .refused(AuthError(.captchaRequired, "The target requires a captcha."))
                }
                return step.session == nil ? .asksForMore : .session
            } catch {
                guard error.mayPass, !canary.expectation.refusals.contains(error.code) else { return .refused(error) }
                try await patience.wait(after: error, "the sign-in of a temporary user got no response")
            }
        }
    }
}

extension Canary.Expectation {
    /// The errors that are as expected.
    fileprivate var refusals: Set<AuthError.Code> {
        switch self {
        case .session: []
        case .refusal: [.userDisabled]
        // A server that cannot send an email to the domain has found the password right, and opened no session.
        case .noSession: [.verificationRequired, .messageNotSent, .invalidEmail]
        }
    }
}

extension AuthError.Code {
    /// Decisions about a user.
    fileprivate static let ofUsers: Set<Self> = [
        .invalidCredentials, .userNotFound, .userDisabled, .userDeleted, .verificationRequired, .secondFactorRequired,
        .weakPassword,
    ]
    /// Decisions about the app, which every user gets.
    fileprivate static let ofApps: Set<Self> = [
        .invalidKey, .accessTokenRefused, .invalidConfiguration, .captchaRequired, .notEnabled, .unsupported,
    ]
}
