import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Blocking functions over real HTTP: their input, and the effects of their responses.
@Suite(.limitedConcurrency)
struct BlockingFunctionTests {
    private let project: FunctionProject

    init() throws { project = try FunctionProject() }

    @Test func signUpCallsItsFunctions() async throws {
        let emulator = try await project.emulator()
        project.script.say("beforeCreate", ["userRecord": ["updateMask": "displayName", "displayName": "Countess"]])
        let user = try await emulator.signUp()
        #expect(user.status == 200)
        let first = try project.told("beforeCreate")
        #expect(first["event_type"] == "beforeCreate" && first["sign_in_method"] == "password")
        #expect(first["iss"] == "https://securetoken.google.com/demo-lockstep")
        #expect(first["aud"]?.string == "\(project.functions.base)/beforeCreate")
        #expect(first["sub"]?.string == user["localId"] && first["user_record"]?["uid"]?.string == user["localId"])
        #expect(first["user_record"]?["email"] == "ada@example.com" && first["user_record"]?["email_verified"] == false)
        #expect(first["user_record"]?["custom_claims"] == [:] && first["user_record"]?["provider_data"] == [])
        #expect(first["user_record"]?["metadata"]?["creation_time"]?.int != nil)
        #expect(first["ip_address"] == "127.0.0.1" && first["locale"] == "en")
        #expect(first["user_agent"] == "NotYetSupportedInFirebaseAuthEmulator")
        #expect(first["event_id"]?.string?.count == 16)
        #expect(try #require(first["exp"]?.int) - (first["iat"]?.int ?? 0) == 600)
        let second = try project.told("beforeSignIn")
        #expect(second["event_type"] == "beforeSignIn" && second["event_id"] != first["event_id"])
        #expect(second["user_record"]?["display_name"] == "Countess")
        #expect(second["user_record"]?["provider_data"]?[0]?["provider_id"] == "password")
        #expect(project.script.requests("beforeCreate").count == 1 && project.script.requests("beforeSignIn").count == 1)
        let deliveries = emulator.server.panel.deliveries.entries
        #expect(deliveries.map(\.event) == ["beforeCreate", "beforeSignIn"])
        #expect(deliveries.map(\.address) == ["beforeCreate", "beforeSignIn"].map { "\(project.functions.base)/\($0)" })
    }

    /// The first request that signs generates the key: here for a function's token, in the middle of the request.
    @Test func serverWithoutAKeyCallsItsFunctions() async throws {
        let emulator = try await project.emulator(.strict) { $0.signingKey = nil }
        let user = try await emulator.signUp()
        #expect(user.status == 200)
        #expect(project.script.requests("beforeCreate").count == 1 && project.script.requests("beforeSignIn").count == 1)
    }

    @Test func changesByFunctionsAreStoredAndInTokens() async throws {
        let emulator = try await project.emulator()
        project.script.say(
            "beforeCreate",
            [
                "userRecord": [
                    "updateMask": "displayName,customClaims,sessionClaims", "displayName": "Ada",
                    "customClaims": ["role": "guest"],
                    "sessionClaims": ["day": true],
                ]
            ])
        project.script.say("beforeSignIn", FunctionProject.changes)
        let user = try await emulator.signUp()
        #expect(user["displayName"] == "Countess")
        let first = try project.claims(user)
        #expect(first["name"] == "Countess" && first["picture"] == "https://example.com/ada")
        #expect(first["email_verified"] == true && first["role"] == "editor" && first["night"] == true)
        #expect(first["day"] == nil, "beforeCreate has no session to give claims to.")
        let stored = try #require(try await emulator.lookup(user["idToken"]).json["users"]?[0])
        #expect(stored["displayName"] == "Countess" && stored["photoUrl"] == "https://example.com/ada")
        #expect(stored["emailVerified"] == true && stored["customAttributes"] == #"{"role":"editor"}"#)
        #expect(stored["providerUserInfo"]?[0]?["displayName"] == "Countess")
    }

    @Test(arguments: FirebaseMode.allCases)
    func sessionClaimsSurviveARefreshOnly(_ mode: FirebaseMode) async throws {
        let emulator = try await project.emulator(mode)
        project.script.say("beforeSignIn", ["userRecord": ["updateMask": "sessionClaims", "sessionClaims": ["night": true]]])
        let user = try await emulator.signUp()
        let refreshed = try await emulator.refresh(user["refreshToken"])
        #expect(try UnverifiedToken(refreshed["id_token"]).claims["night"] == true)
        #expect(project.script.requests("beforeSignIn").count == 1, "A refresh is no sign-in.")
        project.script.say("beforeSignIn", [:])
        let other = try await emulator.signIn()
        #expect(try project.claims(other)["night"] == nil)
        #expect(try UnverifiedToken(try await emulator.refresh(other["refreshToken"])["id_token"]).claims["night"] == nil)
    }

    /// Also if no function was called for the account itself.
    @Test func newAccountListsItsSignInMethod() async throws {
        let emulator = try await project.emulator(.emulator, ["beforeSignIn"])
        let link = try await project.signInLink(emulator)
        #expect(
            try await emulator.call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": link]).status == 200)
        #expect(try project.told("beforeSignIn")["user_record"]?["provider_data"]?[0]?["provider_id"] == "password")
    }

