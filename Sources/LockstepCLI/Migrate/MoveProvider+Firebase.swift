import LockstepCurl
import LockstepFirebase
import LockstepFirebaseDirectory
import LockstepMigration
import LockstepMoveTargets
import LockstepPasswords
import LockstepPrimitives

extension MoveProvider {
    static let firebase = MoveProvider(
        name: "firebase", title: "Firebase Auth", texts: ["project", "emulator", "tenant", "apiKey"], secrets: ["serviceAccount"],
        publicKey: "apiKey",
        starterSource: (
            ["serviceAccount": ["file": "service-account.json"]],
            """
            - `from.serviceAccount`: the key of a service account that may read users and the parameters of their hashes
              (`firebaseauth.users.get`, `firebaseauth.configs.getHashConfig`). Firebase's console creates it.
            """
        ),
        starterTarget: (
            ["serviceAccount": ["file": "service-account.json"]],
            """
            - `to.serviceAccount`: the key of a service account with the role Firebase Authentication Admin. Firebase's console
              creates it.
            - `to.apiKey` (not in the file): the web API key of the project, for `verify --canaries`.
            """
        ),
        exports: ExportFormat.firebase,
        rehearsal: Rehearsal(
            settings: { demands in
                [
                    ("signIn.password", demands.email.map { "\($0 != .off)" }),
                    ("allowsDuplicateEmails", demands.allowsSharedEmails.map { "\($0)" }),
                ]
            },
            side: { base, variables in
                emulator(
                    "firebase", ["emulator": base], variables, texts: ["project": "project", "apiKey": "api_key"],
                    secrets: ["owner": "owner"])
            }),
        declare: { _ in },
        openSource: { side in
            let opened = try FirebaseSide(side)
            var directory = opened.directory
            var key = opened.key
            if !opened.isEmulator {
                directory = try await directory.readingHashes()
            } else if let reading = try await directory.readingHashesOfEmulator() {
                directory = reading
            } else {
                key = "none (emulator without password hashes)"
            }
            var source = MoveSource(directory, project: opened.name)
            source.tenants = { [directory] () async throws(AuthError) in
                try await directory.tenants().map { MoveTenant(name: $0.id, users: $0.users) }
            }
            return Source(source: source, place: "project \(opened.name)".visible, key: key)
        },
        openTarget: { side in
            let opened = try FirebaseSide(side)
            let emulator = side.end.texts["emulator"]
            // An emulator accepts any key.
            let key = side.end.texts["apiKey"] ?? emulator.map { _ in "lockstep" }
            let adapter = try key.map { key in
                FirebaseAdapter(
                    try FirebaseConfiguration(url: emulator, key: key, tenant: side.end.texts["tenant"]),
                    transport: side.transport)
            }
            return Target(
                target: .firebase(opened.directory, project: opened.name, mailsPerHour: side.file.mailsPerHour),
                place: "project \(opened.name)".visible, key: opened.key, name: opened.project,
                isHere: emulator.map(Providers.isThisMachine) ?? false, adapter: adapter)
        },
        nature: { _ in
            let directory = try FirebaseDirectory(url: nowhere, project: "none", transport: CurlTransport())
            let target = MoveTarget.firebase(directory, project: "none")
            return Nature(
                source: MoveSource(directory, project: "none"),
                holdings: SourceHoldings(
                    of: target, and: [.tenants], factors: [.authenticatorApp(secret: nil), .phone("+15550101")]
                ) { $0.text.hasPrefix("$fbscrypt$") ? nil : .notRehashed },
                target: target)
        },
        startDemo: { provider, _ in try DemoFirebase(provider) })
}

/// A project that a side of `move.json` names.
private struct FirebaseSide {
    let directory: FirebaseDirectory
    let project: String
    /// The project, and the tenant if there is one.
    let name: String
    let key: String
    let isEmulator: Bool

    init(_ side: MoveProvider.Side) throws {
        let texts = side.end.texts
        isEmulator = texts["emulator"] != nil
        if let emulator = texts["emulator"] {
            project = try side.text("project")
            directory =
                if let owner = side.end.secrets["owner"] {
                    try FirebaseDirectory(url: emulator, project: project, owner: owner.secret, transport: side.transport)
                } else {
                    try FirebaseDirectory(
                        url: emulator, project: project, tenant: texts["tenant"], transport: side.transport)
                }
            key = "none (emulator)"
        } else {
            let secret = try side.secret("serviceAccount")
            let account = try FirebaseServiceAccount(contents: secret.secret)
            project = account.project
            guard texts["project"].map({ $0 == account.project }) ?? true else {
                throw UsageError(
                    "\(side.file.path): \"\(side.name).project\" is \"\(texts["project"] ?? "")\", but the key is for \"\(project)\"."
                )
            }
            directory = try FirebaseDirectory(account: account, tenant: texts["tenant"], transport: side.transport)
            key = secret.name
        }
        let id = project
        name = texts["tenant"].map { "\(id)/\($0)" } ?? id
    }
}

extension FirebaseHashing {
    /// Asks the project of a file for the parameters of its hashes; `nil` if no member names its API.
    init?(of side: MoveProvider.Side) async throws {
        guard side.end.texts["emulator"] != nil || side.end.secrets["serviceAccount"] != nil else { return nil }
        guard side.end.secrets["hash"] == nil else {
            throw UsageError(
                "\(side.file.path): \"from.hash\" and the project's API both have the parameters. Remove one of them.")
        }
        guard let hashing = try await FirebaseSide(side).directory.readingHashes().hashing else { return nil }
        self = hashing
    }
}

extension FirebaseDirectory {
    /// Returns a directory that reads hashes; `nil` for Firebase's own emulator, which keeps passwords in clear text and has no
    /// route for the parameters of hashes.
    fileprivate func readingHashesOfEmulator() async throws(AuthError) -> FirebaseDirectory? {
        do {
            return try await readingHashes()
        } catch {
            guard error.provider?.status == 404 else { throw error }
            return nil
        }
    }
}
