internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A project, or one tenant of it: the owner of users, codes and sessions.
struct ProjectScope: Sendable {
    let id: Int64
    let project: String
    /// `nil` for the project itself.
    let tenant: String?
    /// The settings as administrators read and write them.
    let config: JSONObject
    /// The rules that follow from them and from the server's settings.
    let rules: Rules

    /// Before the sender is admitted: no row belongs to it.
    static let nowhere = ProjectScope(id: 0, project: "", tenant: nil, config: [:], rules: Rules())
}

/// Reads and writes projects and tenants, inside the request's transaction.
struct ProjectScopeRepository {
    let context: RequestContext

    /// The project or tenant that a request names.
    ///
    /// It exists from then on, whatever becomes of the request, as in Firebase's emulator: so the first request that names one creates
    /// it by deferred work, which a roll-back of the request leaves in place.
    func named(project: String, tenant: String? = nil) throws -> ProjectScope {
        if let found = try find(project: project, tenant: tenant) { return found }
        _ = try context.result(of: ScopeCreation(rows: rows(project: project, tenant: tenant), database: context.state.database))
        // Also where it was deleted meanwhile.
        return try created(project: project, tenant: tenant)
    }

    /// The project or tenant, created in this transaction where it is missing.
    ///
    /// - Parameter config: that of a tenant that does not exist yet.
    func created(project: String, tenant: String? = nil, config: JSONObject = TenantConfig.mentioned) throws -> ProjectScope {
        if let found = try find(project: project, tenant: tenant) { return found }
        for row in rows(project: project, tenant: tenant, config: config) { try context.db.insert(row) }
        guard let created = try find(project: project, tenant: tenant) else { throw APIError.inside("No project \(project).") }
        return created
    }

    /// Replaces the configuration of a project or tenant.
    @discardableResult
    func setConfig(_ config: JSONObject, of scope: ProjectScope) throws -> ProjectScope {
        try context.db.run("UPDATE spaces SET config = \(JSON.object(config).text()) WHERE id = \(scope.id)")
        return try ProjectScope(
            id: scope.id, project: scope.project, tenant: scope.tenant, config: config,
            rules: rules(config, project: scope.project, tenant: scope.tenant))
    }

    /// The configurations of a project's tenants after an id, in the order of their ids.
    func tenants(of project: String, after id: String, limit: Int) throws -> [(id: String, config: JSONObject)] {
        try context.db.all(
            """
            SELECT tenant, config FROM spaces WHERE project = \(project) AND tenant <> '' AND tenant > \(id)
            ORDER BY tenant LIMIT \(limit)
            """
        ) { row throws(SQLiteError) in (id: try row[0], config: Self.object(try row[1])) }
    }

    /// Whether there is such a project or tenant.
    func has(project: String, tenant: String?) throws -> Bool { try find(project: project, tenant: tenant) != nil }

    /// Deletes a tenant and all its data.
    func remove(_ scope: ProjectScope) throws {
        try context.db.run("DELETE FROM spaces WHERE id = \(scope.id)")
    }

    private func find(project: String, tenant: String?) throws -> ProjectScope? {
        let found: (Int64, String)? = try context.db.first(
            "SELECT id, config FROM spaces WHERE project = \(project) AND tenant = \(tenant ?? "")"
        ) { row throws(SQLiteError) in (try row[0], try row[1]) }
        guard let (id, text) = found else { return nil }
        let config = Self.object(text)
        return try ProjectScope(
            id: id, project: project, tenant: tenant, config: config,
            rules: rules(config, project: project, tenant: tenant))
    }

    /// The rules of a configuration; a tenant inherits its project's.
    private func rules(_ config: JSONObject, project: String, tenant: String?) throws -> Rules {
        guard tenant != nil else { return Rules(project: config, settings: context.settings) }
        let text: String? = try context.db.value("SELECT config FROM spaces WHERE project = \(project) AND tenant = ''")
        return Rules(tenant: config, of: Rules(project: text.map(Self.object) ?? [:], settings: context.settings))
    }

    private func rows(project: String, tenant: String?, config: JSONObject = TenantConfig.mentioned) -> [ScopeRow] {
        let own = ScopeRow(project: project, tenant: "", config: JSON.object(context.settings.projectConfig).text())
        guard let tenant else { return [own] }
        let config = TenantConfig.named(config, project: project, tenant: tenant)
        return [own, ScopeRow(project: project, tenant: tenant, config: JSON.object(config).text())]
    }

    private static func object(_ text: String) -> JSONObject { (try? JSON.parse(text))?.object ?? [:] }
}

/// A project or tenant that is created unless there is one of its names.
private struct ScopeRow: Hashable, Sendable {
    let project: String
    let tenant: String
    let config: String
}

