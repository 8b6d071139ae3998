import LockstepClerk
import LockstepClerkDirectory
import LockstepCurl
import LockstepDirectory
import LockstepMigration
import LockstepMoveTargets
import LockstepPrimitives

extension MoveProvider {
    static let clerk = MoveProvider(
        name: "clerk", title: "Clerk", texts: ["url", "publicKey", "exportedAt"], files: ["export"], secrets: ["key"],
        publicKey: "publicKey",
        starterSource: (
            [
                "key": ["env": "CLERK_SECRET_KEY"], "export": "users.csv", "exportedAt": "2026-01-31T12:00:00Z",
            ],
            """
            - `from.key`: the secret key of the source's instance, here in an environment variable.
            - `from.export`: the CSV of the users from Clerk's Dashboard (Settings, "User exports"), which has their password hashes
              and the secrets of their authenticator apps. Without it, each user sets a new password.
            - `from.exportedAt`: the time of this export, as the Dashboard's list of exports shows it, or an earlier one. A password
              that was changed later does not move.
            """
        ),
        starterTarget: (
            ["key": ["env": "CLERK_SECRET_KEY"]],
            """
            - `to.key`: the secret key of the target's instance, here in an environment variable.
            - `to.publicKey` (not in the file): the publishable key of the instance, for `verify --canaries`.
            - `externalID` (not in the file): `overwrite` writes the ids of the source as external ids although the app uses external
              ids. Default: `stop`.
            - `unverifiedAddresses` also has `unclaimed`, which does not reserve the address for the user.
            - `newDevices` (not in the file): `bypass` lets the temporary users of `verify --canaries` sign in without a code.
            """
        ),
        exports: ExportFormat.clerk,
        rehearsal: Rehearsal(
            settings: { demands in
                [
                    ("EMAIL_ADDRESS", (demands.email ?? .optional).rawValue), ("PHONE_NUMBER", demands.phone?.rawValue),
                    ("USERNAME", demands.username?.rawValue), ("PASSWORD", (demands.password ?? .optional).rawValue),
                    ("FIRST_NAME", demands.firstName?.rawValue), ("LAST_NAME", demands.lastName?.rawValue),
                    ("SIGN_UP_MODE", demands.isSignUpOpen.map { $0 ? "public" : "restricted" }),
                ]
            },
            side: { base, variables in
                emulator(
                    "clerk", ["url": base], variables, texts: ["publicKey": "publishable_key"], secrets: ["key": "secret_key"])
            }),
        declare: { _ in },
        openSource: { side in
            let opened = try ClerkSide(side)
            let export = try opened.export
            let instance = try await opened.directory.instance()
            var source = MoveSource(opened.directory, project: instance)
            if let export {
                let joined = ExportedDirectory(opened.directory, export)
                source.directory = joined
                source.access = .export
                source.unlisted = { () async throws(AuthError) in try await joined.unlisted() }
            }
            source.settings = opened.directory
            source.lists = opened.directory.lists
            return Source(source: source, place: "instance \(instance)".visible, key: opened.origin(export))
        },
        openTarget: { side in
            let opened = try ClerkSide(side)
            let instance = try await opened.directory.instance()
            let adapter = try side.end.texts["publicKey"].map { key in
                try ClerkAdapter(
                    url: opened.isHere ? opened.directory.address : nil, key: key, transport: side.transport)
            }
            return Target(
                target: .clerk(
                    opened.directory, api: opened.directory, project: instance, mailsPerHour: side.file.mailsPerHour,
                    trustsNewDevices: side.file.trustsNewDevices),
                place: "instance \(instance)".visible, key: opened.key, name: instance, isHere: opened.isHere, adapter: adapter)
        },
        nature: { isAPIOnly in
            let directory = try ClerkDirectory(secretKey: "sk_test_none", url: nowhere, transport: CurlTransport())
            let target = MoveTarget.clerk(directory, api: directory, project: "none")
            var source = MoveSource(directory, project: "none")
            source.lists = directory.lists
            return Nature(
                source: source,
                holdings: SourceHoldings(
                    of: target, and: [.signInTimes, .photos],
                    factors: [
                        .authenticatorApp(secret: isAPIOnly ? nil : "JBSWY3DPEHPK3PXP"), .phone("+15550101"),
                        .backupCodes(count: nil), .passkey,
                    ]
                ) { _ in isAPIOnly ? .notInAPI : nil },
                target: target)
        },
        startDemo: { provider, _ in try DemoClerk(provider) })
}

/// An instance that a side of `move.json` names.
private struct ClerkSide {
    let directory: ClerkDirectory
    let key: String
    let isHere: Bool
    private let side: MoveProvider.Side

    init(_ side: MoveProvider.Side) throws {
        let key = try side.secret("key")
        let url = side.end.texts["url"] ?? ClerkDirectory.clerk
        isHere = Providers.isThisMachine(url)
        // An emulator has no limit of requests unless its settings say so; then it answers 429, and the run waits.
        directory = try ClerkDirectory(
            secretKey: key.secret, url: url, transport: side.transport, limiter: isHere ? RequestLimiter() : nil)
        self.key = key.name
        self.side = side
    }

    /// The export of the instance's users; `nil` without one.
    ///
    /// - Throws: ``UsageError`` if the time of the export is missing or cannot be right.
    var export: ClerkExport? {
        get throws {
            let member = "\"\(side.name).exportedAt\""
            guard let path = side.end.texts["export"] else {
                guard side.end.texts["exportedAt"] == nil else {
                    throw UsageError(
                        "\(side.file.path): \(member) needs \"\(side.name).export\", the file from Clerk's Dashboard.")
                }
                return nil
            }
            guard let time = Instant(rfc3339: try side.text("exportedAt")) else {
                throw UsageError("\(side.file.path): \(member) must be a time such as 2026-01-31T12:00:00Z.")
            }
            guard time <= SystemClock().now else {
                throw UsageError("\(side.file.path): \(member) is in the future. Use the time of the export.")
            }
            return try ClerkExport(path, exportedAt: time)
        }
    }

    func origin(_ export: ClerkExport?) -> String {
        guard let export else { return key }
        return "\(key), export: \(export.count) users, \(export.exportedAt.rfc3339)"
    }
}

extension ClerkDirectory {
    /// What the instance has beside its users.
    fileprivate var lists: [MoveList] {
        let kinds: [(MoveList.Kind, ClerkList)] = [
            (.organizations, .organizations), (.memberships, .memberships), (.roles, .roles), (.connections, .connections),
        ]
        return kinds.map { kind, list in
            MoveList(kind) { [self] start async throws(AuthError) in
                let page = try await entries(of: list, after: start)
                return MoveList.Page(page.entries, of: page.total)
            }
        }
    }
}
