import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// What needs a sign-in of the last minutes.
@Suite(.limitedConcurrency)
struct RecentSignInTests {
    @Test func deletionAsksForARecentSignIn() async throws {
        let stage = try Stage()
        let session = try await stage.signUp()
        stage.pass(400)
        let token = try await stage.refresh(session["refreshToken"])["id_token"]
        #expect(try await stage.call("accounts:delete", ["idToken": .string(token)]).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try stage.admin.userCount() == 1)
        let fresh = try await stage.signIn()["idToken"]
        #expect(try await stage.call("accounts:delete", ["idToken": .string(fresh)]).status == 200)
        #expect(try stage.admin.userCount() == 0)
    }

    @Test func passwordAndAddressAskForARecentSignIn() async throws {
        let stage = try Stage { $0.protectsEmails = false }
        let session = try await stage.signUp()
        stage.pass(400)
        let token = JSON.string(try await stage.refresh(session["refreshToken"])["id_token"])
        for change: JSON in [["idToken": token, "password": "another one"], ["idToken": token, "email": "b@example.com"]] {
            #expect(try await stage.call("accounts:update", change).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
        #expect(try await stage.call("accounts:update", ["idToken": token, "displayName": "Ada"]).status == 200)
    }

    @Test func guestsHaveNothingToSignInWithAgain() async throws {
        let stage = try Stage()
        let session = try await stage.call("accounts:signUp")
        stage.pass(400)
        let token = try await stage.refresh(session["refreshToken"])["id_token"]
        #expect(try await stage.call("accounts:delete", ["idToken": .string(token)]).status == 200)
    }

    @Test func theRuleIsASetting() async throws {
        let stage = try Stage { $0.recentSignIn = nil }
        let session = try await stage.signUp()
        stage.pass(3000)
        #expect(try await stage.call("accounts:delete", ["idToken": .string(session["idToken"])]).status == 200)
    }
}
