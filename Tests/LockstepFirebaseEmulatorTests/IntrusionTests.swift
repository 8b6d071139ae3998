import Foundation
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Requests of an attacker: injected queries, ids of other users, probes for known addresses.
@Suite(.limitedConcurrency)
struct IntrusionTests {
    @Test(arguments: [
        "' OR '1'='1", "'; DROP TABLE users; --", "\" OR \"\"=\"", "x' UNION SELECT * FROM users --", "%", "_", "*", "\\",
        "*)(uid=*))(|(uid=*", "{\"$ne\":null}", "${7*7}", "{{7*7}}",
    ])
    func sqlInInputIsStoredAsText(_ text: String) async throws {
        let emulator = try TestEmulator()
        let ada = try await emulator.signUp()
        let value = JSON.string(text)
        #expect(try await emulator.signIn(text, password: text).status == 400)
        #expect(try await emulator.signIn("ada@example.com", password: text).code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await emulator.refresh(text).code == "INVALID_REFRESH_TOKEN")
        #expect(try await emulator.lookup(text).code == "INVALID_ID_TOKEN")
        let reset: JSON = ["oobCode": value, "newPassword": "another one"]
        #expect(try await emulator.call("accounts:resetPassword", reset).code == "INVALID_OOB_CODE")
        for body: JSON in [["localId": [value]], ["email": [value]], ["phoneNumber": [value]]] {
            #expect(try await emulator.manage("accounts:lookup", body).json["users"]?.array ?? [] == [])
        }
        #expect(try await emulator.manage("accounts:query", ["sortBy": value]).status >= 400)
        #expect(
            try await emulator.manage("accounts:query", ["expression": [["email": value]]]).json["userInfo"]?.array ?? [] == [])
        let named = try await emulator.call("accounts:update", ["idToken": .string(ada["idToken"]), "displayName": value])
        #expect(named["displayName"] == text)
        #expect(try await emulator.lookup(ada["idToken"]).json["users"]?[0]?["displayName"] == value)
        #expect(try emulator.admin.userCount() == 1)
        #expect(try await emulator.signIn().status == 200)
    }

    /// Another spelling of a path does not bypass its authorization.
    @Test func otherPathSpellingsBypassNoAuthorization() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.signUp()
        let project = emulator.server.emulator.settings.project
        for path in [
            "projects/\(project)/accounts:batchGet", "projects/\(project)/accounts:query", "projects/\(project)/accounts:lookup",
        ] {
            let whole = TestEmulator.toolkit + path
            for spelling in [
                whole, "/" + whole, whole + "/", whole + ".", whole + "%2f", whole + "%00", "/." + whole, "/x/.." + whole,
                whole.uppercased(), whole.replacing("/", with: "//"), whole.replacing("/", with: "/./"),
                whole.replacing("accounts", with: "Accounts"), whole.replacing("accounts", with: "%61ccounts"),
                whole.replacing(":", with: "%3a"), TestEmulator.toolkit + "accounts:lookup/../" + path,
            ] {
                for method in [HTTPMethod.get, .post] {
                    for headers: HTTPHeaders in [[:], ["Authorization": "Bearer x"], ["Authorization": "bearer  owner "]] {
                        let request = HTTPRequest(
                            method, emulator.server.base + spelling, headers: headers, body: method == .get ? .none : .json([:]))
                        let response = try await emulator.send(request)
                        #expect([400, 401, 403, 404, 405].contains(response.status), "\(method) \(spelling): \(response.status)")
                        #expect(!response.json.text().contains("ada@example.com"))
                    }
                }
            }
        }
    }

    @Test func tokenAloneDecidesTheAccount() async throws {
        for mode in [FirebaseMode.strict, .emulator] {
            let emulator = try TestEmulator(mode)
            let eve = try await emulator.signUp("eve@example.com")
            let ada = try await emulator.signUp("ada@example.com")
            let (own, other) = (JSON.string(ada["localId"]), JSON.string(eve["localId"]))
            let token = JSON.string(ada["idToken"])
            for (operation, more) in [
                ("accounts:update", ["displayName": "Taken"] as JSONObject), ("accounts:update", ["password": "taken over"]),
                ("accounts:update", ["customAttributes": "{\"admin\":true}"]), ("accounts:update", ["disableUser": true]),
                ("accounts:delete", [:]),
            ] {
                // An id without a token is rejected. With a token the id is ignored.
                var body = more
                body["localId"] = other
                #expect(try await emulator.call(operation, .object(body)).status >= 400, "\(mode) \(operation)")
                body["idToken"] = "x"
                #expect(try await emulator.call(operation, .object(body)).status >= 400, "\(mode) \(operation)")
                guard operation != "accounts:delete" else { continue }
                body["idToken"] = token
                _ = try await emulator.call(operation, .object(body))
            }
            let looked = try await emulator.call(
                "accounts:lookup", ["idToken": token, "localId": [other], "email": ["eve@example.com"]])
            #expect((looked.json["users"]?.array ?? []).allSatisfy { $0["localId"] == own }, "\(mode)")
            let whole = try await emulator.manage("accounts:lookup", ["localId": [other]]).json["users"]?[0]
            #expect(whole?["displayName"] == nil && whole?["customAttributes"] == nil && whole?["disabled"] != true, "\(mode)")
            #expect(try await emulator.signIn("eve@example.com").status == 200)
        }
    }

    @Test func knownAndUnknownAddressesCostTheSame() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.signUp()
        _ = try await emulator.manage("accounts", ["email": "bob@example.com"])
        func cost(_ body: () async throws -> TestEmulator.TestResponse) async throws -> Int {
            let before = emulator.server.environment.passwordWork.count
            _ = try await body()
            return emulator.server.environment.passwordWork.count - before
        }
        for email in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
            #expect(try await cost { try await emulator.signIn(email, password: "wrong one") } == 1, "\(email)")
            let reset: JSON = ["requestType": "PASSWORD_RESET", "email": .string(email)]
            #expect(try await cost { try await emulator.call("accounts:sendOobCode", reset) } == 0, "\(email)")
        }
        // At a sign-up, Firebase itself reveals that an address is taken. Its work reveals no more than its response.
        #expect(try await emulator.signUp().code == "EMAIL_EXISTS")
    }

    @Test func endedSessionsStayEndedAfterARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firebase-\(SystemRandomness().uuid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = ManualClock(base: FixedClock())
        func emulator() throws -> TestEmulator {
            try TestEmulator(storage: .folder(folder.path), clock: clock) {
                $0.signingKey = nil
                $0.limits.failedSignIns = 3
            }
        }
        let first = try emulator()
        let ada = try await first.signUp()
        let eve = try await first.signUp("eve@example.com")
        clock.advance(by: .seconds(5))
        _ = try await first.call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "eve@example.com"])
        let link = try #require(first.link(to: "eve@example.com"))
        let code = try #require(link.split(separator: "oobCode=").last?.prefix { $0 != "&" })
        let reset: JSON = ["oobCode": .string(String(code)), "newPassword": "another one"]
        #expect(try await first.call("accounts:resetPassword", reset).status == 200)
        for _ in 0..<2 { _ = try await first.signIn("ada@example.com", password: "wrong one") }
        first.server.stop()

        let second = try emulator()
        #expect(try await second.refresh(eve["refreshToken"]).code == "TOKEN_EXPIRED")
        #expect(try await second.lookup(eve["idToken"]).code == "TOKEN_EXPIRED")
        #expect(try await second.call("accounts:resetPassword", reset).code == "INVALID_OOB_CODE")
        #expect(try await second.refresh(ada["refreshToken"]).status == 200)
        // Two guesses before and one after are three.
        _ = try await second.signIn("ada@example.com", password: "wrong one")
        #expect(try await second.signIn().code == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }
}