    @Test func everySignInMethodIsAnEvent() async throws {
        let emulator = try await project.emulator()
        let link = try await project.signInLink(emulator)
        let byLink = try await emulator.call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": link])
        #expect(byLink.status == 200)
        #expect(try project.told("beforeCreate")["sign_in_method"] == "emailLink")
        #expect(try project.told("beforeSignIn")["user_record"]?["email_verified"] == true)

        let start = try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
        let proof: JSON = ["sessionInfo": .string(start["sessionInfo"]), "code": try await project.textCode(emulator)]
        #expect(try await emulator.call("accounts:signInWithPhoneNumber", proof).status == 200)
        for event in ["beforeCreate", "beforeSignIn"] {
            #expect(try project.told(event)["sign_in_method"] == "phone")
            #expect(try project.told(event)["user_record"]?["phone_number"] == "+15555550100")
        }
        #expect(project.script.requests("beforeCreate").count == 2 && project.script.requests("beforeSignIn").count == 2)

        // Guests, custom tokens and administrators do not call functions.
        #expect(try await emulator.call("accounts:signUp").status == 200)
        #expect(try await emulator.call("accounts:signInWithCustomToken", ["token": #"{"uid":"user-1"}"#]).status == 200)
        #expect(try await emulator.manage("accounts", ["email": "bob@example.com", "password": "correct horse"]).status == 200)
        #expect(project.script.requests("beforeCreate").count == 2 && project.script.requests("beforeSignIn").count == 2)
        #expect(try await emulator.signIn("bob@example.com").status == 200)
        #expect(project.script.requests("beforeCreate").count == 2 && project.script.requests("beforeSignIn").count == 3)
    }

    private func signIn(_ emulator: TestEmulator, _ more: JSONObject = [:]) async throws -> TestEmulator.TestResponse {
        let token = #"{"sub":"g-1","email":"ada@example.com","email_verified":true,"name":"Ada"}"#
        let post = Percent.encodeForm([("providerId", "google.com"), ("id_token", token), ("access_token", token)])
        var body = more
        body["requestUri"] = "http://localhost"
        body["postBody"] = .string(post)
        return try await emulator.call("accounts:signInWithIdp", .object(body))
    }

    @Test func providerCredentialsAreForwardedIfAsked() async throws {
        let silent = try await project.emulator()
        #expect(try await signIn(silent).status == 200)
        let told = try project.told("beforeCreate")
        #expect(told["sign_in_method"] == "google.com")
        #expect(try told["raw_user_info"]?.string.map { try JSON.parse($0) }?["name"] == "Ada")
        #expect(told["user_record"]?["provider_data"]?[0]?["uid"] == "g-1")
        #expect(told["oauth_id_token"] == nil && told["oauth_access_token"] == nil)
        let open = try await project.emulator(forwards: ["idToken": true, "accessToken": true, "refreshToken": true])
        project.script.say("beforeSignIn", FunctionProject.changes)
        #expect(try project.claims(try await signIn(open))["night"] == true)
        for event in ["beforeCreate", "beforeSignIn"] {
            let told = try project.told(event)
            #expect(told["oauth_id_token"]?.string?.contains("g-1") == true)
            #expect(told["oauth_access_token"]?.string?.contains("g-1") == true)
            #expect(told["oauth_refresh_token"] == nil)
        }
        // A second sign-in creates nothing, and linking is a sign-in.
        #expect(try await signIn(open).status == 200)
        #expect(project.script.requests("beforeCreate").count == 2 && project.script.requests("beforeSignIn").count == 3)
        let guest = try await silent.signUp("bob@example.com")
        #expect(try await signIn(silent, ["idToken": .string(guest["idToken"])]).code == "FEDERATED_USER_ID_ALREADY_LINKED")
    }

    @Test func attributesOfSAMLAreReported() async throws {
        let emulator = try await project.emulator()
        let response = #"{"assertion":{"subject":{"nameId":"ada@example.com"},"attributeStatements":{"team":["a","b"]}}}"#
        let post = Percent.encodeForm([
            ("providerId", "saml.corp"), ("id_token", #"{"sub":"s-1"}"#), ("SAMLResponse", response),
        ])
        let body: JSON = ["requestUri": "http://localhost", "postBody": .string(post)]
        #expect(try await emulator.call("accounts:signInWithIdp", body).status == 200)
        #expect(try project.told("beforeSignIn")["sign_in_attributes"] == #"{"team":["a","b"]}"#)
    }

    @Test func secondFactorPrecedesTheFunction() async throws {
        let emulator = try await project.emulator(.emulator, ["beforeSignIn"])
        let user = try await emulator.call(
            "accounts:signUp",
            ["email": "ada@example.com", "password": "correct horse", "mfaInfo": [["phoneInfo": "+15555550100"]]])
        #expect(project.script.requests("beforeSignIn").count == 1, "A sign-up signs in.")
        #expect(
            try project.told("beforeSignIn")["user_record"]?["multi_factor"]?["enrolled_factors"]?[0]?["factor_id"] == "phone")
        let pending = try await emulator.signIn()
        #expect(project.script.requests("beforeSignIn").count == 1)
        let credential = JSON.string(pending["mfaPendingCredential"])
        let factor = try #require(pending.json["mfaInfo"]?[0]?["mfaEnrollmentId"])
        let start = try await emulator.call2(
            "accounts/mfaSignIn:start", ["mfaPendingCredential": credential, "mfaEnrollmentId": factor])
        let session = try #require(start.json["phoneResponseInfo"]?["sessionInfo"])
        project.script.say("beforeSignIn", FunctionProject.changes)
        let done = try await emulator.call2(
            "accounts/mfaSignIn:finalize",
            [
                "mfaPendingCredential": credential,
                "phoneVerificationInfo": ["sessionInfo": session, "code": try await project.textCode(emulator)],
            ])
        let claims = try project.claims(done)
        #expect(claims["night"] == true && claims["role"] == "editor")
        #expect(claims["firebase"]?["second_factor_identifier"] == factor)
        #expect(try project.told("beforeSignIn")["sign_in_second_factor"] == "phone")
        #expect(try project.told("beforeSignIn")["sub"]?.string == user["localId"])
    }
}
