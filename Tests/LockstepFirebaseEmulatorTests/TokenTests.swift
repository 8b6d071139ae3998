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
        let stage = try Stage()
        let token = try await stage.signUp()["idToken"]
        let keys = try await stage.get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        let project = stage.server.emulator.settings.project
        let verifier = TokenVerifier(
            keys: try JSONWebKeySet(keys.json).verificationKeys,
            rules: TokenRules(issuers: ["https://securetoken.google.com/\(project)"], audiences: [project]))
        let verified = try verifier.verify(token, at: stage.server.environment.now)
        #expect(verified.claims["email"] == "ada@example.com")
        #expect(verified.claims["firebase"]?["sign_in_provider"] == "password")
    }

    @Test func keysAreCertificatesToo() async throws {
        let stage = try Stage { $0.signingKey = nil }
        let token = try await stage.signUp()["idToken"]
        let path = "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        let certificates = try #require(try await stage.get(path).json.object)
        let id = try #require(try UnverifiedToken(token).keyID)
        let bytes = try #require(PEM(certificates[id]?.string ?? "")?.bytes)
        // The public key lies in the certificate as it is in the set of keys.
        let keys = try await stage.get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        let modulus = try #require(Base64.decode(keys.json["keys"]?[0]?["n"]?.string ?? "", .url))
        #expect(bytes.firstRange(of: modulus) != nil)
    }

    @Test func usersAndKeySurviveARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(SystemRandomness().text(16))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var session: Stage.Answer?
        do {
            let stage = try Stage(storage: .folder(folder.path)) { $0.signingKey = nil }
            session = try await stage.signUp()
        }
        let stage = try Stage(storage: .folder(folder.path)) { $0.signingKey = nil }
        #expect(try await stage.lookup(session?["idToken"] ?? "").status == 200)
        #expect(try await stage.refresh(session?["refreshToken"] ?? "").status == 200)
        #expect(try await stage.signIn().status == 200)
    }

    /// Servers that start on a new folder at the same time make their keys at the same time, too.
    @Test func serversOnOneFolderSignWithOneKey() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(SystemRandomness().text(16))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try Stage(storage: .folder(folder.path)) { $0.signingKey = nil }
        let second = try Stage(storage: .folder(folder.path)) { $0.signingKey = nil }
        let session = try await first.signUp()
        #expect(try await second.lookup(session["idToken"]).status == 200)
        let third = try Stage(storage: .folder(folder.path)) { $0.signingKey = nil }
        #expect(try await third.lookup(session["idToken"]).status == 200)
    }

    @Test func unsignedAndForeignTokensAreRefused() async throws {
        let stage = try Stage()
        let token = try await stage.signUp()["idToken"]
        let claims = try UnverifiedToken(token).claims
        #expect(try await stage.lookup(TokenWriter.unsigned(claims)).code == "INVALID_ID_TOKEN")
        let forged = token.split(separator: ".").prefix(2).joined(separator: ".") + "." + String(repeating: "A", count: 342)
        #expect(try await stage.lookup(forged).code == "INVALID_ID_TOKEN")
        #expect(try await stage.lookup("x").code == "INVALID_ID_TOKEN")
        #expect(try await stage.lookup(token).status == 200)
    }

    @Test func idTokensEndAfterAnHour() async throws {
        let stage = try Stage()
        let token = try await stage.signUp()["idToken"]
        stage.pass(3000)
        #expect(try await stage.lookup(token).status == 200)
        stage.pass(610)
        #expect(try await stage.lookup(token).code == "INVALID_ID_TOKEN")
    }

    @Test func aNewPasswordEndsAllSessions() async throws {
        let stage = try Stage()
        _ = try await stage.signUp()
        let first = try await stage.signIn()
        let second = try await stage.signIn()
        #expect(first["refreshToken"] != second["refreshToken"])
        stage.pass(5)
        let change = try await stage.call(
            "accounts:update", ["idToken": .string(first["idToken"]), "password": "another one"])
        #expect(change.status == 200)
        for session in [first, second] {
            #expect(try await stage.lookup(session["idToken"]).code == "TOKEN_EXPIRED")
            #expect(try await stage.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
        }
        #expect(try await stage.lookup(change["idToken"]).status == 200)
        #expect(try await stage.refresh(change["refreshToken"]).status == 200)
    }

    /// A refresh token does not rotate here, so that a second use is as good as the first.
    ///
    /// Cases: E05.
    @Test func aRefreshTokenThatIsSentManyTimesAtOnceStaysTheOne() async throws {
        let stage = try Stage()
        let session = try await stage.signUp()
        let answers = try await withThrowingTaskGroup(of: Stage.Answer.self) { group in
            for _ in 0..<12 { group.addTask { try await stage.refresh(session["refreshToken"]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.status))")
        #expect(Set(answers.map { $0["refresh_token"] }) == [session["refreshToken"]])
        stage.pass(5)
        _ = try await stage.call(
            "accounts:update", ["idToken": .string(session["idToken"]), "password": "another one", "returnSecureToken": false])
        #expect(try await stage.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
    }

    @Test func refreshingNamesWhatBecameOfTheUser() async throws {
        let stage = try Stage()
        let session = try await stage.signUp()
        let refreshed = try await stage.refresh(session["refreshToken"])
        #expect(refreshed["refresh_token"] == session["refreshToken"])
        #expect(refreshed["user_id"] == session["localId"])
        try stage.admin.setDisabled(true, of: session["localId"])
        #expect(try await stage.refresh(session["refreshToken"]).code == "USER_DISABLED")
        try stage.admin.setDisabled(false, of: session["localId"])
        #expect(try await stage.refresh(session["refreshToken"]).status == 200)
        try stage.admin.deleteUser(session["localId"])
        #expect(try await stage.refresh(session["refreshToken"]).code == "USER_NOT_FOUND")
        #expect(try await stage.refresh("AMf-nonsense").code == "INVALID_REFRESH_TOKEN")
    }

    @Test func aNewUserOfAnOldIdHasNoOldSessions() async throws {
        let stage = try Stage()
        _ = try await stage.manage(
            "accounts", ["localId": "user-1", "email": "ada@example.com", "password": .string(Stage.password)])
        let session = try await stage.signIn()
        try stage.admin.deleteUser("user-1")
        #expect(try await stage.refresh(session["refreshToken"]).code == "USER_NOT_FOUND")
        _ = try await stage.manage("accounts", ["localId": "user-1"])
        #expect(try await stage.refresh(session["refreshToken"]).code == "INVALID_REFRESH_TOKEN")
    }

    @Test func revocationEndsSessionsOfBefore() async throws {
        let stage = try Stage()
        let session = try await stage.signUp()
        stage.pass(5)
        try stage.admin.revokeSessions(of: session["localId"])
        #expect(try await stage.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
        #expect(try await stage.refresh(try await stage.signIn()["refreshToken"]).status == 200)
    }

    @Test func signInTimeBelongsToTheSession() async throws {
        let stage = try Stage()
        let first = try await stage.signUp()
        stage.pass(100)
        _ = try await stage.signIn()
        let token = try await stage.refresh(first["refreshToken"])["id_token"]
        let claims = try UnverifiedToken(token).claims
        #expect((claims["iat"]?.int ?? 0) - (claims["auth_time"]?.int ?? 0) >= 100)
    }

    @Test func emulatorTokensAreUnsignedAndNeverEnd() async throws {
        let stage = try Stage(.emulator)
        let session = try await stage.signUp()
        #expect(session["idToken"].hasSuffix("."))
        #expect(try UnverifiedToken(session["idToken"]).header["alg"] == "none")
        stage.pass(100_000)
        #expect(try await stage.lookup(session["idToken"]).status == 200)
    }
}
