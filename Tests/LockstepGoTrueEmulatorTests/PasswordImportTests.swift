import Foundation
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Users of other systems keep their passwords.
@Suite(.limitedConcurrency)
struct PasswordImportTests {
    private static func file(_ name: String) throws -> JSON {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Fixtures/Passwords")
        return try JSON.parse(Array(Data(contentsOf: folder.appendingPathComponent(name))))
    }

    /// Hashes that a real server accepted, and the Argon2 hashes of its reference implementation.
    private static func hashes() throws -> [(text: String, password: String)] {
        let references = try file("references.json")["goTrue"]
        let password = try #require(references?["password"]?.string)
        let texts = try #require(references?["texts"]?.array)
        let recorded = texts.compactMap { $0.string }.map { (text: $0, password: password) }
        let plain = try file("vectors.json")["plain"]?.array
        let others = try #require(plain).compactMap { vector -> (text: String, password: String)? in
            guard let text = vector["text"]?.string, let password = vector["password"]?.string, !password.isEmpty,
                text.hasPrefix("$argon2i")
            else { return nil }
            return (text, password)
        }
        return recorded + others
    }

    @Test func importedUsersSignInWithTheirPasswords() async throws {
        let emulator = try TestEmulator()
        let hashes = try Self.hashes()
        for kind in ["$2a$", "$2b$", "$2y$", "$fbscrypt$", "$argon2i$", "$argon2id$"] {
            #expect(hashes.contains { $0.text.hasPrefix(kind) }, "No vector of \(kind)")
        }
        for (number, hash) in hashes.enumerated() {
            let email = "user-\(number)@example.com"
            let body: JSON = ["email": .string(email), "password_hash": .string(hash.text), "email_confirm": true]
            #expect(try await emulator.post("/admin/users", body, bearer: emulator.admin).status == 200, "\(hash.text)")
            #expect(try await emulator.signIn(email, hash.password).status == 200, "\(hash.text)")
            #expect(try await emulator.signIn(email, hash.password + " ").code == "invalid_credentials", "\(hash.text)")
        }
    }

    @Test(arguments: [
        "$argon2d$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=16$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$argon2id$v=19$m=1048577,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=64,t=21,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$2c$06$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm", "plain",
    ])
    func unverifiableHashIsRejected(_ text: String) async throws {
        let emulator = try TestEmulator()
        let refused = try await emulator.post(
            "/admin/users", ["email": "ada@example.com", "password_hash": .string(text)], bearer: emulator.admin)
        #expect(refused.status == 500 && refused["msg"] == "Error creating user")
        #expect(try emulator.administrator.userCount() == 0)
    }

    @Test func newPasswordReplacesTheHash() async throws {
        let emulator = try TestEmulator()
        let hashes = try Self.hashes()
        let hash = try #require(hashes.first { $0.text.hasPrefix("$argon2id$") && $0.password != TestEmulator.password })
        let body: JSON = ["email": "ada@example.com", "password_hash": .string(hash.text), "email_confirm": true]
        _ = try await emulator.post("/admin/users", body, bearer: emulator.admin)
        let session = try await emulator.signIn("ada@example.com", hash.password)
        let same = try await emulator.put("/user", ["password": .string(hash.password)], bearer: session["access_token"])
        #expect(same.code == "same_password")
        let changed = try await emulator.put("/user", ["password": "Battery-Staple-2"], bearer: session["access_token"])
        #expect(changed.status == 200)
        #expect(try await emulator.signIn("ada@example.com", hash.password).code == "invalid_credentials")
        #expect(try await emulator.signIn("ada@example.com", "Battery-Staple-2").status == 200)
    }
}
