import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Operations that need a sign-in of the last minutes.
@Suite(.limitedConcurrency)
struct RecentSignInTests {
    @Test func deletionAsksForARecentSignIn() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        emulator.pass(400)
        let token = try await emulator.refresh(session["refreshToken"])["id_token"]
        #expect(try await emulator.call("accounts:delete", ["idToken": .string(token)]).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try emulator.admin.userCount() == 1)
        let fresh = try await emulator.signIn()["idToken"]
        #expect(try await emulator.call("accounts:delete", ["idToken": .string(fresh)]).status == 200)
        #expect(try emulator.admin.userCount() == 0)
    }

    @Test func passwordAndAddressAskForARecentSignIn() async throws {
        let emulator = try TestEmulator { $0.protectsEmails = false }
        let session = try await emulator.signUp()
        emulator.pass(400)
        let token = JSON.string(try await emulator.refresh(session["refreshToken"])["id_token"])
        for change: JSON in [["idToken": token, "password": "another one"], ["idToken": token, "email": "b@example.com"]] {
            #expect(try await emulator.call("accounts:update", change).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
        #expect(try await emulator.call("accounts:update", ["idToken": token, "displayName": "Ada"]).status == 200)
    }

    @Test func captchaCanBeRequired() async throws {
        let emulator = try TestEmulator { $0.asksForCaptcha = true }
        let token = FirebaseSettings.captchaToken
        let account: JSONObject = ["email": "ada@example.com", "password": "Correct-Horse-1"]
        for method in ["accounts:signUp", "accounts:signInWithPassword"] {
            #expect(try await emulator.call(method, .object(account)).code == "MISSING_RECAPTCHA_TOKEN")
            var body = account
            body["captchaResponse"] = "another"
            #expect(try await emulator.call(method, .object(body)).code == "MISSING_CLIENT_TYPE")
            body["clientType"] = "CLIENT_TYPE_IOS"
            #expect(try await emulator.call(method, .object(body)).code == "MISSING_RECAPTCHA_VERSION")
            body["recaptchaVersion"] = "RECAPTCHA_VERSION_UNSPECIFIED"
            #expect(try await emulator.call(method, .object(body)).code == "MISSING_RECAPTCHA_VERSION")
            body["recaptchaVersion"] = "RECAPTCHA_ENTERPRISE"
            #expect(try await emulator.call(method, .object(body)).code == "INVALID_RECAPTCHA_TOKEN")
            body["captchaResponse"] = .string(token)
            #expect(try await emulator.call(method, .object(body)).status == 200)
        }
        var mail: JSONObject = ["requestType": "PASSWORD_RESET", "email": "ada@example.com"]
        #expect(try await emulator.call("accounts:sendOobCode", .object(mail)).code == "MISSING_RECAPTCHA_TOKEN")
        mail["captchaResp"] = .string(token)
        #expect(try await emulator.call("accounts:sendOobCode", .object(mail)).code == "MISSING_CLIENT_TYPE")
        (mail["clientType"], mail["recaptchaVersion"]) = ("CLIENT_TYPE_WEB", "RECAPTCHA_ENTERPRISE")
        #expect(try await emulator.call("accounts:sendOobCode", .object(mail)).status == 200)
        #expect(try await emulator.call("accounts:signUp").status == 200)
    }

    @Test func guestsNeedNoRecentSignIn() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.call("accounts:signUp")
        emulator.pass(400)
        let token = try await emulator.refresh(session["refreshToken"])["id_token"]
        #expect(try await emulator.call("accounts:delete", ["idToken": .string(token)]).status == 200)
    }

    @Test func recentSignInIsASetting() async throws {
        let emulator = try TestEmulator { $0.recentSignIn = nil }
        let session = try await emulator.signUp()
        emulator.pass(3000)
        #expect(try await emulator.call("accounts:delete", ["idToken": .string(session["idToken"])]).status == 200)
    }
}
