package import Lockstep
internal import LockstepPrimitives

/// An adapter that changes the calls to the real adapter and their results.
///
/// It can act like a cache that confuses users, a faulty backend, or an adapter that ignores cancellation. It changes all
/// portable calls and credentials. It does not support credential types that only the real adapter knows.
package struct AlteredAdapter: AuthAdapter {
    /// A kind of call.
    package enum Call: Sendable, Hashable { case refresh, reload, revoke, account, flow }

    /// The changes to make.
    ///
    /// Omitted parts are not changed.
    package struct Changes: Sendable {
        /// A closure that runs before every call that may send a request.
        ///
        /// It may continue after the call is cancelled.
        package var before: @Sendable () async -> Void = {}
        /// Changes the session that the real adapter receives.
        package var asking: @Sendable (Call, Session) async -> Session = { $1 }
        /// Returns the result of a call in place of the real adapter; `nil` to call the real adapter.
        package var instead: @Sendable (Call, Session?) async throws(AuthError) -> Session? = { _, _ throws(AuthError) in nil }
        /// Changes the result of a call.
        ///
        /// The third argument is the address in a sign-in.
        package var answering: @Sendable (Call, Session?, String?, Session) async throws(AuthError) -> Session = {
            _, _, _, response throws(AuthError) in response
        }
        /// Changes the error of a call.
        package var refusing: @Sendable (Call, AuthError) -> AuthError = { $1 }
        /// Changes the page of a sign-in, together with the notes of its flow.
        package var redirecting: @Sendable (RedirectStep, FlowMemory) -> RedirectStep = { redirect, _ in redirect }
        /// Replaces the part that handles sessions.
        ///
        /// This happens before any other change.
        package var sessions: @Sendable (any SessionAuthority) -> any SessionAuthority = { $0 }
        /// Another name for the backend; `nil` for the real one.
        package var backend: String?

        package init() {}
    }

    let base: any AuthAdapter
    let changes: Changes

    package init(_ base: any AuthAdapter, _ change: (inout Changes) -> Void) {
        self.base = base
        var changes = Changes()
        change(&changes)
        self.changes = changes
    }

    package var name: String { base.name }
    package var backend: String { changes.backend ?? base.backend }
    package var signIn: SignInStrategies {
        // This code calls `buildBlock` directly, because the parts already exist.
        return SignInStrategies.buildBlock(
            altered(PasswordCredential.self), altered(EmailLinkCredential.self), altered(EmailCodeCredential.self),
            altered(PhoneCodeCredential.self), altered(AnonymousCredential.self), altered(IDTokenCredential.self),
            altered(OAuthCredential.self), altered(PasskeyCredential.self), altered(TicketCredential.self))
    }

    private func altered<C: Credential>(_ type: C.Type) -> SignInStrategies {
        guard let strategy = base.signIn.strategy(for: type) else { return SignInStrategies.buildOptional(nil) }
        return SignInStrategies.buildExpression(AlteredSignIn(base: strategy, changes: changes))
    }

    package var verification: [any VerificationStrategy] {
        base.verification.map { AlteredVerification(base: $0, changes: changes) }
    }
    package var sessions: any SessionAuthority { AlteredSessions(base: changes.sessions(base.sessions), changes: changes) }
    package var callbacks: any CallbackReading { base.callbacks }
    package var unrequestedLinks: (any UnrequestedLinks)? { base.unrequestedLinks }
    package var signOutScopes: Set<SignOutScope> { base.signOutScopes }
    package var passwordReset: (any PasswordReset)? { base.passwordReset.map { AlteredReset(base: $0, changes: changes) } }
    package var profile: (any ProfileUpdate)? { base.profile.map { AlteredProfile(base: $0, changes: changes) } }
    package var passwordChange: (any PasswordChange)? {
        base.passwordChange.map { AlteredPasswordChange(base: $0, changes: changes) }
    }
    package var emailChange: (any EmailChange)? { base.emailChange.map { AlteredEmailChange(base: $0, changes: changes) } }
    package var linking: (any IdentityLinking)? { base.linking.map { AlteredLinking(base: $0, changes: changes) } }
    package var secondFactors: (any SecondFactors)? { base.secondFactors.map { AlteredFactors(base: $0, changes: changes) } }
    package var passkeys: (any PasskeyManagement)? { base.passkeys.map { AlteredPasskeys(base: $0, changes: changes) } }
    package var organizations: (any OrganizationSwitching)? {
        base.organizations.map { AlteredOrganizations(base: $0, changes: changes) }
    }
    package var photoUpload: (any PhotoUpload)? { base.photoUpload.map { AlteredPhotos(base: $0, changes: changes) } }
    package var reauthentication: (any Reauthentication)? { base.reauthentication }
    package var accountDeletion: (any AccountDeletion)? {
        base.accountDeletion.map { AlteredDeletion(base: $0, changes: changes) }
    }
    package var acceptsCaptcha: Bool { base.acceptsCaptcha }
    package var addressVerification: (any AddressVerification)? { base.addressVerification }
    package var executor: (any TaskExecutor)? { base.executor }
}

