import LockstepClerkEmulator
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem

/// An emulator, or a database with GoTrue's tables, as an end of a move in the lab.
///
/// All users whom it creates have the same hash, so that many are created quickly.
struct MoveBackend: Sendable {
    let end: MovePlaces.End
    /// The emulator; `nil` for rows.
    let server: (any RunningEmulator)?
    private let rows: MoveRows?
    private let imported: ImportedUsers?

    static let password: Secret = "Old-Password-1!"
    /// bcrypt of cost 4.
    private static let hash: Secret = "$2b$04$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// Starts a backend without users.
    static func start(_ kind: MovePlaces.Kind) async throws -> MoveBackend {
        switch kind {
        case .firebase:
            var settings = FirebaseSettings(mode: .strict)
            settings.hashing.memoryCost = 1
            let server = try FirebaseEmulator.start(settings)
            do {
                return MoveBackend(kind, server, key: settings.project, imported: try await ImportedUsers(server))
            } catch {
                server.stop()
                throw error
            }
        case .gotrue:
            let server = try GoTrueEmulator.start(try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")]))
            return MoveBackend(kind, server, key: server.emulator.serviceRoleKey.reveal())
        case .clerk:
            let server = try ClerkEmulator.start(try ClerkSettings([("PASSWORD_COST", "least")]))
            return MoveBackend(kind, server, key: server.emulator.secretKey.reveal())
        case .rows:
            let rows = try await MoveRows(try await PostgresServer.shared())
            return MoveBackend(
                end: MovePlaces.End(kind: kind, address: rows.address, key: "-"), server: nil, rows: rows, imported: nil)
        }
    }

    private init(end: MovePlaces.End, server: (any RunningEmulator)?, rows: MoveRows?, imported: ImportedUsers?) {
        (self.end, self.server, self.rows, self.imported) = (end, server, rows, imported)
    }

    private init(_ kind: MovePlaces.Kind, _ server: any RunningEmulator, key: String, imported: ImportedUsers? = nil) {
        self.init(
            end: MovePlaces.End(kind: kind, address: server.base, key: key), server: server, rows: nil, imported: imported)
    }

    static func id(_ number: Int) -> String { "user-\(String(number + 10_000_000).dropFirst())" }
    static func email(_ number: Int) -> String { "user\(number)@example.com" }

    func stop() { server?.stop() }

    /// Removes all users.
    func empty() async throws {
        try server?.panel.reset()
        try await rows?.sql("DELETE FROM auth.users")
    }

    /// Adds users, each with a verified address, a name and a hash.
    ///
    /// - Parameters:
    ///   - numbers: Their numbers.
    ///   - progress: Is called with the number of users so far.
    /// - Throws: The error of the backend.
    func fill(_ numbers: Range<Int>, progress: (Int) throws -> Void = { _ in }) async throws {
        let directory = try end.directory()
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000) {
            let part = start..<min(start + 1000, numbers.upperBound)
            if let imported {
                try await imported.write(part)
            } else {
                for outcome in await directory.create(part.map(user)) { if let error = outcome.error { throw error } }
            }
            try progress(start)
        }
    }

    private func user(_ number: Int) -> NewDirectoryUser {
        var user = NewDirectoryUser(email: Self.email(number), password: end.kind == .gotrue ? nil : .hash(Self.hash))
        (user.isEmailConfirmed, user.displayName) = (true, "User \(number)")
        if end.kind == .rows { user.createdAt = Instant(milliseconds: 1_600_000_000_000 + Int64(number)) }
        return user
    }

    /// Gives users another name.
    func rename(_ numbers: [Int], to name: String) async throws {
        if let imported { return try await imported.write(numbers, name: name) }
        var changes = DirectoryChanges()
        changes.displayName = name
        for id in try await ids(numbers) { _ = try await end.directory().update(id, changes) }
    }

    func delete(_ numbers: [Int]) async throws {
        for outcome in try await end.directory().delete(ids(numbers)) { if let error = outcome.error { throw error } }
    }

    private func ids(_ numbers: [Int]) async throws -> [String] {
        try await end.directory().users(emails: numbers.map(Self.email)).compactMap { $0?.id }
    }
}

/// Users of Firebase with a hash of the project's own, which no other import leaves readable.
private struct ImportedUsers: Sendable {
    private let server: EmulatorServer<FirebaseEmulator>
    private let hash: JSON
    private let salt: JSON

    init(_ server: EmulatorServer<FirebaseEmulator>) async throws {
        self.server = server
        try await Self.write([["localId": "first", "rawPassword": .string(MoveBackend.password.reveal())]], server)
        let exported = try server.emulator.admin.exportUsers()["users"]?[0]
        guard let hash = exported?["passwordHash"], let salt = exported?["salt"] else { throw Failure() }
        (self.hash, self.salt) = (hash, salt)
        try server.panel.reset()
    }

    /// Adds users, or replaces them; by default each has a name with the number.
    func write(_ numbers: some Sequence<Int>, name: String? = nil) async throws {
        try await Self.write(numbers.map { user($0, name) }, server)
    }

    private func user(_ number: Int, _ name: String?) -> JSON {
        [
            "localId": .string(MoveBackend.id(number)), "email": .string(MoveBackend.email(number)), "emailVerified": true,
            "displayName": .string(name ?? "User \(number)"), "passwordHash": hash, "salt": salt,
            "createdAt": .string(String(1_600_000_000_000 + number)),
            "providerUserInfo": [
                ["providerId": "google.com", "rawId": .string("g-\(number)"), "email": .string(MoveBackend.email(number))]
            ],
        ]
    }

    private static func write(_ users: [JSON], _ server: EmulatorServer<FirebaseEmulator>) async throws {
        let document: JSON = ["users": .array(users), "allowOverwrite": true]
        guard try await server.emulator.admin.importUsers(document).isEmpty else { throw Failure() }
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String { "the source did not accept its users" }
    }
}
