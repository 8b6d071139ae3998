internal import Lockstep
internal import LockstepContracts
internal import LockstepInMemory
internal import LockstepPrimitives
internal import LockstepTestSupport

/// All controls of a backend in the same process.
struct InMemoryControls: Sendable {
    let backend: InMemoryBackend
    let clock: ManualClock
}

extension InMemoryControls: Outbox {
    func messages() async throws -> [SentMessage] {
        await backend.messages.map {
            SentMessage(
                channel: $0.recipient.hasPrefix("+") ? .sms : .email, recipient: $0.recipient, link: $0.link, code: $0.code)
        }
    }
}

extension InMemoryControls: Browser {
    /// Follows a link: on an identity provider's page, the person approves; a link in a message opens the app
    /// immediately.
    func follow(_ link: String) async throws -> String? {
        guard link.hasPrefix(InMemoryBackend.pages) else { return link }
        return try await backend.consent(
            to: link, as: InMemoryIDToken(subject: "grace", name: "Grace Hopper", expiresAt: .distantFuture))
    }

    func confirm(_ link: String) async throws { try await backend.confirm(link: link) }

    func scan(_ link: String, _ method: ScanMethod) async throws {}
}

extension InMemoryControls: BackendClock {
    func advance(by duration: Duration) async throws { clock.advance(by: duration) }
}

extension InMemoryControls: RequestTrace {
    var totals: RequestTotals { RequestTotals(requests: backend.traffic.requests.count) }

    var requests: [TracedRequest]? {
        backend.traffic.all.enumerated().map { place, request in
            TracedRequest(
                name: "\(request.kind.rawValue) (\(request.question))",
                identity: request.isTokenRefused ? "\(request.question) \(place)" : request.question, isSafe: false,
                call: request.traceID)
        }
    }

    var transcript: String { backend.traffic.requests.map(\.rawValue).joined(separator: "\n") }
}

extension InMemoryControls: IdentityIssuer {
    var provider: IdentityProvider { .apple }
    var tokenLife: Duration { .seconds(600) }

    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        if flaw == .foreignKey { return Secret(SystemRandomness().text(40)) }
        var token = InMemoryIDToken(
            subject: subject.id, email: subject.email, nonce: subject.nonce, name: subject.name,
            isForThisApp: flaw != .wrongAudience, isFromTrustedIssuer: flaw != .wrongIssuer,
            expiresAt: clock.now + (flaw == .expired ? .seconds(-3600) : tokenLife))
        token.isEmailVerified = subject.isEmailVerified
        return await backend.issue(token)
    }
}

extension InMemoryControls: IdentityPage {
    func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        var person = InMemoryIDToken(
            subject: subject.id, email: subject.email, name: subject.name, expiresAt: .distantFuture)
        person.isEmailVerified = subject.isEmailVerified
        return try await backend.consent(to: page, as: person)
    }

    func refuse(_ page: String) async throws -> String? { "\(backend.settings.callbackURL)?error=access_denied" }
}

extension InMemoryControls: PasskeySheet {
    func create(_ options: JSON, of userID: String) async throws -> JSON { try await sign(options, as: userID) }

    func sign(_ options: JSON, as userID: String) async throws -> JSON {
        ["challenge": options["challenge"] ?? .null, "key": .string("key of \(userID)")]
    }
}

extension InMemoryControls: AuthenticatorApps {
    func code(for key: Secret) async throws -> Secret {
        guard let code = await backend.code(forFactorKey: key) else { throw HarnessFailure("No enrollment returned this key.") }
        return code
    }
}

extension InMemoryControls: BackendAdministrator {
    func users() async throws -> [StoredUser] {
        var stored: [StoredUser] = []
        for user in await backend.users {
            let isDisabled = await backend.isDisabled(user.id)
            stored.append(
                StoredUser(
                    id: user.id, email: user.email, isEmailVerified: user.isEmailVerified, displayName: user.displayName,
                    isDisabled: isDisabled))
        }
        return stored
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        await backend.create(
            email: email, password: Secret(password), isEmailVerified: isEmailVerified, displayName: displayName)
    }

