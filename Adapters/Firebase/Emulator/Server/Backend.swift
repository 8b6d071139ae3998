internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTestSupport
internal import LockstepTokens
internal import Synchronization

/// The state that all calls share: settings, state, clock, randomness, keys, the outbox.
final class Backend: Sendable {
    let store: Database
    let clock: ManualClock
    let randomness: any Randomness
    let tokens: TokenAuthority
    let identityTokens = IdentityTokens()
    let passwords: ProjectPasswords
    /// Constant while the server runs, so a transaction can read it without a lock.
    let mode: FirebaseMode
    let project: String
    /// The address in mailed links: never the host of a request, which the caller can choose.
    let base: String
    private let outbox: Outbox
    /// Whether keys outlive the process, as the users do.
    private let keepsSecrets: Bool
    private let state: Mutex<State>

    private struct State {
        var settings: FirebaseSettings
        let initial: FirebaseSettings
        /// Every space in use, by project and tenant; the tables hold the same.
        var spaces: [SpaceName: Space] = [:]
    }

    private struct SpaceName: Hashable {
        let project: String
        let tenant: String?
    }

    init(_ settings: FirebaseSettings, in environment: EmulationEnvironment) throws {
        store = try Database("firebase", in: environment.storage, schema: Schema.steps)
        clock = environment.clock
        randomness = environment.randomness
        outbox = environment.outbox
        mode = settings.mode
        project = settings.project
        base = environment.base
        keepsSecrets = environment.storage != .memory
        let kept = try store.read { db in try db.signingKey() }
        var hashing = settings.hashing
        if hashing.signerKey == nil, keepsSecrets {
            // Read or created in one step: processes that start on a new folder at the same time must share one key.
            let made = Base64.encode(environment.randomness.bytes(64))
            hashing.signerKey = try store.write { db in
                if let kept = try db.signerKey() { return kept }
                try db.keep(signerKey: made)
                return made
            }
        }
        passwords = try ProjectPasswords(hashing, randomness: environment.randomness, work: environment.passwordWork)
        let signingKey = Prepared(settings.signingKey ?? kept, on: environment.workers) { [store, keepsSecrets] in
            let made = try FirebaseSettings.makeSigningKey()
            guard keepsSecrets else { return made }
            return try store.write { db in
                if let kept = try db.signingKey() { return kept }
                try db.keep(made)
                return made
            }
        }
        tokens = TokenAuthority(settings.mode, signingKey)
        state = Mutex(State(settings: settings, initial: settings))
        try keepSecrets()
    }

    /// The settings as they are now.
    ///
    /// Do not read them inside a transaction: a change of the settings needs the database.
    var settings: FirebaseSettings { state.withLock { $0.settings } }

    /// Changes settings, and with them the rules of the projects in use.
    func change(_ body: (inout FirebaseSettings) -> Void) {
        state.withLock { state in
            body(&state.settings)
            for (name, space) in state.spaces { state.spaces[name] = with(space.config, space, state) }
        }
    }

    /// Deletes all state.
    func reset() throws {
        try state.withLock { state in
            try store.erase()
            try keepSecrets()
            state.settings = state.initial
            state.spaces = [:]
        }
    }

    /// Returns once tokens can be signed.
    func ready() async throws { try await tokens.ready() }

    private func keepSecrets() throws {
        guard keepsSecrets else { return }
        try store.write { db in
            if let key = tokens.key { try db.keep(key) }
            try db.keep(signerKey: Base64.encode(passwords.scrypt.signerKey))
        }
    }

