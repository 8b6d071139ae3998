import Foundation
import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Production's rules for tokens.
@Suite(.limitedConcurrency)
struct TokenTests {
    @Test func idTokensAreSignedByAPublishedKey() async throws {
        let emulator = try TestEmulator()
        let token = try await emulator.signUp()["idToken"]
        let keys = try await emulator.get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        let project = emulator.server.emulator.settings.project
        let verifier = TokenVerifier(
            keys: try JSONWebKeySet(keys.json).verificationKeys,
            rules: TokenRules(issuers: ["https://securetoken.google.com/\(project)"], audiences: [project]))
        let verified = try verifier.verify(token, at: emulator.server.environment.now)
        #expect(verified.claims["email"] == "ada@example.com")
        #expect(verified.claims["firebase"]?["sign_in_provider"] == "password")
    }

    @Test func keysArePublishedAsCertificates() async throws {
        let emulator = try TestEmulator { $0.signingKey = nil }
        let token = try await emulator.signUp()["idToken"]
        let path = "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        let certificates = try #require(try await emulator.get(path).json.object)
        let id = try #require(try UnverifiedToken(token).keyID)
        let bytes = try #require(PEM(certificates[id]?.string ?? "")?.bytes)
        // The certificate contains the same public key as the key set.
        let keys = try await emulator.get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        let modulus = try #require(Base64.decode(keys.json["keys"]?[0]?["n"]?.string ?? "", .url))
        #expect(bytes.firstRange(of: modulus) != nil)
        let cookies = try await emulator.get("/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys")
        #expect(cookies.json[id] != nil)
    }

