import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The names and forms of a request's members, as Firebase's emulator (default mode) and production (strict mode) read them.
@Suite(.limitedConcurrency)
struct MemberFormTests {
    @Test(arguments: [
        "displayName", "DisplayName", "displayNAME", "display-name", "_displayName", "display_name", "display.name",
        "display name",
        "DISPLAY_NAME", "display__name", "displayName_", "display\u{2019}Name", "Displ\u{e1}y-name",
    ])
    func emulatorModeReadsEverySpellingOfAName(_ name: String) async throws {
        let emulator = try TestEmulator(.emulator)
        let user = try await emulator.call(
            "accounts:signUp", ["email": "ada@example.com", "password": "secret123", name: "Countess"])
        #expect(try await emulator.lookup(user["idToken"]).json["users"]?[0]?["displayName"] == "Countess")
    }

    @Test(arguments: ["displayName2", "displayname", "display\u{f1}ame", "DISPLAYNAME", "dISPLAYnAME", "display'name", "__", ""])
    func emulatorModeIgnoresOtherNames(_ name: String) async throws {
        let emulator = try TestEmulator(.emulator)
        let user = try await emulator.call(
            "accounts:signUp", ["email": "ada@example.com", "password": "secret123", name: "Countess"])
        #expect(user.status == 200)
        #expect(try await emulator.lookup(user["idToken"]).json["users"]?[0]?["displayName"] == nil)
    }

    @Test func emulatorModeNormalizesNamesAtEveryDepth() async throws {
        let emulator = try TestEmulator(.emulator)
        let answer = try await emulator.manage(
            "accounts:batchCreate",
            [
                "Users": [
                    [
                        "local-id": "user-1", "photoURL": "http://example.com/a",
                        "provider user info": [["providerID": "google.com", "RAW_ID": "1", "photoURL": "http://example.com/b"]],
                    ]
                ]
            ])
        #expect(answer.json["error"] == [])
        let user = try await emulator.manage("accounts:lookup", ["localId": ["user-1"]]).json["users"]?[0]
        #expect(user?["photoUrl"] == "http://example.com/a")
        #expect(user?["providerUserInfo"]?[0]?["photoUrl"] == "http://example.com/b")
    }

    @Test(arguments: ["yes", 1, .null, [], [:]] as [JSON])
    func emulatorModeIgnoresReturnSecureTokenAtSignUp(_ value: JSON) async throws {
        let emulator = try TestEmulator(.emulator)
        #expect(try await emulator.call("accounts:signUp", ["returnSecureToken": value]).status == 200)
        let refused = try await emulator.call("accounts:signInWithPassword", ["returnSecureToken": value])
        #expect(refused.status == 400)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func rootPageIsNotFoundByOtherMethods(_ method: HTTPMethod) async throws {
        let emulator = try TestEmulator(.emulator)
        #expect(try await emulator.send(HTTPRequest(method, emulator.server.base + "/")).status == 404)
    }

    @Test func nullIsAbsentInStrictMode() async throws {
        let strict = try TestEmulator()
        let user = try await strict.call(
            "accounts:signUp",
            ["email": "ada@example.com", "password": "correct horse", "displayName": .null, "returnSecureToken": .null])
        #expect(user.status == 200)
        let lenient = try TestEmulator(.emulator)
        #expect(try await lenient.call("accounts:signUp", ["displayName": .null]).status == 400)
    }
}
