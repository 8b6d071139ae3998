import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepSystem

/// Firebase's emulator with users who all have the same hash, so that many are created quickly.
struct MoveSourceServer: Sendable {
    let server: EmulatorServer<FirebaseEmulator>
    private let hash: JSON
    private let salt: JSON

    static let password: Secret = "Old-Password-1!"

    /// Starts an emulator without users.
    static func start() async throws -> MoveSourceServer {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = 1
        let server = try FirebaseEmulator.start(settings)
        do {
            try await fill(server, [["localId": "first", "rawPassword": .string(password.reveal())]])
            let exported = try server.emulator.admin.exportUsers()["users"]?[0]
            guard let hash = exported?["passwordHash"], let salt = exported?["salt"] else { throw Failure() }
            try server.panel.reset()
            return MoveSourceServer(server: server, hash: hash, salt: salt)
        } catch {
            server.stop()
            throw error
        }
    }

    static func id(_ number: Int) -> String { "user-\(String(number + 10_000_000).dropFirst())" }
    static func email(_ number: Int) -> String { "user\(number)@example.com" }

    /// Adds users, or replaces them.
    ///
    /// - Parameters:
    ///   - numbers: Their numbers; each has an address, a hash, and an identity of Google.
    ///   - name: Their name; by default each has a name with the number.
    ///   - progress: Is called with the number of users so far.
    /// - Throws: The error of the emulator.
    func fill(_ numbers: some Sequence<Int>, name: String? = nil, progress: (Int) throws -> Void = { _ in }) async throws {
        let numbers = Array(numbers)
        for start in stride(from: 0, to: numbers.count, by: 10_000) {
            try await Self.fill(server, numbers[start..<min(start + 10_000, numbers.count)].map { user($0, name) })
            try progress(start)
        }
    }

    /// Removes all users.
    func empty() throws { try server.panel.reset() }

    private func user(_ number: Int, _ name: String?) -> JSON {
        [
            "localId": .string(Self.id(number)), "email": .string(Self.email(number)), "emailVerified": true,
            "displayName": .string(name ?? "User \(number)"), "passwordHash": hash, "salt": salt,
            "createdAt": .string(String(1_600_000_000_000 + number)),
            "providerUserInfo": [
                ["providerId": "google.com", "rawId": .string("g-\(number)"), "email": .string(Self.email(number))]
            ],
        ]
    }

    private static func fill(_ server: EmulatorServer<FirebaseEmulator>, _ users: [JSON]) async throws {
        let document: JSON = ["users": .array(users), "allowOverwrite": true]
        guard try await server.emulator.admin.importUsers(document).isEmpty else { throw Failure() }
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String { "the source did not accept its users" }
    }
}
