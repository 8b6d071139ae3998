import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// Enterprise connections: companies' identity providers, which sign in the users with addresses of their domains
    /// (https://clerk.com/docs/guides/configure/auth-strategies/enterprise-connections/overview).
    static let enterprise = Extension(
        tables: [
            EnterpriseConnectionRecord.table.definition, EnterpriseAccountRecord.table.definition,
            EnterpriseTestRunRecord.table.definition,
        ],
        settings: EnterpriseSetting.section, setting: EnterpriseSetting.find, contradiction: EnterpriseSetting.contradiction,
        frontend: enterpriseRoutes, backend: backendEnterpriseRoutes,
        strategy: ExtensionStrategy(
            name: EnterpriseFlow.strategy,
            createSignIn: { try $0.enterpriseFlow.createSignIn() },
            prepareSignIn: { try $0.enterpriseFlow.prepare(&$1) },
            prepareSignUp: { try $0.enterpriseFlow.prepare(&$1) },
            addressVerification: { try $0.enterpriseFlow.proof(of: $1) },
            sessionProof: { try $0.enterpriseFlow.proof(of: $1) },
            hasProven: EnterpriseGate.hasProven,
            factors: { try $0.enterpriseConnections.factors(for: $1) },
            reverificationFactors: { try $0.enterpriseAccounts.factors(of: $1) },
            hasGiven: { $0.connectionID != nil }, accounts: { $0.enterpriseAccounts }),
        reserves: { try !$0.enterpriseConnections.active(for: $1).isEmpty },
        identifierRefusal: { context, identifier, user in
            let goesAround = try identifier.attribute != "email_address" && context.enterpriseAccounts.isBound(user)
            return goesAround ? .mustUseEnterpriseIdentifier : nil
        },
        signInRefusal: { try $0.enterpriseGate.refusal(of: $1, $2) },
        additionRefusal: { try $0.enterpriseAccounts.refusesMore(of: $1) ? .enterpriseIdentificationsDisabled : nil },
        missingFields: { try $0.enterpriseGate.isMissing(in: $1) ? [EnterpriseFlow.strategy] : [] },
        callback: { try $0.enterpriseCallback.answer($1, $2) },
        userMembers: { ["enterprise_accounts": .array(try $0.enterpriseAccounts.json(of: $1))] },
        environmentMembers: {
            [
                "enterprise_sso": [
                    "enabled": .bool(try $0.enterpriseConnections.all().contains(where: \.isActive)),
                    "self_serve_sso": .bool($0.settings.enterprise.isSelfServed),
                ]
            ]
        })

    private static var enterpriseRoutes: [Endpoint] {
        managed("/v1/me/enterprise_connections", isOfOrganization: false)
            + managed("/v1/organizations/{organization_id}/enterprise_connections", isOfOrganization: true) + testRuns
    }

    private static var testRuns: [Endpoint] {
        let one = "/v1/enterprise_connections/{enterprise_connection_id}"
        return [
            .get(one + "/init_test_run", .anyone, .repeats) { try EnterpriseTestRoutes(context: $0).begin() },
            .get(one + "/test_runs/{test_run_id}", .anyone, .repeats) { try EnterpriseTestRoutes(context: $0).result() },
        ]
    }

    private static func managed(_ path: String, isOfOrganization: Bool) -> [Endpoint] {
        let one = path + "/{enterprise_connection_id}"
        return [
            .get(path, .user, .repeats) {
                try EnterpriseConnectionRoutes(context: $0, isOfOrganization: isOfOrganization).list()
            },
            .post(path, .user, .repeats) {
                try EnterpriseConnectionRoutes(context: $0, isOfOrganization: isOfOrganization).create()
            },
            .patch(one, .user, .repeats) {
                try EnterpriseConnectionRoutes(context: $0, isOfOrganization: isOfOrganization).update()
            },
            .delete(one, .user, .repeats) {
                try EnterpriseConnectionRoutes(context: $0, isOfOrganization: isOfOrganization).delete()
            },
            .get(one + "/test_runs", .user, .repeats) {
                try EnterpriseConnectionRoutes(context: $0, isOfOrganization: isOfOrganization).testRuns()
            },
            .post(one + "/test_runs", .user, .repeats) {
                try EnterpriseConnectionRoutes(context: $0, isOfOrganization: isOfOrganization).createTestRun()
            },
        ]
    }

    private static var backendEnterpriseRoutes: [Endpoint] {
        let one = "/enterprise_connections/{enterprise_connection_id}"
        return [
            .get("/enterprise_connections", .server, .writes) { try AdminEnterpriseRoutes(context: $0).list() },
            .post("/enterprise_connections", .server, body: AdminEnterpriseRoutes.createBody) {
                try AdminEnterpriseRoutes(context: $0).create()
            },
            .get(one, .server, .writes) { try AdminEnterpriseRoutes(context: $0).get() },
            .patch(one, .server, body: AdminEnterpriseRoutes.updateBody) { try AdminEnterpriseRoutes(context: $0).update() },
            .delete(one, .server) { try AdminEnterpriseRoutes(context: $0).delete() },
            .get(one + "/test_runs", .server, .writes) { try AdminEnterpriseRoutes(context: $0).testRuns() },
            .post(one + "/test_runs", .server) { try AdminEnterpriseRoutes(context: $0).createTestRun() },
        ]
    }
}

