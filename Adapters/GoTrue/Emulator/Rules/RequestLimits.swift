internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTestSupport

/// Limits for each caller, and for the whole server.
struct CallerLimits: Sendable {
    enum Bucket: Hashable, CaseIterable {
        case token, web3, verify, otp, magicLink, recover, resend, signUp, anonymous, user, factorVerify, factorChallenge,
            passkey, sso
    }

    private let header: String?
    private let buckets: [Bucket: RateLimiter]
    let mails: SendingLimiter?
    let messages: SendingLimiter?

    init(_ settings: LimitSettings, clock: ManualClock) {
        header = settings.header
        func refill(_ name: String) -> Duration { .seconds(300) * 30 / max(1, settings.perFiveMinutes[name] ?? 30) }
        buckets = Dictionary(
            uniqueKeysWithValues: Bucket.allCases.map { bucket in
                let period: Duration =
                    switch bucket {
                    case .token: refill("TOKEN_REFRESH")
                    case .web3: refill("WEB3")
                    case .verify: refill("VERIFY")
                    case .otp, .magicLink, .recover, .resend, .signUp, .user: refill("OTP")
                    case .passkey: refill("PASSKEY")
                    case .sso: refill("SSO")
                    case .anonymous: .seconds(3600) * 30 / max(1, settings.anonymousPerHour)
                    case .factorVerify, .factorChallenge: .seconds(60) * 30 / max(1, settings.factorsPerMinute)
                    }
                return (bucket, RateLimiter(30, per: period, clock: clock))
            })
        mails = settings.mails.map { SendingLimiter($0, clock: clock) }
        messages = settings.messages.map { SendingLimiter($0, clock: clock) }
    }

    /// Counts a request; if the settings or the request contain no header, there is no limit.
    func admit(_ request: EmulatorRequest, _ bucket: Bucket) -> Bool {
        guard let header, let value = request.headers[header] else { return true }
        let caller = value.pieces(at: ",").first.map { $0.filter { $0 != " " } } ?? ""
        guard !caller.isEmpty, let limiter = buckets[bucket] else { return true }
        return limiter.admit(caller) == nil
    }

    func reset() {
        for limiter in buckets.values { limiter.reset() }
        mails?.reset()
        messages?.reset()
    }
}

/// Rejects requests that come too often, or without a required captcha token.
struct RequestLimits {
    let context: RequestContext

    /// Counts this request for a caller's limit.
    func admit(_ bucket: CallerLimits.Bucket) throws(GoTrueError) {
        guard context.isFirst("request limit") else { return }
        guard context.state.limits.admit(context.request, bucket) else { throw GoTrueError.tooManyRequests }
    }

    /// Requires a captcha token if the settings require it.
    func requireCaptcha(_ body: Body) throws(GoTrueError) {
        guard context.settings.asksForCaptcha else { return }
        if let claims = context.call.claims, context.settings.tokens.adminRoles.contains(claims.role) { return }
        if context.authenticator.isAdministrator { return }
        let token = body.object("gotrue_meta_security")?["captcha_token"]?.string ?? ""
        if Self.passing.contains(token) { return }
        let isBlank = token.allSatisfy { $0 == " " }
        throw GoTrueError.captchaFailed(isBlank ? "no captcha_token found" : "invalid-input-response")
    }

    /// The tokens that captcha providers return in tests.
    ///
    /// Their test secrets accept these tokens (https://docs.hcaptcha.com/#integration-testing-test-keys,
    /// https://developers.cloudflare.com/turnstile/troubleshooting/testing/).
    private static let passing: Set<String> = ["10000000-aaaa-bbbb-cccc-000000000001", "XXXX.DUMMY.TOKEN.XXXX"]
}
