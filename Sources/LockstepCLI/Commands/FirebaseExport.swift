import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepSystem

/// The users of a Firebase project in files: a folder of `firebase emulators:export`, or a JSON file of `firebase auth:export`.
struct FirebaseExport {
    let path: String

    /// The version of firebase-tools with this layout.
    static let version: JSON = "15.28.1"
    static let folderName = "auth_export"
    static let tenantMember = "tenantId"
    static let metadataName = "firebase-export-metadata.json"
    private static let use = NamedFile.Use("Firebase export", limit: 16)

    /// Whether it is a file of `firebase auth:export`.
    var isFile: Bool { path.hasSuffix(".json") }

    /// A file with users, before they are imported.
    private struct Source {
        let file: String
        let tenant: String?
        /// The members of the document beside its users, such as the parameters of the hashes.
        let members: JSONObject
        /// The number of users with hashes of the project's own algorithm, but without its parameters.
        let unexplainedHashes: Int
    }

    /// Imports the users and settings of the files into the project.
    ///
    /// All files are read before the import starts.
    ///
    /// - Parameters:
    ///   - hasKey: Whether the settings contain the key of the project's password hashes.
    ///   - tell: Called with the users that were left out.
    /// - Returns: The number of users that were left out.
    /// - Throws: ``UsageError`` with the invalid file or value.
    func load(into admin: FirebaseAdministrator, hasKey: Bool, tell: (String) -> Void) async throws -> Int {
        guard try admin.userCount() == 0 else {
            throw UsageError(
                "--import needs a project without users, but the --data folder contains users. Choose another folder.")
        }
        let folder = isFile ? nil : try accountsFolder()
        let files = try folder.map { folder in
            try accountFiles(in: folder).map { (name: "\(folder)/\($0.name)", tenant: $0.tenant) }
        }
        let sources = try (files ?? [(name: path, tenant: nil)]).map { try source($0.name, tenant: $0.tenant) }
        for source in sources where !hasKey && source.unexplainedHashes > 0 {
            throw UsageError(
                "\"\(source.file)\" contains passwords of \(source.unexplainedHashes) users, but not the key for their hashes. "
                    + "Set hashing.signerKey and hashing.saltSeparator in the --env file to the values of their project. "
                    + "Firebase's console shows both under \"password hash parameters\"."
            )
        }
        if let file = folder.map({ $0 + "/config.json" }), let config = try read(file) {
            try await named(file) { try admin.importConfig(config) }
        }
        var usersLeftOut = 0
        for source in sources {
            var elements = try UserFilePlace.reading(source.file) { try JSONElements($0) }
            while case let users = try Self.batch(&elements, source.file), !users.isEmpty {
                var document = source.members
                document[JSONElements.member] = .array(users)
                let problems = try await named(source.file) { [document] in
                    try await admin.importUsers(.object(document), tenant: source.tenant)
                }
                for problem in problems { tell("\(source.file): user \(problem.id) was left out: \(problem.reason)") }
                usersLeftOut += problems.count
            }
        }
        return usersLeftOut
    }

    private static func batch(_ elements: inout JSONElements, _ file: String) throws -> [JSON] {
        var users: [JSON] = []
        try UserFilePlace.naming(file) {
            while users.count < 1000, let (user, _) = try elements.next() { users.append(.object(user)) }
        }
        return users
    }

    private func source(_ file: String, tenant: String?) throws -> Source {
        try UserFilePlace.reading(file) { reader in
            var elements = try UserFileKind.elements(reader, file)
            var hashes = 0
            while let (user, _) = try elements.next() {
                guard user["passwordScheme"] == nil, let hash = user["passwordHash"]?.string else { continue }
                // The plain-text form of Firebase's emulator is not a hash.
                if !hash.isEmpty, !hash.hasPrefix("fakeHash:") { hashes += 1 }
            }
            let members = elements.members
            // A tenant whose name is too long for a file is named inside of it.
            return Source(
                file: file, tenant: members[Self.tenantMember]?.string ?? tenant, members: members,
                unexplainedHashes: members["hashAlgorithm"] == nil ? hashes : 0)
        }
    }

    /// Runs `body`, and adds the name of the file to its error.
    private func named<Value>(_ file: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as FirebaseAdministratorError {
            throw UsageError("\(file): \(error)")
        }
    }

    /// Returns the folder with `accounts.json` at or below the named folder.
    func accountsFolder() throws -> String {
        guard try Folder.isThere(path) else {
            throw UsageError(
                "there is no folder \"\(path)\". Choose a folder from firebase emulators:export, or a JSON file.")
        }
        let named = try read(path + "/" + Self.metadataName)?["auth"]?["path"]?.string ?? Self.folderName
        for folder in [path + "/" + named, path] where try Folder.isThere(folder) {
            if try !accountFiles(in: folder).isEmpty { return folder }
        }
        throw UsageError("\"\(path)\" contains no Firebase Authentication accounts. Export with the auth emulator.")
    }

    /// Returns the files with users in a folder, with their tenants.
    func accountFiles(in folder: String) throws -> [(name: String, tenant: String?)] {
        try Folder.names(folder).sorted().compactMap { name in
            if name == "accounts.json" { return (name, nil) }
            guard name.hasPrefix("accounts-"), name.hasSuffix(".json") else { return nil }
            let tenant = String(name.dropFirst("accounts-".count).dropLast(".json".count))
            return (name, Percent.decode(tenant) ?? tenant)
        }
    }

    /// Returns the settings in a file of the folder; `nil` if there is no such file.
    func read(_ file: String) throws -> JSON? {
        // Nobody has named the files of a folder: a pipe among them is a mistake.
        guard let bytes = try NamedFile.bytes(of: file, as: Self.use, acceptsPipes: false) else { return nil }
        do throws(JSONError) {
            return try JSON.parse(bytes)
        } catch {
            throw UsageError("\"\(file)\" is not JSON. \(error.sentence(in: bytes)) Export the users again.")
        }
    }
}

extension FirebaseExport {
    private static let members = [
        "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl", "createdAt", "phoneNumber",
        "disabled", "customAttributes", "mfaInfo",
    ]
    private static let providers: Set = [
        "apple.com", "facebook.com", "gc.apple.com", "github.com", "google.com", "linkedin.com", "microsoft.com",
        "playgames.google.com", "twitter.com", "yahoo.com",
    ]

    /// Returns the users in the format of `firebase auth:export`, for `firebase auth:import`: only its members, and only hashes
    /// of the project's own algorithm, in standard base 64.
    static func asAuthExport(_ document: JSON) -> JSON {
        ["users": .array((document["users"]?.array ?? []).map { .object(user($0)) })]
    }

    private static func user(_ exported: JSON) -> JSONObject {
        var user: JSONObject = [:]
        for name in members { user[name] = exported[name] }
        user["lastSignedInAt"] = exported["lastLoginAt"]
        for name in ["passwordHash", "salt"] {
            let bytes = exported[name]?.string.flatMap { Base64.decode($0) ?? Base64.decode($0, .url) }
            user[name] = exported["passwordScheme"] == nil ? bytes.map { .string(Base64.encode($0)) } : nil
        }
        let identities = (exported["providerUserInfo"]?.array ?? []).filter { providers.contains($0["providerId"]?.string ?? "") }
        user["providerUserInfo"] = .array(
            identities.map { identity in
                var kept: JSONObject = [:]
                for name in ["providerId", "rawId", "email", "displayName", "photoUrl"] { kept[name] = identity[name] }
                return .object(kept)
            })
        return user
    }
}