/// Prevents sign-ins and sign-ups from bypassing the provider of a connection.
struct EnterpriseGate {
    let context: RequestContext

    /// Whether the provider of a connection has verified the sign-in; a profile alone may come from an earlier attempt.
    static func hasProven(_ signIn: SignInRecord) -> Bool {
        signIn.profile?.connectionID != nil && signIn.first?.strategy == EnterpriseAccounts.proof.strategy
            && signIn.first?.isVerified == true
    }

    /// Returns the error of a sign-in that bypasses a connection's provider; `nil` if it does not.
    ///
    /// A user with an address in a connection's domain must sign in with its provider, whether the sign-in contains the
    /// address or a message was sent to it. A user of the provider signs in with the address, not with a user name,
    /// number or passkey. A ticket of the Backend API comes from an administrator, who may bypass the provider.
    func refusal(of signIn: SignInRecord, _ user: UserRecord) throws -> ClerkError? {
        if Self.hasProven(signIn) { return nil }
        if let id = signIn.ticketID,
            [.signInToken, .actorToken].contains(try context.tickets.open(id: id, asksTime: false).kind)
        {
            return nil
        }
        let target = signIn.first?.target
        let row = try target.flatMap { try context.db.find(IdentificationRecord.self, "id = \($0)") }
        for address in [signIn.identifier, row?.value]
        where try !context.enterpriseConnections.active(for: address).isEmpty {
            return .strategyInvalidForUser
        }
        // The other tickets verify an address, which does not belong to a connection's domain here.
        guard signIn.ticketID == nil, signIn.identifierKind != "email_address",
            try context.enterpriseAccounts.isBound(user)
        else { return nil }
        return .mustUseEnterpriseIdentifier
    }

    /// Whether the domain of a sign-up's address has connections, and none of them has verified the address.
    func isMissing(in signUp: SignUpRecord) throws -> Bool {
        let connections = try context.enterpriseConnections.active(for: signUp.emailAddress)
        guard !connections.isEmpty else { return false }
        guard signUp.externalVerification?.isVerified == true, let id = signUp.profile?.connectionID else { return true }
        return !connections.contains { $0.id.exact == id.exact } || signUp.profile?.email != signUp.emailAddress
    }
}

extension IdentifierKind {
    static let enterpriseConnection = Self("entconn"), enterpriseAccount = Self("entacc"), testRun = Self("entrun")
}

extension RequestContext {
    var enterpriseAccounts: EnterpriseAccounts { EnterpriseAccounts(context: self) }
    var enterpriseCallback: EnterpriseCallback { EnterpriseCallback(context: self) }
    var enterpriseConnections: EnterpriseConnections { EnterpriseConnections(context: self) }
    var enterpriseFlow: EnterpriseFlow { EnterpriseFlow(context: self) }
    var enterpriseGate: EnterpriseGate { EnterpriseGate(context: self) }
    var enterpriseJSON: EnterpriseJSON { EnterpriseJSON(context: self) }
    var enterpriseTestRuns: EnterpriseTestRuns { EnterpriseTestRuns(context: self) }
}
