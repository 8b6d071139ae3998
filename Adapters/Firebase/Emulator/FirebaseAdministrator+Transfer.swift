internal import LockstepEmulation
internal import LockstepPasswords
public import LockstepPrimitives

/// Users in the documents that Firebase's own tools write and read.
extension FirebaseAdministrator {
    /// A user that could not be imported, with the reason.
    public struct ImportProblem: Sendable, Hashable {
        /// The user's `localId` in the document; empty if it is missing.
        public let id: String
        /// The reason, in one sentence.
        public let reason: String
    }

    /// The maximum number of users in one call of `accounts:batchCreate`.
    private static let batch = 1000

    /// Imports users from a JSON document.
    ///
    /// The document is an `accounts.json` from `firebase emulators:export`, the body of an `accounts:batchCreate`
    /// request, or a file from `firebase auth:export`. If the document contains no `hashAlgorithm`, the import uses the
    /// hash parameters of the project. A file from `auth:export` contains no parameters.
    ///
    /// - Parameters:
    ///   - tenant: The tenant of the users. The import creates the tenant if it does not exist. Default: the project
    ///     itself.
    /// - Returns: The users that could not be imported.
    /// - Throws: ``FirebaseAdministratorError`` if the document cannot be used.
    public func importUsers(_ document: JSON, tenant: String? = nil) async throws -> [ImportProblem] {
        guard var parameters = document.object, let users = parameters["users"]?.array else {
            throw FirebaseAdministratorError("The document has no list of users.")
        }
        parameters["users"] = nil
        if parameters["hashAlgorithm"] == nil { parameters = parameters.adding(state.passwords.parameters) }
        var problems: [ImportProblem] = []
        for start in stride(from: 0, to: users.count, by: Self.batch) {
            let entries = users[start..<min(start + Self.batch, users.count)].map(Self.imported)
            problems += try await importBatch(entries, parameters, tenant: tenant)
        }
        return problems
    }

    private func importBatch(_ entries: [JSON], _ parameters: JSONObject, tenant: String?) async throws -> [ImportProblem] {
        do {
            let body = try BodyReader(mode: .emulator).body(
                parameters.adding(["users": .array(entries)]), AdminUserRoutes.importBody)
            let answer = try await TransactionRunner(state).performWithDeferredWork { context in
                let context = try own(context, tenant: tenant, body: body)
                try context.requireOpen()
                let answer = try AdminUserRoutes(context: context).importEntries()
                for entry in entries { try Self.keepScheme(of: entry, context) }
                return answer
            }
            return (answer["error"]?.array ?? []).map { error in
                let index = error["index"]?.int.map(Int.init) ?? 0
                return ImportProblem(
                    id: entries[index]["localId"]?.string ?? "", reason: error["message"]?.string ?? "The user was refused.")
            }
        } catch let refusal as APIError {
            throw FirebaseAdministratorError("The users were rejected: \(refusal.message)")
        }
    }

    /// Exports the users of the project or of a tenant, with the parameters of their password hashes.
    ///
    /// You can use the result as the body of an `accounts:batchCreate` request, or as an `accounts.json` of
    /// `firebase emulators:export`. The document does not contain authenticator apps, because Firebase's documents
    /// cannot contain their secrets.
    ///
    /// - Parameter tenant: The tenant. Default: the project itself.
    /// - Throws: An error of the emulator's database.
    public func exportUsers(tenant: String? = nil) throws -> JSON {
        try TransactionRunner(state).perform { context in
            let context = try own(context, tenant: tenant)
            let users = try context.users.all().map(Self.exported)
            let document: JSONObject = ["kind": "identitytoolkit#DownloadAccountResponse", "users": .array(users)]
            return .object(document.adding(state.passwords.parameters))
        }
    }

    /// Creates a tenant with the given id and with all sign-in methods; does nothing if the tenant exists.
    ///
    /// With Firebase's own call (`POST /v2/projects/PROJECT/tenants`), the server chooses the id, as in production.
    ///
    /// - Throws: An error of the emulator's database.
    public func createTenant(id: String) throws {
        try TransactionRunner(state).perform { context in
            _ = try context.scopes.created(project: state.project, tenant: id)
        }
    }

    /// Returns the ids of the project's tenants.
    ///
    /// - Throws: An error of the emulator's database.
    public func tenants() throws -> [String] {
        try TransactionRunner(state).perform { context in
            try context.scopes.tenants(of: state.project, after: "", limit: -1).map(\.tenant)
        }
    }

    /// Applies the settings in a `config.json` from `firebase emulators:export`.
    ///
    /// - Parameter config: The content of the file.
    /// - Throws: ``FirebaseAdministratorError`` if the server rejects the configuration.
    public func importConfig(_ config: JSON) throws {
        do {
            guard let members = config.object else { throw APIError.badPayload(" must be object") }
            let change = try BodyReader(mode: .emulator).body(members, EmulatorRoutes.configBody)
            try TransactionRunner(state).perform { context in
                _ = try EmulatorRoutes(context: own(context, body: change)).updateConfig()
            }
        } catch let refusal as APIError {
            throw FirebaseAdministratorError("The configuration was rejected: \(refusal.message)")
        }
    }

    /// Returns the settings in the format of a `config.json` from `firebase emulators:export`.
    ///
    /// - Returns: The content of the file.
    /// - Throws: An error of the emulator's database.
    public func exportConfig() throws -> JSON {
        try TransactionRunner(state).perform { context in
            EmulatorRoutes(context: try own(context)).config()
        }
    }
}

extension FirebaseAdministrator {
    /// The member of an exported user with the scheme of an imported hash; Firebase's tools ignore it.
    private static let schemeName = "passwordScheme"

    /// Returns a user in the form of `accounts:batchCreate`; `auth:export` uses another name for the last sign-in.
    private static func imported(_ user: JSON) -> JSON {
        guard var members = user.object, let time = members["lastSignedInAt"] else { return user }
        members["lastSignedInAt"] = nil
        if members["lastLoginAt"] == nil { members["lastLoginAt"] = time }
        return .object(members)
    }

    private static func exported(_ user: LockstepFirebaseEmulator.User) -> JSON {
        var members = user.json(.whole).object ?? [:]
        members[schemeName] = user.password?.scheme.map(JSON.string)
        let factors = (user.factors ?? []).filter { $0.phone != nil }.map(\.json)
        members["mfaInfo"] = factors.isEmpty ? nil : .array(factors)
        return .object(members)
    }

    /// Restores the scheme with which an imported user's hash was exported.
    private static func keepScheme(of entry: JSON, _ context: RequestContext) throws {
        guard let scheme = entry[schemeName]?.string, let id = entry["localId"]?.string,
            var user = try context.users.find(id), user.password?.hash == entry["passwordHash"]?.string
        else { return }
        user.password?.scheme = scheme
        try context.users.update(user, identitiesChanged: false)
    }
}

extension ProjectPasswords {
    /// The parameters of the project's own hashes, in the form of `accounts:batchCreate`.
    fileprivate var parameters: JSONObject {
        [
            "hashAlgorithm": "SCRYPT", "signerKey": .string(Base64.encode(scrypt.signerKey)),
            "saltSeparator": .string(Base64.encode(scrypt.saltSeparator)), "rounds": .int(Int64(scrypt.rounds)),
            "memoryCost": .int(Int64(scrypt.memoryCost)),
        ]
    }
}