    @Test func usersAndKeySurviveARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(SystemRandomness().text(16))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var session: TestEmulator.TestResponse?
        do {
            let emulator = try TestEmulator(storage: .folder(folder.path)) { $0.signingKey = nil }
            session = try await emulator.signUp()
        }
        let emulator = try TestEmulator(storage: .folder(folder.path)) { $0.signingKey = nil }
        #expect(try await emulator.lookup(session?["idToken"] ?? "").status == 200)
        #expect(try await emulator.refresh(session?["refreshToken"] ?? "").status == 200)
        #expect(try await emulator.signIn().status == 200)
    }

    /// Servers that start on a new folder at the same time also generate their keys at the same time.
    @Test func serversOnOneFolderShareOneKey() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(SystemRandomness().text(16))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path)) { $0.signingKey = nil }
        let second = try TestEmulator(storage: .folder(folder.path)) { $0.signingKey = nil }
        let session = try await first.signUp()
        #expect(try await second.lookup(session["idToken"]).status == 200)
        let third = try TestEmulator(storage: .folder(folder.path)) { $0.signingKey = nil }
        #expect(try await third.lookup(session["idToken"]).status == 200)
    }

    @Test func unsignedAndForeignTokensAreRejected() async throws {
        let emulator = try TestEmulator()
        let token = try await emulator.signUp()["idToken"]
        let claims = try UnverifiedToken(token).claims
        #expect(try await emulator.lookup(TokenWriter.unsigned(claims)).code == "INVALID_ID_TOKEN")
        let forged = token.split(separator: ".").prefix(2).joined(separator: ".") + "." + String(repeating: "A", count: 342)
        #expect(try await emulator.lookup(forged).code == "INVALID_ID_TOKEN")
        #expect(try await emulator.lookup("x").code == "INVALID_ID_TOKEN")
        #expect(try await emulator.lookup(token).status == 200)
    }

    @Test func idTokensExpireAfterAnHour() async throws {
        let emulator = try TestEmulator()
        let token = try await emulator.signUp()["idToken"]
        emulator.pass(3000)
        #expect(try await emulator.lookup(token).status == 200)
        emulator.pass(610)
        #expect(try await emulator.lookup(token).code == "INVALID_ID_TOKEN")
    }

    @Test func aNewPasswordEndsAllSessions() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.signUp()
        let first = try await emulator.signIn()
        let second = try await emulator.signIn()
        #expect(first["refreshToken"] != second["refreshToken"])
        emulator.pass(5)
        let change = try await emulator.call(
            "accounts:update", ["idToken": .string(first["idToken"]), "password": "another one"])
        #expect(change.status == 200)
        for session in [first, second] {
            #expect(try await emulator.lookup(session["idToken"]).code == "TOKEN_EXPIRED")
            #expect(try await emulator.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
        }
        #expect(try await emulator.lookup(change["idToken"]).status == 200)
        #expect(try await emulator.refresh(change["refreshToken"]).status == 200)
    }

    /// A refresh token does not rotate here, so a second use is as valid as the first.
    @Test func concurrentUsesOfARefreshTokenReturnTheSameToken() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        let answers = try await withThrowingTaskGroup(of: TestEmulator.TestResponse.self) { group in
            for _ in 0..<12 { group.addTask { try await emulator.refresh(session["refreshToken"]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.status))")
        #expect(Set(answers.map { $0["refresh_token"] }) == [session["refreshToken"]])
        emulator.pass(5)
        _ = try await emulator.call(
            "accounts:update", ["idToken": .string(session["idToken"]), "password": "another one", "returnSecureToken": false])
        #expect(try await emulator.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
    }

    @Test func refreshReportsDisabledAndDeletedUsers() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        let refreshed = try await emulator.refresh(session["refreshToken"])
        #expect(refreshed["refresh_token"] == session["refreshToken"])
        #expect(refreshed["user_id"] == session["localId"])
        try await emulator.admin.setDisabled(true, of: session["localId"])
        #expect(try await emulator.refresh(session["refreshToken"]).code == "USER_DISABLED")
        try await emulator.admin.setDisabled(false, of: session["localId"])
        #expect(try await emulator.refresh(session["refreshToken"]).status == 200)
        try emulator.admin.deleteUser(session["localId"])
        #expect(try await emulator.refresh(session["refreshToken"]).code == "USER_NOT_FOUND")
        #expect(try await emulator.refresh("AMf-nonsense").code == "INVALID_REFRESH_TOKEN")
    }

    @Test func newUserWithAnOldIDHasNoOldSessions() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.manage(
            "accounts", ["localId": "user-1", "email": "ada@example.com", "password": .string(TestEmulator.password)])
        let session = try await emulator.signIn()
        try emulator.admin.deleteUser("user-1")
        #expect(try await emulator.refresh(session["refreshToken"]).code == "USER_NOT_FOUND")
        _ = try await emulator.manage("accounts", ["localId": "user-1"])
        #expect(try await emulator.refresh(session["refreshToken"]).code == "INVALID_REFRESH_TOKEN")
    }

    @Test func revocationEndsEarlierSessions() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        emulator.pass(5)
        try emulator.admin.revokeSessions(of: session["localId"])
        #expect(try await emulator.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
        #expect(try await emulator.refresh(try await emulator.signIn()["refreshToken"]).status == 200)
    }

    @Test func signInTimeBelongsToTheSession() async throws {
        let emulator = try TestEmulator()
        let first = try await emulator.signUp()
        emulator.pass(100)
        _ = try await emulator.signIn()
        let token = try await emulator.refresh(first["refreshToken"])["id_token"]
        let claims = try UnverifiedToken(token).claims
        #expect((claims["iat"]?.int ?? 0) - (claims["auth_time"]?.int ?? 0) >= 100)
    }

    @Test func emulatorTokensAreUnsignedAndDoNotExpire() async throws {
        let emulator = try TestEmulator(.emulator)
        let session = try await emulator.signUp()
        #expect(session["idToken"].hasSuffix("."))
        #expect(try UnverifiedToken(session["idToken"]).header["alg"] == "none")
        emulator.pass(100_000)
        #expect(try await emulator.lookup(session["idToken"]).status == 200)
    }
}
