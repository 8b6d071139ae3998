import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepSystem

/// The users of a Firebase project in files: a folder as `firebase emulators:export` writes it, or a JSON file as
/// `firebase auth:export` does.
struct FirebaseExport {
    let path: String

    /// The version of firebase-tools whose layout this is.
    private static let version: JSON = "15.28.1"
    private static let folderName = "auth_export"
    private static let metadataName = "firebase-export-metadata.json"
    private static let limit = 1 << 28

    private var isFile: Bool { path.hasSuffix(".json") }

    /// Gives the project the users and settings of the files.
    ///
    /// - Parameter tell: is called with the users who were left out.
    /// - Throws: ``UsageError`` that names what cannot be used.
    func load(into admin: FirebaseAdministrator, tell: (String) -> Void) async throws {
        guard try admin.userCount() == 0 else {
            throw UsageError("--import is for a project without users, and the folder of --data has some: name another folder.")
        }
        if isFile { return try await load(path, tenant: nil, into: admin, tell: tell) }
        let folder = try accountsFolder()
        if let config = try read(folder + "/config.json") { try admin.importConfig(config) }
        for (name, tenant) in try accountFiles(in: folder) {
            try await load(folder + "/" + name, tenant: tenant, into: admin, tell: tell)
        }
    }

    private func load(_ file: String, tenant: String?, into admin: FirebaseAdministrator, tell: (String) -> Void) async throws {
        guard let document = try read(file) else { throw UsageError("there is no file \(file).") }
        do {
            for problem in try await admin.importUsers(document, tenant: tenant) {
                tell("\(file): user \(problem.id) was left out: \(problem.reason)")
            }
        } catch let error as FirebaseAdministratorError {
            throw UsageError("\(file): \(error)")
        }
    }

    /// Writes the project's users and settings.
    func save(_ admin: FirebaseAdministrator) throws {
        if isFile { return try write(Self.asAuthExport(try admin.exportUsers()), to: path) }
        let folder = path + "/" + Self.folderName
        try Folder.make(path)
        try Folder.make(folder)
        // What other emulators of Firebase have exported beside it stays.
        var metadata = try read(path + "/" + Self.metadataName)?.object ?? ["version": Self.version]
        metadata["auth"] = ["version": Self.version, "path": .string(Self.folderName)]
        try write(.object(metadata), to: path + "/" + Self.metadataName)
        try write(try admin.exportConfig(), to: folder + "/config.json")
        let tenants = try admin.tenants()
        // Tenants that are gone must not come back with the next import.
        for (name, tenant) in try accountFiles(in: folder) where tenant.map({ !tenants.contains($0) }) ?? false {
            try AtomicFile.remove(folder + "/" + name)
        }
        try write(try admin.exportUsers(), to: folder + "/accounts.json")
        for tenant in tenants {
            // A request may have named a tenant with a slash.
            try write(try admin.exportUsers(tenant: tenant), to: folder + "/accounts-\(Percent.encode(tenant)).json")
        }
    }

    /// The folder with `accounts.json`, wherever below the named one it is.
    private func accountsFolder() throws -> String {
        guard try Folder.isThere(path) else {
            throw UsageError(
                "there is no folder \(path): --import takes one that firebase emulators:export has written, or a JSON file.")
        }
        let named = try read(path + "/" + Self.metadataName)?["auth"]?["path"]?.string ?? Self.folderName
        for folder in [path + "/" + named, path] where try Folder.isThere(folder) {
            if try !accountFiles(in: folder).isEmpty { return folder }
        }
        throw UsageError("\(path) has no accounts of Firebase Authentication: export with auth among the emulators.")
    }

    /// The files of a folder that hold users, with the tenants whose users they are.
    private func accountFiles(in folder: String) throws -> [(name: String, tenant: String?)] {
        try Folder.names(folder).sorted().compactMap { name in
            if name == "accounts.json" { return (name, nil) }
            guard name.hasPrefix("accounts-"), name.hasSuffix(".json") else { return nil }
            let tenant = String(name.dropFirst("accounts-".count).dropLast(".json".count))
            return (name, Percent.decode(tenant) ?? tenant)
        }
    }

    private func read(_ file: String) throws -> JSON? {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try AtomicFile.read(file, limit: Self.limit) } catch {
            throw UsageError("\(file) cannot be read: \(error.reason).")
        }
        guard let bytes else { return nil }
        guard let json = try? JSON.parse(bytes) else { throw UsageError("\(file) is not JSON: export as JSON, not as CSV.") }
        return json
    }

    private func write(_ json: JSON, to file: String) throws {
        try AtomicFile.replace(file, with: json.bytes(), isDurable: false)
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

    /// The users as `firebase auth:export` writes them, which `firebase auth:import` takes: no other members, hashes of the project's own
    /// algorithm only, in standard base 64.
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
