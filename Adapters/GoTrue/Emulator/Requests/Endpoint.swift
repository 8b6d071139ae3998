internal import LockstepEmulation

/// The handler of one route.
protocol FormerEndpoint: Sendable {
    /// Whether it only reads and needs no transaction.
    var isReading: Bool { get }

    /// Answers a request; runs again after each deferred work.
    ///
    /// - Throws: `GoTrueError` for a refusal, `Redirected` for one that redirects a browser.
    func answer(_ context: RequestContext) throws -> EmulatorResponse
}

extension FormerEndpoint {
    var isReading: Bool { false }
}

/// The rules that endpoints use, each a small type over the request.
extension RequestContext {
    var authenticator: BearerAuthenticator { BearerAuthenticator(context: self) }
    var limits: RequestLimits { RequestLimits(context: self) }
    var accounts: Accounts { Accounts(context: self) }
    var passwords: Passwords { Passwords(context: self) }
    var signUps: SignUps { SignUps(context: self) }
    var sessions: Sessions { Sessions(context: self) }
    var verification: Verification { Verification(context: self) }
    var flows: Flows { Flows(context: self) }
    var factors: FactorRules { FactorRules(context: self) }
    var passkeys: Passkeys { Passkeys(context: self) }
    var providerSignIn: ProviderSignIn { ProviderSignIn(context: self) }
    var providerClient: ProviderClient { ProviderClient(context: self) }
    var mailer: Mailer { Mailer(context: self) }
    var textMessages: TextMessages { TextMessages(context: self) }
    var hooks: Hooks { Hooks(context: self) }
    var auditLog: AuditLog { AuditLog(context: self) }
}