/// Creates what a request names for the first time, in a transaction of its own.
private struct ScopeCreation: DeferredWork {
    let rows: [ScopeRow]
    let database: Database

    func run(in environment: EmulationEnvironment) async throws -> Int {
        try database.write { db in
            for row in rows { try db.insert(row) }
            return rows.count
        }
    }

    static func == (left: ScopeCreation, right: ScopeCreation) -> Bool { left.rows == right.rows }

    func hash(into hasher: inout Hasher) { hasher.combine(rows) }
}

extension SQLiteConnection {
    fileprivate mutating func insert(_ row: ScopeRow) throws {
        try run(
            """
            INSERT INTO spaces (project, tenant, config) VALUES (\(row.project), \(row.tenant), \(row.config))
            ON CONFLICT (project, tenant) DO NOTHING
            """)
    }
}

/// The rules that follow from a project's or a tenant's settings.
struct Rules: Sendable, Equatable {
    /// Whether the tenant is disabled and refuses every call.
    var isDisabled = false
    var methods: SignInMethods = .all
    var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration.
    var hidesEmails = false
    /// Whether users with a second factor must give it, whichever kinds may be enrolled.
    var asksForFactors = true
    var asksForTextFactors = true
    var asksForTimeFactors = false
    /// The periods before and after now whose time-based codes are taken, too; 5 unless set.
    var adjacentIntervals = Self.usualIntervals
    var passwordPolicy = PasswordPolicy()
    var authorizedDomains: [String] = []
    var functions = FunctionSettings()

    static let usualIntervals: Int64 = 5
}

extension Rules {
    /// The rules of a project by its `AdminV2Config`.
    init(project config: JSONObject, settings: FirebaseSettings) {
        let signIn = config["signIn"]
        methods = settings.methods
        if signIn?["email"]?["enabled"]?.bool == false { methods.subtract([.password, .emailLink]) }
        if signIn?["email"]?["passwordRequired"]?.bool == true { methods.remove(.emailLink) }
        if signIn?["anonymous"]?["enabled"]?.bool == false { methods.remove(.anonymous) }
        if signIn?["phoneNumber"]?["enabled"]?.bool == false { methods.remove(.phone) }
        allowsDuplicateEmails = signIn?["allowDuplicateEmails"]?.bool ?? false
        hidesEmails = config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false
        if let factors = config["mfa"] { setFactors(factors) } else { asksForTimeFactors = settings.allowsTimeFactors }
        passwordPolicy = config["passwordPolicyConfig"]?.object.map(settings.passwordPolicy.changed) ?? settings.passwordPolicy
        authorizedDomains =
            config["authorizedDomains"]?.array?.compactMap(\.string) ?? settings.authorizedDomains
        functions = FunctionSettings(config["blockingFunctions"])
    }

    /// The rules of a tenant by its `AdminV2Tenant`; missing values are its project's.
    init(tenant config: JSONObject, of project: Rules) {
        self = project
        isDisabled = config["disableAuth"]?.bool ?? false
        if config["allowPasswordSignup"]?.bool != true { methods.remove(.password) }
        if config["enableEmailLinkSignin"]?.bool != true { methods.remove(.emailLink) }
        if config["enableAnonymousUser"]?.bool != true { methods.remove(.anonymous) }
        if let factors = config["mfaConfig"] { setFactors(factors) }
        if let policy = config["passwordPolicyConfig"]?.object { passwordPolicy = project.passwordPolicy.changed(by: policy) }
    }

    /// Refuses a page of a domain that the project does not authorise.
    func requireAuthorized(_ page: WebAddress) throws(APIError) {
        guard !page.hasBackslash, authorizedDomains.contains(where: page.isHost(in:)) else {
            throw .refused(.unauthorizedDomain, "Domain not allowlisted by project")
        }
    }

    private mutating func setFactors(_ config: JSON) {
        let isOn = ["ENABLED", "MANDATORY"].contains(config["state"]?.string)
        asksForTextFactors = isOn && (config["enabledProviders"]?.array ?? []).contains("PHONE_SMS")
        let byTime = (config["providerConfigs"]?.array ?? []).first { provider in
            provider["totpProviderConfig"] != nil && ["ENABLED", "MANDATORY"].contains(provider["state"]?.string)
        }
        asksForTimeFactors = byTime != nil
        let intervals = byTime?["totpProviderConfig"]?["adjacentIntervals"]?.int ?? Self.usualIntervals
        // The range that the Admin SDK for Node takes (firebase-admin-node, `src/auth/auth-config.ts`).
        adjacentIntervals = min(max(intervals, 0), 10)
        asksForFactors = isOn || asksForTimeFactors
    }
}