    /// A random id: letters and digits.
    func newID(_ length: Int = 28) -> String {
        randomness.text(length, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    /// The session of a refresh token; `nil` where it is unknown.
    func session(of token: String, _ db: inout SQLiteConnection) throws -> Session? {
        switch mode {
        case .emulator: OpenToken.session(ofRefresh: token)
        case .strict: try db.session(token)
        }
    }
}

// MARK: Spaces

extension Backend {
    /// A project, or a tenant of it.
    ///
    /// Both are created on first use, as in Firebase's emulator.
    func space(project: String, tenant: String? = nil, config: JSONObject? = nil) throws -> Space {
        let name = SpaceName(project: project, tenant: tenant.flatMap { $0.isEmpty ? nil : $0 })
        return try state.withLock { state in try space(name, config: config, &state) }
    }

    private func space(_ name: SpaceName, config: JSONObject?, _ state: inout State) throws -> Space {
        if let space = state.spaces[name] { return space }
        if name.tenant != nil { _ = try space(SpaceName(project: name.project, tenant: nil), config: nil, &state) }
        let initial: JSONObject =
            if let tenant = name.tenant {
                TenantConfig.named(config ?? TenantConfig.mentioned, project: name.project, tenant: tenant)
            } else {
                state.settings.projectConfig
            }
        let (id, text) = try store.write { db in
            try db.run(
                """
                INSERT INTO spaces (project, tenant, config) VALUES (\(name.project), \(name.tenant ?? ""), \(JSON.object(initial).text()))
                ON CONFLICT (project, tenant) DO NOTHING
                """)
            let found: (Int64, String)? = try db.first(
                "SELECT id, config FROM spaces WHERE project = \(name.project) AND tenant = \(name.tenant ?? "")"
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
            return found ?? (0, "{}")
        }
        let stored = (try? JSON.parse(text))?.object ?? initial
        let space = with(
            stored, Space(id: id, project: name.project, tenant: name.tenant, config: stored, rules: Rules()), state)
        state.spaces[name] = space
        return space
    }

    /// The space with another configuration and its rules.
    private func with(_ config: JSONObject, _ space: Space, _ state: State) -> Space {
        var space = space
        space.config = config
        if space.tenant == nil {
            space.rules = Rules(project: config, settings: state.settings)
        } else {
            let project = state.spaces[SpaceName(project: space.project, tenant: nil)]?.config ?? [:]
            space.rules = Rules(tenant: config, of: Rules(project: project, settings: state.settings))
        }
        return space
    }

    /// Replaces the configuration of a space.
    @discardableResult
    func setConfig(_ config: JSONObject, of space: Space) throws -> Space {
        try state.withLock { state in
            _ = try store.write { db in
                try db.run("UPDATE spaces SET config = \(JSON.object(config).text()) WHERE id = \(space.id)")
            }
            let changed = with(config, space, state)
            state.spaces[SpaceName(project: space.project, tenant: space.tenant)] = changed
            guard space.tenant == nil else { return changed }
            // Tenants inherit their project's settings.
            for (name, tenant) in state.spaces where name.project == space.project && name.tenant != nil {
                state.spaces[name] = with(tenant.config, tenant, state)
            }
            return changed
        }
    }

    /// The tenants of a project, in the order of their ids.
    func tenants(of project: String) throws -> [Space] {
        let names: [String] = try store.read { db in
            try db.all("SELECT tenant FROM spaces WHERE project = \(project) AND tenant <> '' ORDER BY tenant") {
                row throws(SQLiteError) in try row[0]
            }
        }
        return try names.map { try space(project: project, tenant: $0) }
    }

    /// Deletes a tenant and all its data.
    func remove(_ space: Space) throws {
        try state.withLock { state in
            _ = try store.write { db in try db.run("DELETE FROM spaces WHERE id = \(space.id)") }
            state.spaces[SpaceName(project: space.project, tenant: space.tenant)] = nil
        }
    }
}

// MARK: Messages

extension Backend {
    /// Mails the link of a code.
    func mail(_ code: ActionCode) throws {
        let message = ActionMail(code)
        try outbox.mail(
            to: code.kind == .changeEmail ? code.newEmail ?? code.email : code.email, subject: message.subject,
            text: message.text,
            html: message.html, link: code.link, from: "noreply@\(project).firebaseapp.com")
    }

    /// Sends a code by text message.
    func text(_ code: TextCode) throws {
        try outbox.text(
            to: code.phoneNumber, "\(code.code) is your verification code for \(project).", code: code.code)
    }
}
