import LockstepCurl
import LockstepDirectory
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepMigration
import LockstepMoveTargets
import LockstepPrimitives

extension MoveProvider {
    private static let keyMember: JSONObject = [
        "url": "https://PROJECT.supabase.co/auth/v1", "key": ["env": "SUPABASE_SECRET_KEY"],
    ]

    @Sendable private static func declare(_ source: inout MoveSource) {
        source.verifiesFirst = true
        source.ownUserData = ["email", "email_verified", "phone_verified", "sub"]
        source.ownClaims = ["provider", "providers"]
    }

    /// The members that choose one of the server's members for the name and the photo, and their values.
    static let profileMembers: [(name: String, values: [String])] = [
        ("nameMember", User.nameMembers), ("photoMember", User.photoMembers),
    ]

    static let goTrue = MoveProvider(
        name: "gotrue", title: "Supabase Auth (GoTrue)", texts: ["url", "publicKey"] + profileMembers.map(\.name),
        secrets: ["key", "database"],
        publicKey: "publicKey",
        starterSource: (
            keyMember.adding("database", ["env": "SUPABASE_DB_URL"]),
            """
            - `from.url`: the address of the source's API. Replace `PROJECT`.
            - `from.key`: the secret key or the service-role token of the source, here in an environment variable.
            - `from.database`: a connection string of the source's PostgreSQL. Without it, no password and no authenticator app
              can be read: each user sets a new password.
            """
        ),
        starterTarget: (
            keyMember,
            """
            - `to.url`: the address of the target's API. Replace `PROJECT`.
            - `to.key`: the secret key or the service-role token of the target, here in an environment variable.
            - `to.database` (not in the file): a connection string of the target's PostgreSQL. With it, times, provider
              identities and second factors move, too.
            - `to.nameMember`, `to.photoMember` (not in the file): the members of `user_metadata` in which your app looks for the
              name and the photo, if these are not `display_name` and `avatar_url`.
            """
        ),
        exports: ExportFormat.goTrue,
        rehearsal: Rehearsal(
            settings: { demands in
                func flag(_ name: String, _ value: Bool?) -> (name: String, value: String?) {
                    ("GOTRUE_" + name, value.map { "\($0)" })
                }
                return [
                    flag("EXTERNAL_EMAIL_ENABLED", demands.email.map { $0 != .off }),
                    flag("EXTERNAL_PHONE_ENABLED", demands.phone.map { $0 != .off }),
                    flag("EXTERNAL_ANONYMOUS_USERS_ENABLED", demands.allowsAnonymousUsers),
                    flag("DISABLE_SIGNUP", demands.isSignUpOpen.map { !$0 }),
                    flag("MAILER_AUTOCONFIRM", demands.requiresVerifiedEmail.map { !$0 }),
                    flag("SMS_AUTOCONFIRM", demands.requiresVerifiedPhone.map { !$0 }),
                ]
            },
            side: { base, variables in
                emulator(
                    "gotrue", ["url": base], variables, texts: ["publicKey": "anon"],
                    secrets: ["key": "service_role", "database": MigrateRehearsal.rows])
            }),
        declare: declare,
        openSource: { side in
            let opened = try GoTrueSide(side)
            var source = MoveSource(
                opened.rows ?? opened.api.readingIdentities() as any UserDirectory, project: opened.api.backend)
            source.settings = opened.api
            if opened.rows != nil { source.access = .database }
            return Source(
                source: source, place: opened.api.backend, key: opened.key, requireOneProject: opened.requireOneProject)
        },
        openTarget: { side in
            let opened = try GoTrueSide(side)
            let (api, rows) = (opened.api, opened.rows)
            let isHere = Providers.isThisMachine(api.backend)
            // A server on this machine needs a key only behind the gateway of the platform, which is below /auth/v1 there, too.
            let publicKey = side.end.texts["publicKey"]
            let needsKey = !isHere || api.backend.hasSuffix("/auth/v1")
            let adapter =
                publicKey == nil && needsKey
                ? nil
                : GoTrueAdapter(
                    try GoTrueConfiguration(url: try side.text("url"), key: publicKey), transport: side.transport)
            return Target(
                target: .goTrue(
                    rows ?? api as any UserDirectory, rows: rows, api: api, project: api.backend,
                    mailsPerHour: side.file.mailsPerHour),
                place: api.backend, key: opened.key, name: host(of: api.backend),
                isHere: isHere && rows?.isOnThisMachine ?? true, adapter: adapter,
                requireOneProject: opened.requireOneProject)
        },
        nature: { isAPIOnly in
            let api = try GoTrueDirectory(url: nowhere, adminKey: "sb_secret_none", transport: CurlTransport())
            let rows = try GoTrueDatabase("host=/nowhere")
            var source = MoveSource(isAPIOnly ? api.readingIdentities() as any UserDirectory : rows, project: "none")
            declare(&source)
            let target = MoveTarget.goTrue(
                isAPIOnly ? api as any UserDirectory : rows, rows: isAPIOnly ? nil : rows, api: api, project: "none")
            return Nature(
                source: source,
                holdings: SourceHoldings(
                    of: target, and: rows.features,
                    factors: [
                        .authenticatorApp(secret: isAPIOnly ? nil : "JBSWY3DPEHPK3PXP"), .phone("+15550101"), .passkey,
                    ]
                ) { _ in isAPIOnly ? .notInAPI : nil },
                target: target)
        },
        startDemo: { provider, rows in try DemoGoTrue(provider, rows: rows) })
}

