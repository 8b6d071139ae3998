import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepHTTP
import LockstepMigration
import LockstepPrimitives

/// The source and the target of a move, with the details of each provider that the engine does not know.
struct MoveEnds: Sendable {
    let source: MoveSource
    let target: MoveTarget
    /// The adapter that signs in on the target like an app; `nil` without the required public key.
    let adapter: (any AuthAdapter)?
    /// The first printed lines: provider, address, and the origin of each key.
    let header: [String]
    /// The name that `--confirm` must repeat for a target on another machine.
    let targetName: String
    let isTargetHere: Bool
    private let targetAPI: GoTrueDirectory
    private let rows: GoTrueDatabase?

    /// The name of a source that is a file in the neutral format.
    static let file = "file"

    /// The members of a side in the file, by provider.
    static let members: [String: (texts: [String], secrets: [String])] = [
        "firebase": (["project", "emulator", "tenant"], ["serviceAccount"]),
        "gotrue": (["url", "publicKey"], ["key", "database"]),
    ]

    /// Creates the source and the target that a file names.
    ///
    /// - Parameters:
    ///   - transport: The transport for requests to both sides.
    /// - Throws: ``UsageError`` if a side is invalid; `AuthError` if the source does not respond.
    init(_ file: MoveFile, transport: any HTTPTransport = CurlTransport()) async throws {
        guard ["firebase", Self.file].contains(file.from.provider), file.to.provider == "gotrue" else {
            throw UsageError("\(file.path): so far, users can move only from firebase to gotrue.")
        }
        let (source, sourceKey) =
            file.from.provider == Self.file
            ? try Self.users(in: file.from) : try await Self.firebase(file.from, file.path, transport)
        self.source = source
        let url = try Self.text("url", of: file.to, "to", file.path)
        guard let key = file.to.secrets["key"] else {
            throw UsageError("\(file.path): \"to.key\" is missing. Use {\"file\": \"PATH\"} or {\"env\": \"NAME\"}.")
        }
        let directory = try GoTrueDirectory(
            url: url, adminKey: key.secret, transport: transport, limiter: RequestLimiter(growingFrom: 4, to: 32))
        let rows = try file.to.secrets["database"].map { secret in try GoTrueDatabase(secret.secret) }
        targetAPI = directory
        self.rows = rows
        target = .goTrue(
            rows ?? directory as any UserDirectory, rows: rows, api: directory, project: directory.backend,
            mailsPerHour: file.mailsPerHour)
        targetName = Self.host(of: directory.backend)
        isTargetHere = Providers.isThisMachine(directory.backend) && rows?.isOnThisMachine ?? true
        // A server on this machine needs a key only behind the gateway of the platform, which is below /auth/v1 there, too.
        let publicKey = file.to.texts["publicKey"]
        let needsKey = !Providers.isThisMachine(directory.backend) || directory.backend.hasSuffix("/auth/v1")
        adapter =
            publicKey == nil && needsKey
            ? nil : GoTrueAdapter(try GoTrueConfiguration(url: url, key: publicKey), transport: transport)
        let project = "project \(source.project)".visible
        let width = max(project.count, directory.backend.count) + 4
        let targetKeys = ([key.name] + [file.to.secrets["database"].map { "rows: \($0.name)" }].compactMap(\.self))
            .joined(separator: ", ")
        func line(_ side: String, _ name: String, _ place: String, _ key: String) -> String {
            (side + name + String(repeating: " ", count: 10 - name.count) + place
                + String(repeating: " ", count: width - place.count) + "key: \(key)").visible
        }
        header = [
            line("from  ", file.from.provider, project, sourceKey), line("to    ", "gotrue", directory.backend, targetKeys),
        ]
    }

    /// Requires a confirmation of a target on another machine, if it has users.
    ///
    /// - Parameter confirmed: The host that the operator has repeated; `nil` for none.
    /// - Throws: ``UsageError`` with the host; `AuthError` if the target does not respond.
    func requireConfirmation(_ confirmed: String?) async throws {
        guard !isTargetHere, confirmed != targetName else { return }
        guard try await target.directory.page(after: nil, size: 1).users.isEmpty else {
            throw UsageError(
                "the target is another machine and has users. If this is the right target, add --confirm \(targetName).")
        }
    }