extension AlteredAdapter.Changes {
    func call(
        _ call: AlteredAdapter.Call, _ session: Session?, _ address: String? = nil,
        _ body: @Sendable (Session?) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        await before()
        if let other = try await instead(call, session) { return try await answering(call, session, address, other) }
        var sent = session
        if let session { sent = await asking(call, session) }
        do throws(AuthError) {
            return try await answering(call, session, address, try await body(sent))
        } catch {
            throw refusing(call, error)
        }
    }

    /// Changes a call whose response is not a session.
    func passing<Result>(
        _ call: AlteredAdapter.Call, _ session: Session, _ body: (Session) async throws(AuthError) -> Result
    ) async throws(AuthError) -> Result {
        await before()
        do throws(AuthError) {
            return try await body(await asking(call, session))
        } catch {
            throw refusing(call, error)
        }
    }

    func step(
        _ session: Session?, _ address: String?, _ body: (Session?) async throws(AuthError) -> AuthStep
    ) async throws(AuthError) -> AuthStep {
        await before()
        if let other = try await instead(.flow, session) {
            return .complete(try await answering(.flow, session, address, other))
        }
        let step: AuthStep
        var sent = session
        if let session { sent = await asking(.flow, session) }
        do throws(AuthError) { step = try await body(sent) } catch { throw refusing(.flow, error) }
        guard case .complete(let response) = step else { return step }
        return .complete(try await answering(.flow, session, address, response))
    }
}

private struct AlteredSessions: SessionAuthority {
    let base: any SessionAuthority
    let changes: AlteredAdapter.Changes

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        try await changes.call(.refresh, session) { sent throws(AuthError) in try await base.refresh(sent ?? session) }
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        try await changes.call(.reload, session) { sent throws(AuthError) in try await base.reload(sent ?? session) }
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        try await changes.passing(.revoke, session) { sent throws(AuthError) in try await base.revoke(sent, scope: scope) }
    }
}

private struct AlteredSignIn<C: Credential>: SignInStrategy {
    let base: any SignInStrategy<C>
    let changes: AlteredAdapter.Changes

    var acceptsMetadata: Bool { base.acceptsMetadata }

    func supports(_ purpose: CredentialPurpose) -> Bool { base.supports(purpose) }

    func begin(_ credential: C, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let session: Session? =
            switch purpose {
            case .link(let session), .reauthenticate(let session): session
            case .signIn, .signUp: nil
            }
        let step = try await changes.step(session, credential.address) { sent throws(AuthError) in
            try await base.begin(credential, for: purpose.with(sent), in: flow)
        }
        guard case .redirect(let redirect) = step else { return step }
        return .redirect(changes.redirecting(redirect, flow))
    }
}

private struct AlteredVerification: VerificationStrategy {
    let base: any VerificationStrategy
    let changes: AlteredAdapter.Changes

    var capability: Capability { base.capability }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { base.accepts(response, in: kind) }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        await changes.before()
        return try await base.prepare(flow)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await changes.step(flow.session, nil) { _ throws(AuthError) in try await base.attempt(response, in: flow) }
    }
}

private struct AlteredReset: PasswordReset {
    let base: any PasswordReset
    let changes: AlteredAdapter.Changes

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await changes.step(nil, email) { _ throws(AuthError) in try await base.begin(email: email, in: flow) }
    }
}

extension CredentialPurpose {
    /// Returns the same purpose with another session, if the purpose has a session.
    fileprivate func with(_ session: Session?) -> CredentialPurpose {
        guard let session else { return self }
        return switch self {
        case .link: .link(to: session)
        case .reauthenticate: .reauthenticate(session)
        case .signIn, .signUp: self
        }
    }
}