/// A server that a side of `move.json` names.
private struct GoTrueSide: Sendable {
    let api: GoTrueDirectory
    let rows: GoTrueDatabase?
    let key: String
    private let side: String

    init(_ side: MoveProvider.Side) throws {
        let key = try side.secret("key")
        api = try GoTrueDirectory(
            url: try side.text("url"), adminKey: key.secret, transport: side.transport,
            limiter: RequestLimiter(growingFrom: 4, to: 32))
        rows = try side.end.secrets["database"].map { secret in try GoTrueDatabase(secret.secret) }
        self.key = ([key.name] + [side.end.secrets["database"].map { "rows: \($0.name)" }].compactMap(\.self))
            .joined(separator: ", ")
        self.side = side.name
    }

    /// Checks that the API and the database belong to the same project.
    ///
    /// If both are empty, the check cannot detect a difference.
    ///
    /// - Throws: ``UsageError`` if only one of them has a user; `AuthError` if one of them does not respond.
    @Sendable func requireOneProject() async throws {
        guard let rows else { return }
        do {
            try await requireOneProject(of: rows)
        } catch let error as AuthError where error.provider?.status == 500 {
            // One row that the server cannot read makes its list fail.
            let unreadable = (try? await rows.unreadableRows(limit: 11)) ?? []
            guard !unreadable.isEmpty else { throw error }
            let names = unreadable.prefix(10).map { "\($0.id) (\($0.columns))" } + (unreadable.count > 10 ? ["…"] : [])
            throw UsageError(
                "the server of \"\(side).url\" cannot list its users, because these rows of auth.users have NULL where it requires "
                    + "a value: \(names.joined(separator: ", ")). Correct the rows, then run the command again.")
        }
    }

    private func requireOneProject(of rows: GoTrueDatabase) async throws {
        var isOne = true
        if let user = try await api.page(after: nil, size: 1).users.first {
            isOne = try await rows.users(ids: [user.id])[0] != nil
        } else if let user = try await rows.page(after: nil, size: 1).users.first {
            isOne = try await api.users(ids: [user.id])[0] != nil
        }
        guard isOne else {
            throw UsageError(
                "\"\(side).url\" and \"\(side).database\" have different users. Use the address and the database of one project, or "
                    + "try again if a user was deleted just now.")
        }
    }
}

extension JSONObject {
    fileprivate func adding(_ name: String, _ value: JSON) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