    /// Checks that the target's API and its database belong to the same project.
    ///
    /// If both are empty, the check cannot detect a difference.
    ///
    /// - Throws: ``UsageError`` if only one of them has a user; `AuthError` if one of them does not respond.
    func requireOneProject() async throws {
        guard let rows else { return }
        do {
            try await requireOneProject(of: rows)
        } catch let error as AuthError where error.provider?.status == 500 {
            // One row that the server cannot read makes its list fail.
            let unreadable = (try? await rows.unreadableRows(limit: 11)) ?? []
            guard !unreadable.isEmpty else { throw error }
            let names = unreadable.prefix(10).map { "\($0.id) (\($0.columns))" } + (unreadable.count > 10 ? ["…"] : [])
            throw UsageError(
                "the target's server cannot list its users, because these rows of auth.users have NULL where it requires a value: "
                    + "\(names.joined(separator: ", ")). Correct the rows, then run the command again.")
        }
    }

    private func requireOneProject(of rows: GoTrueDatabase) async throws {
        var isOne = true
        if let user = try await targetAPI.page(after: nil, size: 1).users.first {
            isOne = try await rows.users(ids: [user.id])[0] != nil
        } else if let user = try await rows.page(after: nil, size: 1).users.first {
            isOne = try await targetAPI.users(ids: [user.id])[0] != nil
        }
        guard isOne else {
            throw UsageError(
                "\"to.url\" and \"to.database\" have different users. Use the address and the database of one project, or try again "
                    + "if a user was deleted just now.")
        }
    }

    private static func text(_ name: String, of end: MoveFile.End, _ side: String, _ path: String) throws(UsageError) -> String {
        guard let text = end.texts[name] else { throw UsageError("\(path): \"\(side).\(name)\" is missing.") }
        return text
    }

    private static func users(in end: MoveFile.End) throws -> (MoveSource, key: String) {
        let source = end.texts["provider"].map { UserFile.Header(provider: $0, project: end.texts["project"] ?? "") }
        let directory = try FileDirectory(end.texts["file"] ?? "", source)
        return (MoveSource(directory, project: directory.header.project), "none (\(directory.backend))")
    }

    private static func firebase(
        _ end: MoveFile.End, _ path: String, _ transport: any HTTPTransport
    ) async throws -> (MoveSource, key: String) {
        var directory: FirebaseDirectory
        let project: String
        var key: String
        if let emulator = end.texts["emulator"] {
            project = try text("project", of: end, "from", path)
            directory = try FirebaseDirectory(
                url: emulator, project: project, tenant: end.texts["tenant"], transport: transport)
            key = "none (emulator)"
        } else {
            guard let secret = end.secrets["serviceAccount"] else {
                throw UsageError(
                    "\(path): \"from.serviceAccount\" is missing. Use {\"file\": \"PATH\"} or {\"env\": \"NAME\"}.")
            }
            let account = try FirebaseServiceAccount(contents: secret.secret)
            project = account.project
            guard end.texts["project"].map({ $0 == project }) ?? true else {
                throw UsageError(
                    "\(path): \"from.project\" is \"\(end.texts["project"] ?? "")\", but the key is for \"\(project)\".")
            }
            directory = try FirebaseDirectory(account: account, tenant: end.texts["tenant"], transport: transport)
            key = secret.name
        }
        let name = end.texts["tenant"].map { "\(project)/\($0)" } ?? project
        if end.texts["emulator"] == nil {
            directory = try await directory.readingHashes()
        } else if let reading = try await directory.readingHashesOfEmulator() {
            directory = reading
        } else {
            key = "none (emulator without password hashes)"
        }
        var source = MoveSource(directory, project: name)
        source.tenants = { [directory] () async throws(AuthError) in
            try await directory.tenants().map { MoveTenant(name: $0.id, users: $0.users) }
        }
        return (source, key)
    }

    private static func host(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return address }
        return String(address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
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
