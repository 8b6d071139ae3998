import LockstepCrypto
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepSystem

/// The export of a project's users to files.
extension FirebaseExport {
    /// Writes the project's users and settings, or writes them next to this place if that fails.
    ///
    /// - Parameters:
    ///   - tell: Called with the values that a file cannot contain.
    /// - Throws: ``UsageError`` with the path of the users, if they were written elsewhere.
    func save(_ admin: FirebaseAdministrator, tell: (String) -> Void) throws(UsageError) {
        do {
            return try write(admin, tell: tell)
        } catch {
            let reason = Self.reason(error)
            for place in refuges {
                guard (try? Folder.isThere(place.path)) == false, (try? place.write(admin, tell: tell)) != nil else { continue }
                throw UsageError(
                    "cannot write the users to \"\(path)\": \(reason). The users were written to \"\(place.path)\" instead. Move that file."
                )
            }
            throw UsageError("cannot write the users to \"\(path)\" or to a file next to it: \(reason).")
        }
    }

    /// Other places for the users: next to this one, or in a temporary folder if that fails.
    private var refuges: some Sequence<FirebaseExport> {
        let temporary = (0..<1).lazy.compactMap { _ in
            (try? Folder.makeTemporary()).map { FirebaseExport(path: $0 + (isFile ? "/users.json" : "/users")) }
        }
        return [AnySequence(beside), AnySequence(temporary)].lazy.joined()
    }

    private var beside: some Sequence<FirebaseExport> {
        (0..<100).lazy.map { number in
            let place = alternative.path
            guard number > 0 else { return FirebaseExport(path: place) }
            return FirebaseExport(path: isFile ? "\(place.dropLast(".json".count)).\(number).json" : "\(place).\(number)")
        }
    }

    private static func reason(_ error: any Error) -> String { (error as? SystemError)?.reason ?? "\(error)" }

    private func write(_ admin: FirebaseAdministrator, tell: (String) -> Void) throws {
        let apps = try admin.currentSeed().users.reduce(0) { sum, user in
            sum + user.factors.count { $0.kind.controlled == .totp }
        }
        if apps > 0 {
            tell("\"\(path)\" cannot contain \(apps) authenticator apps of users. Export to a file NAME.jsonl to keep them.")
        }
        if isFile { try saveFile(admin, tell: tell) } else { try saveFolder(admin) }
    }

    private func saveFile(_ admin: FirebaseAdministrator, tell: (String) -> Void) throws {
        let users = try admin.exportUsers()
        let written = Self.asAuthExport(users)
        func passwords(_ document: JSON) -> Int { (document["users"]?.array ?? []).count { $0["passwordHash"] != nil } }
        let missing = [
            (passwords(users) - passwords(written), "passwords that are hashed with another algorithm"),
            (try UserFilePlace.usersOfTenants(admin), "users in tenants"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !missing.isEmpty else { return try write(written, to: path) }
        // The older file may be the only one that has them.
        let place = try Folder.isThere(path) ? beside.first { try !Folder.isThere($0.path) }?.path ?? path : path
        let kept = place == path ? "" : " It is unchanged, and the users are written to \"\(place)\"."
        tell("\"\(path)\" cannot contain \(missing.joined(separator: ", or ")).\(kept) Export to a folder to keep them.")
        try write(written, to: place)
    }

    private func saveFolder(_ admin: FirebaseAdministrator) throws {
        let folder = path + "/" + Self.folderName
        try Folder.make(path)
        try Folder.make(folder)
        // What other emulators of Firebase have exported beside it stays.
        var metadata = try read(path + "/" + Self.metadataName)?.object ?? ["version": Self.version]
        metadata["auth"] = ["version": Self.version, "path": .string(Self.folderName)]
        let tenants = try admin.tenants()
        let names = Set(tenants.map(Self.fileName))
        // Tenants that are gone must not come back with the next import.
        for (name, tenant) in try accountFiles(in: folder) where tenant != nil && !names.contains(name) {
            try AtomicFile.remove(folder + "/" + name)
        }
        // One file that cannot be written keeps no other from being written.
        var failure: (any Error)?
        func attempt(_ file: String, _ json: () throws -> JSON) {
            do { try write(json(), to: file) } catch { failure = failure ?? error }
        }
        attempt(path + "/" + Self.metadataName) { .object(metadata) }
        attempt(folder + "/config.json") { try admin.exportConfig() }
        attempt(folder + "/accounts.json") { try admin.exportUsers() }
        for tenant in tenants {
            attempt(folder + "/" + Self.fileName(of: tenant)) {
                var users = try admin.exportUsers(tenant: tenant).object ?? [:]
                if Self.isTooLong(tenant) { users[Self.tenantMember] = .string(tenant) }
                return .object(users)
            }
        }
        if let failure { throw failure }
    }

    /// Returns the file name for a tenant's users.
    ///
    /// A tenant's name may contain a slash, or be too long for a file. Such a file is named by a digest, with a character that no
    /// other tenant's file contains.
    static func fileName(of tenant: String) -> String {
        let name = isTooLong(tenant) ? "sha256+" + Hex.encode(HashFunction.sha256.digest(tenant)) : Percent.encode(tenant)
        return "accounts-\(name).json"
    }

    /// Whether the name is too long for a file.
    ///
    /// File systems allow 255 bytes, and a temporary file needs a longer name.
    private static func isTooLong(_ tenant: String) -> Bool { Percent.encode(tenant).utf8.count > 180 }

    private func write(_ json: JSON, to file: String) throws {
        try AtomicFile.replace(file, with: json.bytes(), isDurable: false)
    }
}
