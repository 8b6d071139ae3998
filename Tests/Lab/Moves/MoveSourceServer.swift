import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepSystem

/// Firebase's emulator with users who all have the same hash, so that many are made quickly.
enum MoveSourceServer {
    static let password: Secret = "Old-Password-1!"

    /// Starts an emulator.
    ///
    /// - `users`: How many users it has; each has an address, a hash, and an identity of Google.
    /// - `progress`: Is called with the number of users so far.
    static func start(users: Int, progress: (Int) throws -> Void = { _ in }) async throws -> EmulatorServer<FirebaseEmulator> {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = 1
        let server = try FirebaseEmulator.start(settings)
        do {
            let first: JSON = ["localId": "first", "rawPassword": .string(password.reveal())]
            try await fill(server, [first])
            let exported = try server.emulator.admin.exportUsers()["users"]?[0]
            guard let hash = exported?["passwordHash"], let salt = exported?["salt"] else { throw Failure() }
            try server.panel.reset()
            for start in stride(from: 0, to: users, by: 10_000) {
                try await fill(server, (start..<min(start + 10_000, users)).map { user($0, hash, salt) })
                try progress(start)
            }
            return server
        } catch {
            server.stop()
            throw error
        }
    }

    static func email(_ number: Int) -> String { "user\(number)@example.com" }

    private static func user(_ number: Int, _ hash: JSON, _ salt: JSON) -> JSON {
        [
            "localId": .string("user-\(String(number + 10_000_000).dropFirst())"), "email": .string(email(number)),
            "emailVerified": true,
            "displayName": .string("User \(number)"), "passwordHash": hash, "salt": salt,
            "createdAt": .string(String(1_600_000_000_000 + number)),
            "providerUserInfo": [["providerId": "google.com", "rawId": .string("g-\(number)"), "email": .string(email(number))]],
        ]
    }

    private static func fill(_ server: EmulatorServer<FirebaseEmulator>, _ users: [JSON]) async throws {
        guard try await server.emulator.admin.importUsers(["users": .array(users)]).isEmpty else { throw Failure() }
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String { "the source did not accept its users" }
    }
}