    func rename(_ userID: String, to displayName: String) async throws { await backend.rename(userID, to: displayName) }

    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        await backend.setEmailVerified(isVerified, of: userID)
    }

    func demandCaptcha() async throws -> Secret {
        let isEverywhere = backend.settings.behavior.captcha == .everyEntry
        return await backend.demandCaptcha(at: isEverywhere ? [.signUp, .signIn, .reset, .resend] : [.signUp])
    }

    func createOrganization(named name: String, members: [String]) async throws -> String {
        await backend.createOrganization(named: name, members: members)
    }

    func disable(_ userID: String) async throws { await backend.disable(userID) }

    func delete(_ userID: String) async throws { await backend.delete(userID) }

    func endSessions(of userID: String) async throws { await backend.endSessions(of: userID) }

    func setPassword(_ password: String, of userID: String) async throws {
        await backend.setPassword(Secret(password), of: userID)
    }

    func switchOff(_ capability: Capability) async throws { await backend.switchOff(capability) }

    func create(phone: String) async throws -> String { await backend.create(phone: phone) }

    func ticket(for userID: String) async throws -> Secret { await backend.ticket(for: userID) }

    func invitation(to email: String) async throws -> String? {
        guard backend.settings.capabilities.contains(.ticket) else { return nil }
        let id = await backend.create(
            email: email, password: Secret(SystemRandomness().text(24)), isEmailVerified: true, displayName: nil)
        return try await link(with: await backend.ticket(for: id))
    }

    func link(with ticket: Secret) async throws -> String? {
        backend.settings.callbackURL + "?ticket=" + Percent.encode(ticket.reveal())
    }

    func addFactor(to userID: String) async throws -> EnrolledFactor {
        let codes = await backend.addFactor(to: userID)
        return EnrolledFactor(.authenticatorApp, backupCodes: codes.backupCodes) { codes.code }
    }

    func demandNewPassword(of userID: String) async throws { await backend.demandNewPassword(of: userID) }

    func demand(_ field: MissingFieldsStep.Field) async throws { await backend.demand(field) }

    func accepts(accessToken: Secret) async throws -> Bool { await backend.accepts(accessToken: accessToken) }

    func accepts(refreshToken: Secret) async throws -> Bool { await backend.accepts(refreshToken: refreshToken) }
}

extension InMemoryControls: Faults {
    func inject(_ fault: Fault, on requests: FaultTarget, skipping skip: Int, times: Int?) async throws {
        let kind: InMemoryRequestKind? =
            switch requests {
            case .any: nil
            case .refresh: .refresh
            case .signUp: .signUp
            case .signIn: .signIn
            case .signOut: .signOut
            case .resend: .resend
            case .reset: .reset
            case .verification: .verification
            case .newPassword: .newPassword
            case .user: .user
            case .change: .change
            case .delete: .delete
            }
        await backend.inject(fault.inMemory, on: kind, skipping: skip, times: times)
    }

    func clear() async throws { await backend.clearFaults() }

    func untilHanging(_ count: Int) async throws { await backend.untilHanging(count) }

    func release() async throws { await backend.release() }
}

extension Fault {
    /// The error that an adapter with a network would throw.
    fileprivate var inMemory: InMemoryFault {
        func refusal(_ code: AuthError.Code, _ sentence: String, _ retry: RetryAdvice, _ provider: ProviderDetail? = nil)
            -> InMemoryFault
        {
            .refusal(AuthError(code, sentence, retry: retry, provider: provider))
        }
        switch self {
        case .offline: return refusal(.network, "The backend cannot be reached.", .now)
        case .faulty: return refusal(.network, "The client cannot open a secure connection to the backend.", .now)
        case .closed: return refusal(.network, "The connection was closed before a response arrived.", .now)
        case .answerLost:
            return .answerLost(AuthError(.network, "The connection was closed before a response arrived.", retry: .now))
        case .earlierAnswer: return .earlierAnswer
        case .proxyRefusal(let status, _):
            return refusal(.invalidResponse, "The response is not from the backend.", .never, ProviderDetail(status: status))
        case .hang: return .hang
        case .answerHeld: return .answerHeld
        case .status(429, let time):
            return refusal(.tooManyRequests, "Too many requests.", time.map { .after($0) } ?? .now, ProviderDetail(status: 429))
        case .status(let status, let time):
            return refusal(
                .serverUnavailable, "The backend has a problem.", time.map { .after($0) } ?? .now, ProviderDetail(status: status))
        // The backend has done its work, but its response cannot be read.
        case .garbage(.byteOrderMark), .garbage(.repeatedNames), .absurdNumbers:
            return .answerLost(
                AuthError(.invalidResponse, "The backend returned an incomplete or malformed response.", retry: .now))
        case .garbage: return refusal(.invalidResponse, "The backend returned an incomplete or malformed response.", .now)
        case .unknownCode(let code, let status):
            return refusal(
                .unknown, "The backend returned an unknown error code.", .never, ProviderDetail(code: code, status: status))
        case .refusedCredential:
            return refusal(
                .sessionRevoked, "The session has ended on the backend.", .never,
                ProviderDetail(code: "session_over", status: 401))
        // There is no network, so no response can quote a secret.
        case .quoting:
            return refusal(.unknown, "The backend returned an unknown error code.", .never, ProviderDetail(status: 400))
        case .rateLimited(let time):
            return refusal(.tooManyRequests, "Too many requests.", .after(time), ProviderDetail(code: "rate_limit", status: 429))
        case .unknownStep(let name): return .unknownStep(name)
        case .tokenSuffix(let suffix): return .tokenSuffix(suffix)
        case .otherAddress(let address): return .otherAddress(address)
        case .messageNotSent: return .messageNotSent
        }
    }
}
